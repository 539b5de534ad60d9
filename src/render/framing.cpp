#include "render/framing.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "backends/cpu/cpu_backend.hpp"
#include "kernels/shadings/shading.hpp"
#include "math/trig.hpp"
#include "render/preview.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kMargin = 1.06;
constexpr double kClearlyBetter = 0.1;  // smallest difference between shares of backs that matters

/// The size of a small picture that shows what a camera sees.
struct PreviewSize {
  u32 width = 64;
  u32 height = 36;
};

dvec3 unit(dvec3 v) { return v / std::sqrt(glm::dot(v, v)); }

/// A camera that just sees the whole box. It looks at the middle of the box and lies in the
/// direction `towards` from there.
Camera fit(const Aabb& box, dvec3 origin, dvec3 towards, dvec3 up, double aspect, double fov) {
  const dvec3 back = unit(towards);
  const dvec3 right = unit(glm::cross(up, back));
  const dvec3 top = glm::cross(back, right);
  const SinCos half = sincos_degrees(fov / 2.0);
  const double tan_y = half.sin / half.cos, tan_x = tan_y * aspect;
  const dvec3 center = (dvec3(box.low) + dvec3(box.high)) * 0.5;
  double distance = 0.0;
  for (int corner = 0; corner < 8; ++corner) {
    const dvec3 p = dvec3(corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                          corner & 4 ? box.high.z : box.low.z) -
                    center;
    const double x = std::abs(glm::dot(p, right)), y = std::abs(glm::dot(p, top));
    distance = std::max(distance, glm::dot(p, back) + kMargin * std::max(x / tan_x, y / tan_y));
  }
  if (!(distance > 0.0)) distance = 1.0;  // a single point
  return {origin + center + back * distance, origin + center, up, fov};
}

/// Throws InputError if the camera is beyond the largest coordinate.
void require_reachable(const PreparedScene& scene, const Camera& camera) {
  const dvec3 away = dvec3(camera.eye) - scene.scene->origin;
  const double reach = std::max({std::abs(away.x), std::abs(away.y), std::abs(away.z)});
  if (!(reach <= double{kLargestCoordinate}))
    throw InputError(scene.scene->name +
                         ": too large to be seen as a whole from within 2^40 (1.1e12); scale it "
                         "down, or give a camera",
                     "camera");
}

/// Casts a small picture. Returns the share of its hits that are on the backs of surfaces; 1 if
/// nothing is hit.
double backs_seen(const PreparedScene& scene, ResidentScene& resident, const Camera& camera,
                  const PreviewSize& preview) {
  const CameraView view = make_view(camera, scene.scene->origin, preview.width, preview.height);
  std::vector<Ray> rays;
  for (u32 y = 0; y < preview.height; ++y)
    for (u32 x = 0; x < preview.width; ++x)
      rays.push_back(ray_through(view, float(x) + 0.5f, float(y) + 0.5f));
  std::vector<Hit> hits(rays.size());
  resident.cast(RayKind::closest, rays.data(), hits.data(), nullptr, rays.size(), {});
  u32 found = 0, backs = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (!hits[i].found()) continue;
    ++found;
    if (!surface_at(scene.view, rays[i], hits[i]).front) ++backs;
  }
  return found == 0 ? 1.0 : double(backs) / found;
}

/// The size of the preview of each camera; smaller than usual if all of them would take too long.
PreviewSize preview_for(const PreparedScene& scene, std::size_t cameras) {
  PreviewSize preview;
  const double shrink =
      preview_scale(scene, double(preview.width) * preview.height * static_cast<double>(cameras));
  preview.width = std::max(1u, static_cast<u32>(preview.width * shrink));
  preview.height = std::max(1u, static_cast<u32>(preview.height * shrink));
  return preview;
}

}  // namespace

Camera default_camera(const SceneData& scene) {
  Camera camera;
  camera.up = unit(up_of(scene));
  camera.fov = kFramingFov;
  return camera;
}

Camera frame_scene(const PreparedScene& scene, double aspect, double fov) {
  const dvec3 origin = scene.scene->origin;
  const dvec3 up = unit(up_of(*scene.scene));
  // Two horizontal axes: with y up, `front` is +z and `side` is +x.
  const dvec3 guess = std::abs(up.z) < 0.9 ? dvec3(0, 0, 1) : dvec3(0, -1, 0);
  const dvec3 side = unit(glm::cross(up, guess));
  const dvec3 front = glm::cross(side, up);
  if (scene.bounds.empty()) return {origin + front, origin, up, fov};
  const std::vector<dvec3> sides = {front + side * 0.6 + up * 0.5,
                                    front - side * 0.6 + up * 0.5,
                                    front + up * 0.05,
                                    -front + up * 0.05,
                                    side + up * 0.05,
                                    -side + up * 0.05,
                                    -front + side * 0.6 + up * 0.5,
                                    -front - side * 0.6 + up * 0.5};
  const auto resident = cpu_upload(scene);
  const PreviewSize preview = preview_for(scene, sides.size());
  Camera best;
  double fewest = 2.0;
  for (const dvec3& towards : sides) {
    const Camera camera = fit(scene.bounds, origin, towards, up, aspect, fov);
    require_reachable(scene, camera);
    const double backs = backs_seen(scene, *resident, camera, preview);
    // A later view is taken only if it is clearly better.
    if (backs < fewest - kClearlyBetter) {
      fewest = backs;
      best = camera;
    }
    if (fewest <= kClearlyBetter) break;
  }
  return best;
}

}  // namespace ballotcast::detail
