#include "render/preview.hpp"

#include <algorithm>
#include <cmath>

#include "scene/instances.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kMostTests = 1e9;  // limit on the expected triangle tests of all rays

/// The sum of half the areas of the boxes of some triangles, or their number if `whole` is 0.
double areas_of(const PreparedScene& scene, u32 first, u32 count, double whole) {
  const Mesh& mesh = scene.scene->mesh;
  const std::vector<bool> is_copy = marked(scene.copies, mesh.triangles.size());
  return reduce_ranges<u32>(
      first, first + count, 1 << 14, 0.0,
      [&](u32 begin, u32 end, double part) {
        for (u32 i = begin; i < end; ++i)
          if (is_copy.empty() || !is_copy[i])
            part += whole > 0.0 ? double{mesh.bounds_of(i).half_area()} : 1.0;
        return part;
      },
      [](double a, double b) { return a + b; });
}

/// The expected number of triangle boxes that a line through the scene's box meets.
double overlap_of(const PreparedScene& scene) {
  const SceneData& data = *scene.scene;
  const double whole = double{scene.bounds.half_area()};
  if (data.instances.empty()) {
    const double sum = areas_of(scene, 0, static_cast<u32>(data.mesh.triangles.size()), whole);
    return whole > 0.0 ? sum / whole : sum;
  }
  // A line that meets the box of an instance meets as many triangles as one that meets its mesh.
  const std::vector<Aabb> parts = boxes_of_parts(data), boxes = boxes_of_instances(data, parts);
  std::vector<double> overlaps;
  for (u32 i = 0; i < parts.size(); ++i) {
    const double own = parts[i].empty() ? 0.0 : double{parts[i].half_area()};
    const double sum = areas_of(scene, data.parts[i].first, data.parts[i].count, own);
    overlaps.push_back(own > 0.0 ? sum / own : sum);
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].empty())
      sum += overlaps[data.instances[i].mesh] *
             (whole > 0.0 ? double{boxes[i].half_area()} / whole : 1.0);
  return sum;
}

}  // namespace

double preview_scale(const PreparedScene& scene, double rays) {
  if (scene.bounds.empty()) return 1.0;
  const double tests = rays * overlap_of(scene);
  return tests > kMostTests ? std::sqrt(kMostTests / tests) : 1.0;
}

PreviewHits cast_preview(ResidentScene& resident, const CameraView& view, u32 columns, u32 rows) {
  PreviewHits out;
  for (u32 y = 0; y < rows; ++y)
    for (u32 x = 0; x < columns; ++x)
      out.rays.push_back(ray_through(view, float(x) + 0.5f, float(y) + 0.5f));
  out.hits.resize(out.rays.size());
  resident.cast(RayKind::closest, out.rays.data(), out.hits.data(), nullptr, out.rays.size(), {});
  return out;
}

}  // namespace ballotcast::detail
