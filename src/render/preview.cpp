#include "render/preview.hpp"

#include <algorithm>
#include <cmath>

#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kMostTests = 1e9;  // limit on the expected triangle tests of all rays

/// The expected number of triangle boxes that a line through the scene's box meets.
double overlap_of(const PreparedScene& scene) {
  const Mesh& mesh = scene.scene->mesh;
  const double whole = double{scene.bounds.half_area()};
  const std::vector<bool> is_copy = marked(scene.copies, mesh.triangles.size());
  const double sum = reduce_ranges<u32>(
      0, static_cast<u32>(mesh.triangles.size()), 1 << 14, 0.0,
      [&](u32 begin, u32 end, double part) {
        for (u32 i = begin; i < end; ++i)
          if (is_copy.empty() || !is_copy[i])
            part += whole > 0.0 ? double{mesh.bounds_of(i).half_area()} : 1.0;
        return part;
      },
      [](double a, double b) { return a + b; });
  return whole > 0.0 ? sum / whole : sum;
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
