#include "render/framing/framing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "backends/device/backend.hpp"
#include "ballotcast/error.hpp"
#include "kernels/shadings/shading.hpp"
#include "math/trig.hpp"
#include "render/framing/lookout.hpp"
#include "render/framing/preview.hpp"
#include "scene/instances/instances.hpp"
#include "scene/motion/frames.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kFilled = 0.88;  // fraction of the picture's height or width that the scene fills
// The least distance of a camera from the nearest point, as a fraction of the depth of the scene
constexpr double kLeastDistance = 0.05;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// A camera is better only if the fraction of its hits on backs is smaller by this much
constexpr double kClearlyBetter = 0.1;

/// The size of a small picture that is cast to evaluate a camera.
struct PreviewSize {
  u32 width = 64;
  u32 height = 36;
};

dvec3 unit(dvec3 v) { return v / std::sqrt(glm::dot(v, v)); }

/// The extent of points towards the four sides of a picture and along the line of sight.
struct Reaches {
  double right = -kInfinity, left = -kInfinity, top = -kInfinity, bottom = -kInfinity;
  double near = -kInfinity, far = -kInfinity;

  void include(const Reaches& o) {
    right = std::max(right, o.right);
    left = std::max(left, o.left);
    top = std::max(top, o.top);
    bottom = std::max(bottom, o.bottom);
    near = std::max(near, o.near);
    far = std::max(far, o.far);
  }

  bool covers(const Reaches& o) const {
    return right >= o.right && left >= o.left && top >= o.top && bottom >= o.bottom &&
           near >= o.near && far >= o.far;
  }
};

}  // namespace

/// Boxes that each contain several triangles. With them, a camera need not process most triangles
/// of a large mesh again.
class TriangleGroups {
 public:
  explicit TriangleGroups(const Mesh& mesh)
      : mesh_(mesh), boxes_((mesh.triangles.size() + kTriangles - 1) / kTriangles) {
    for_each_range<std::size_t>(boxes_.size(), 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        each_corner(i, [&](vec3 p) { boxes_[i].include(p); });
    });
  }

  std::size_t count() const { return boxes_.size(); }
  const Aabb& box(std::size_t group) const { return boxes_[group]; }

  template <class Visit>
  void each_corner(std::size_t group, Visit visit) const {
    const std::size_t end = std::min((group + 1) * kTriangles, mesh_.triangles.size());
    for (std::size_t i = group * kTriangles; i < end; ++i)
      for (int k = 0; k < 3; ++k) visit(mesh_.positions[mesh_.triangles[i][k]]);
  }

 private:
  static constexpr std::size_t kTriangles = 128;
  const Mesh& mesh_;
  std::vector<Aabb> boxes_;
};

namespace {

/// Converts each box to triangles that have its corners.
Mesh mesh_of_corners(const std::vector<Aabb>& boxes) {
  Mesh mesh;
  for (const Aabb& box : boxes) {
    if (box.empty()) continue;
    const u32 first = static_cast<u32>(mesh.positions.size());
    for (u32 i = 0; i < 8; ++i)
      mesh.positions.push_back({i & 1 ? box.high.x : box.low.x, i & 2 ? box.high.y : box.low.y,
                                i & 4 ? box.high.z : box.low.z});
    for (const uvec3 corners : {uvec3(0, 1, 2), uvec3(3, 4, 5), uvec3(5, 6, 7)})
      mesh.triangles.push_back(corners + first);
  }
  return mesh;
}

/// The direction of a camera and its field of view, as the slopes of the lines that bound the
/// fraction kFilled of the picture.
struct Sight {
  dvec3 right, top, back;
  double slope_x, slope_y;

  Reaches of(vec3 point) const {
    const dvec3 p(point);
    return of(glm::dot(p, right), glm::dot(p, right), glm::dot(p, top), glm::dot(p, top),
              glm::dot(p, back), glm::dot(p, back));
  }

  /// The reaches of a box. They are at least those of any point in the box, even with rounding,
  /// because the operations are the same as for a point, and all of them are monotonic.
  Reaches within(const Aabb& box) const {
    const auto most = [&](dvec3 d) {
      return glm::dot(dvec3(d.x < 0.0 ? box.low.x : box.high.x, d.y < 0.0 ? box.low.y : box.high.y,
                            d.z < 0.0 ? box.low.z : box.high.z),
                      d);
    };
    return of(-most(-right), most(right), -most(-top), most(top), -most(-back), most(back));
  }

 private:
  Reaches of(double low_x, double high_x, double low_y, double high_y, double low_z,
             double high_z) const {
    return {slope_x * high_z + high_x,
            slope_x * high_z - low_x,
            slope_y * high_z + high_y,
            slope_y * high_z - low_y,
            high_z,
            -low_z};
  }
};

/// The Reaches of the corners of all triangles, as `sight` sees them.
Reaches reaches_of(const TriangleGroups& groups, const Sight& sight) {
  return reduce_ranges<std::size_t>(
      0, groups.count(), 256, Reaches{},
      [&](std::size_t begin, std::size_t end, Reaches reaches) {
        for (std::size_t i = begin; i < end; ++i)
          if (!reaches.covers(sight.within(groups.box(i))))
            groups.each_corner(i, [&](vec3 corner) { reaches.include(sight.of(corner)); });
        return reaches;
      },
      [](Reaches a, const Reaches& b) {
        a.include(b);
        return a;
      });
}

/// A camera that sees every corner of the mesh and looks in the direction opposite to `towards`. In
/// one direction, horizontal or vertical, the outermost corners are at kFilled of half the
/// picture's size. In the other direction there is equal space on both sides.
///
/// A point at (x, z), with z towards the camera at (cx, cz), is inside the picture if |x - cx| <=
/// slope * (cz - z). So four numbers, such as the largest x + slope * z of all points, determine
/// the nearest camera.
Camera fit(const TriangleGroups& groups, dvec3 origin, dvec3 towards, dvec3 up, double aspect,
           double fov) {
  const dvec3 back = unit(towards);
  const dvec3 right = unit(glm::cross(up, back));
  const dvec3 top = glm::cross(back, right);
  const SinCos half = sincos_degrees(fov / 2.0);
  const double slope_y = kFilled * half.sin / half.cos, slope_x = slope_y * aspect;
  const Reaches r = reaches_of(groups, {right, top, back, slope_x, slope_y});
  const double nearest = r.near, farthest = -r.far;
  double z = std::max((r.right + r.left) / (2.0 * slope_x), (r.top + r.bottom) / (2.0 * slope_y));
  // Even points that all lie on the line of sight need some distance.
  z = std::max(z, nearest + kLeastDistance * (nearest - farthest));
  if (!(z > nearest)) z = nearest + 1.0;
  const dvec3 across = right * ((r.right - r.left) * 0.5) + top * ((r.top - r.bottom) * 0.5);
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

/// Casts a small picture. Returns the fraction of its hits that are on the backs of surfaces; 1 if
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

/// The size of the preview of each camera. It is reduced if the previews of all cameras would take
/// too long.
PreviewSize preview_for(const PreparedScene& scene, std::size_t cameras) {
  PreviewSize preview;
  const double shrink =
      preview_scale(scene, double(preview.width) * preview.height * static_cast<double>(cameras));
  preview.width = std::max(1u, static_cast<u32>(preview.width * shrink));
  preview.height = std::max(1u, static_cast<u32>(preview.height * shrink));
  return preview;
}

/// Moves the camera back so that it sees all of `box` in the same direction. `box` is relative to
/// `origin`.
Camera seeing_box(const Camera& camera, const Aabb& box, dvec3 origin, double aspect) {
  const Mesh corners = mesh_of_corners({box});
  Camera moved = camera;
  const Camera fitting =
      fit(TriangleGroups(corners), origin, dvec3(camera.eye) - dvec3(camera.look_at), camera.up,
          aspect, camera.fov);
  moved.eye = fitting.eye;
  moved.look_at = fitting.look_at;
  return moved;
}

}  // namespace

Camera default_camera(const SceneData& scene) {
  Camera camera;
  camera.up = unit(up_of(scene));
  camera.fov = kFramingFov;
  return camera;
}

Camera seeing_all_frames(const Camera& camera, const PreparedScene& scene,
                         const SceneFrames& frames, double aspect) {
  constexpr u64 kLooks = 16;
  const dvec3 origin = scene.scene->origin;
  const Aabb first = scene.bounds;
  Aabb inside = first, all = first;
  inside.include(vec3(dvec3(camera.eye) - origin));
  if (first.empty() || first.contains(inside)) return camera;
  std::vector<u32> looks;
  for (u64 i = 1; i <= kLooks; ++i)
    looks.push_back(static_cast<u32>(i * frames.last_frame() / kLooks));
  // An error in a frame matters only if that frame is drawn.
  for (const PlacedBox& placed : frames.boxes_in(looks)) {
    const vec3 moved(placed.origin - origin);
    if (!placed.box.empty()) all.include(Aabb{placed.box.low + moved, placed.box.high + moved});
  }
  return first.contains(all) ? camera : seeing_box(camera, all, origin, aspect);
}

/// The results that a Framing stores.
struct Framing::Found {
  explicit Found(const PreparedScene& scene)
      : resident(cpu_upload(scene)),
        boxes(mesh_of_corners(boxes_of_instances(*scene.scene, boxes_of_parts(*scene.scene)))),
        groups(boxes.triangles.empty() ? scene.scene->mesh : boxes),
        lookout(scene, *resident) {}

  std::unique_ptr<ResidentScene> resident;
  const Mesh boxes;  // boxes of the instances, if there are any
  const TriangleGroups groups;
  Lookout lookout;
  std::map<std::pair<double, std::optional<double>>, Camera> cameras;
};

Framing::Framing(const PreparedScene& scene) : scene_(scene) {}
Framing::~Framing() = default;

Framing::Found& Framing::found() {
  if (!found_) found_ = std::make_unique<Found>(scene_);
  return *found_;
}

ResidentScene& Framing::resident() { return *found().resident; }

Camera Framing::camera(double aspect, std::optional<double> given_fov) {
  if (scene_.bounds.empty()) return chosen(aspect, given_fov);
  auto& cameras = found().cameras;
  const auto known = cameras.find({aspect, given_fov});
  if (known != cameras.end()) return known->second;
  return cameras[{aspect, given_fov}] = chosen(aspect, given_fov);
}

Camera Framing::chosen(double aspect, std::optional<double> given_fov) {
  const double fov = given_fov.value_or(kFramingFov);
  const dvec3 origin = scene_.scene->origin;
  const dvec3 up = unit(up_of(*scene_.scene));
  // Two horizontal axes: if y is up, `front` is +z and `side` is +x.
  const dvec3 side = horizontal_side(up), front = glm::cross(side, up);
  if (scene_.bounds.empty()) return {origin + front, origin, up, fov};
  const std::vector<dvec3> sides = {front + side * 0.6 + up * 0.5,
                                    front - side * 0.6 + up * 0.5,
                                    front + up * 0.05,
                                    -front + up * 0.05,
                                    side + up * 0.05,
                                    -side + up * 0.05,
                                    -front + side * 0.6 + up * 0.5,
                                    -front - side * 0.6 + up * 0.5};
  Found& known = found();
  const PreviewSize preview = preview_for(scene_, sides.size());
  Camera best;
  double fewest = 2.0;
  for (const dvec3& towards : sides) {
    const Camera camera = fit(known.groups, origin, towards, up, aspect, fov);
    require_reachable(scene_, camera);
    const double backs = backs_seen(scene_, *known.resident, camera, preview);
    // A later view is used only if it is clearly better.
    if (backs < fewest - kClearlyBetter) {
      fewest = backs;
      best = camera;
    }
    if (fewest <= kClearlyBetter) break;
  }
  return known.lookout.camera(best, aspect, given_fov.value_or(kInsideFov)).value_or(best);
}

}  // namespace ballotcast::detail
