#include "render/framing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "backends/cpu/cpu_backend.hpp"
#include "kernels/shadings/shading.hpp"
#include "math/trig.hpp"
#include "render/preview.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kFilled = 0.88;         // share of the picture's height or width that is filled
constexpr double kLeastDistance = 0.05;  // from the nearest point, as a share of the depth
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kClearlyBetter = 0.1;  // smallest difference between shares of backs that matters

/// The size of a small picture that shows what a camera sees.
struct PreviewSize {
  u32 width = 64;
  u32 height = 36;
};

dvec3 unit(dvec3 v) { return v / std::sqrt(glm::dot(v, v)); }

/// How far a set of points reaches along some direction.
struct Reach {
  double most = -kInfinity;
  void add(double place) { most = std::max(most, place); }
};

/// How far a mesh reaches towards the four sides of a picture and along the line of sight.
struct Reaches {
  Reach right, left, top, bottom, near, far;

  void add(const Reaches& o) {
    right.add(o.right.most);
    left.add(o.left.most);
    top.add(o.top.most);
    bottom.add(o.bottom.most);
    near.add(o.near.most);
    far.add(o.far.most);
  }
};

/// A camera that sees every corner of the mesh and looks against the direction `towards`. Right and
/// left, or top and bottom, the outermost corners are at kFilled of the picture's half side; in the
/// other direction there is as much room on both sides.
///
/// For a point at (x, z), with z towards the camera at (cx, cz), being inside is
/// |x - cx| <= slope * (cz - z). So the four reaches of x + slope * z and so on over all points
/// give the nearest camera.
Camera fit(const Mesh& mesh, dvec3 origin, dvec3 towards, dvec3 up, double aspect, double fov) {
  const dvec3 back = unit(towards);
  const dvec3 right = unit(glm::cross(up, back));
  const dvec3 top = glm::cross(back, right);
  const SinCos half = sincos_degrees(fov / 2.0);
  const double slope_y = kFilled * half.sin / half.cos, slope_x = slope_y * aspect;
  const auto add = [&](std::size_t begin, std::size_t end, Reaches reaches) {
    for (std::size_t i = begin; i < end; ++i)
      for (int k = 0; k < 3; ++k) {
        const dvec3 p(mesh.positions[mesh.triangles[i][k]]);
        const double x = glm::dot(p, right), y = glm::dot(p, top), z = glm::dot(p, back);
        reaches.right.add(slope_x * z + x);
        reaches.left.add(slope_x * z - x);
        reaches.top.add(slope_y * z + y);
        reaches.bottom.add(slope_y * z - y);
        reaches.near.add(z);
        reaches.far.add(-z);
      }
    return reaches;
  };
  const auto join = [](Reaches a, const Reaches& b) {
    a.add(b);
    return a;
  };
  constexpr std::size_t kGrain = 1 << 14;
  const auto [r, l, t, b, near, far] =
      reduce_ranges<std::size_t>(0, mesh.triangles.size(), kGrain, Reaches{}, add, join);
  const double nearest = near.most, farthest = -far.most;
  double z = std::max((r.most + l.most) / (2.0 * slope_x), (t.most + b.most) / (2.0 * slope_y));
  // A line or a point along the line of sight needs some distance too.
  z = std::max(z, nearest + kLeastDistance * (nearest - farthest));
  if (!(z > nearest)) z = nearest + 1.0;
  const dvec3 across = right * ((r.most - l.most) * 0.5) + top * ((t.most - b.most) * 0.5);
  return {origin + across + back * z, origin + across + back * ((nearest + farthest) * 0.5), up,
          fov};
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
  const auto [rays, hits] = cast_preview(resident, view, preview.width, preview.height);
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
    const Camera camera = fit(scene.scene->mesh, origin, towards, up, aspect, fov);
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
