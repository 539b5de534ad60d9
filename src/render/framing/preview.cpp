#include "render/framing/preview.hpp"

#include <algorithm>
#include <cmath>

#include "backends/device/backend.hpp"
#include "kernels/shadings/shading.hpp"
#include "scene/instances/instances.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kMostTests = 1e9;  // expected triangle tests of a preview's rays, at most

/// The sum of half the areas of the boxes of some triangles, divided by `whole`; if `whole` is 0,
/// the number of triangles.
double areas_of(const PreparedScene& scene, u32 first, u32 count, double whole) {
  const Mesh& mesh = scene.scene->mesh;
  const std::vector<bool> is_copy = marked(scene.copies, mesh.triangles.size());
  return reduce_ranges<u32>(
      first, first + count, 1 << 14, 0.0,
      [&](u32 begin, u32 end, double sum) {
        for (u32 i = begin; i < end; ++i)
          if (is_copy.empty() || !is_copy[i])
            sum += whole > 0.0 ? double{mesh.bounds_of(i).half_area()} : 1.0;
        return sum;
      },
      [](double a, double b) { return a + b; });
}

/// The expected number of triangle boxes that a random line through the scene's box meets.
double overlap_of(const PreparedScene& scene) {
  const SceneData& data = *scene.scene;
  const double whole = double{scene.bounds.half_area()};
  if (data.instances.empty()) {
    const double sum = areas_of(scene, 0, static_cast<u32>(data.mesh.triangles.size()), whole);
    return whole > 0.0 ? sum / whole : sum;
  }
  // A line that meets the box of an instance meets as many triangle boxes as a line that meets its
  // mesh.
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

void PreviewHits::cast(ResidentScene& resident, const HitFilter& filter) {
  hits.resize(rays.size());
  const CastChoice choice;
  Query query = cast_query(RayKind::closest, rays.data(), hits.data(), rays.size(), choice);
  query.filter = filter;
  resident.answer(query);
}

PreviewHits cast_preview(ResidentScene& resident, const CameraView& view, u32 columns, u32 rows,
                         const HitFilter& filter) {
  PreviewHits out;
  for (u32 y = 0; y < rows; ++y)
    for (u32 x = 0; x < columns; ++x)
      out.rays.push_back(ray_through(view, float(x) + 0.5f, float(y) + 0.5f));
  out.cast(resident, filter);
  return out;
}

namespace {

constexpr double kLongerSide = 128.0;  // rays along the longer side of range_seen's grid
/// The difference of the median from either end must be at least this fraction of the range.
/// Otherwise a single object far behind all others would leave almost no greys for them.
constexpr float kLeastShare = 0.1f;

}  // namespace

DepthRange range_seen(const PreparedScene& scene, const Camera& camera, u32 width, u32 height,
                      const HitFilter& filter) {
  const double step = std::max(1.0, std::max(width, height) / kLongerSide);
  const double rays = (width / step) * (height / step);
  const double shrink = preview_scale(scene, rays) / step;
  const u32 columns = std::max(1u, static_cast<u32>(width * shrink));
  const u32 rows = std::max(1u, static_cast<u32>(height * shrink));
  const CameraView view = make_view(camera, scene.scene->origin, columns, rows);
  const auto [rays_cast, hits] = cast_preview(*cpu_upload(scene), view, columns, rows, filter);
  std::vector<float> distances;
  for (std::size_t i = 0; i < hits.size(); ++i)
    if (hits[i].found()) distances.push_back(distance_of(rays_cast[i], hits[i]));
  if (distances.empty()) return {};
  std::sort(distances.begin(), distances.end());
  DepthRange range;
  range.near = distances.front();
  range.far = distances.back();
  const float room = (range.far - range.near) * kLeastShare;
  range.middle = clamp_to(distances[distances.size() / 2], range.near + room, range.far - room);
  return range;
}

}  // namespace ballotcast::detail
