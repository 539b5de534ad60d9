#include "render/depth_range.hpp"

#include <algorithm>
#include <vector>

#include "backends/cpu/cpu_backend.hpp"
#include "render/preview.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kLongerSide = 128.0;  // of the grid
/// How far the middle may be from either end, as a share of the range. So a single object far
/// behind all others does not take their greys, and is still told from them.
constexpr float kLeastShare = 0.1f;

}  // namespace

DepthRange range_seen(const PreparedScene& scene, const Camera& camera, u32 width, u32 height) {
  const double step = std::max(1.0, std::max(width, height) / kLongerSide);
  const double rays = (width / step) * (height / step);
  const double shrink = preview_scale(scene, rays) / step;
  const u32 columns = std::max(1u, static_cast<u32>(width * shrink));
  const u32 rows = std::max(1u, static_cast<u32>(height * shrink));
  const CameraView view = make_view(camera, scene.scene->origin, columns, rows);
  const auto [rays_cast, hits] = cast_preview(*cpu_upload(scene), view, columns, rows);
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
