#include "scene/pose.hpp"

#include <algorithm>
#include <limits>

#include "math/trig.hpp"
#include "scene/fill_mesh.hpp"
#include "scene/smooth_normals.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {
namespace {

/// A bounding box in double precision.
struct Reach {
  dvec3 low{std::numeric_limits<double>::infinity()};
  dvec3 high{-std::numeric_limits<double>::infinity()};

  void include(dvec3 p) {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  bool within(double most) const {
    return low.x >= -most && low.y >= -most && low.z >= -most && high.x <= most && high.y <= most &&
           high.z <= most;
  }
};

/// Applies a placement to the positions and normals of a mesh. `origin` is its SceneData::origin.
class Mover {
 public:
  Mover(const Placement& placement, dvec3 origin)
      : turn_(sincos_degrees(placement.rotate_y)), placement_(placement), origin_(origin) {}

  dvec3 place(vec3 position) const {
    return turned((origin_ + dvec3(position)) * placement_.scale) + dvec3(placement_.translate);
  }
  vec3 direction(vec3 normal) const { return unit_or(vec3(turned(dvec3(normal))), normal); }

 private:
  dvec3 turned(dvec3 v) const {
    return {turn_.cos * v.x + turn_.sin * v.z, v.y, turn_.cos * v.z - turn_.sin * v.x};
  }

  SinCos turn_;
  Placement placement_;
  dvec3 origin_;
};

/// Appends the normals of a mesh.
void append_normals(Array<vec3>& to, const Mesh& mesh, const Mover& mover) {
  for (u32 i = 0; i < mesh.triangles.size(); ++i) {
    const vec3 flat = mesh.corner_normals.empty() ? flat_normal(mesh, i) : vec3(0.0f);
    for (u32 corner = 0; corner < 3; ++corner)
      to.push_back(mover.direction(
          mesh.corner_normals.empty() ? flat : mesh.corner_normals[u64{i} * 3 + corner]));
  }
}

}  // namespace

Pose pose_of(const std::vector<PlacedMesh>& meshes) {
  const bool normals = std::any_of(meshes.begin(), meshes.end(), [](const PlacedMesh& placed) {
    return !placed.mesh.corner_normals.empty();
  });
  Pose pose;
  std::vector<dvec3> places;
  Reach reach;
  for (const PlacedMesh& placed : meshes) {
    const Mover mover(placed.placement, placed.origin);
    for (const vec3& position : placed.mesh.positions) {
      places.push_back(mover.place(position));
      reach.include(places.back());
    }
    if (!places.empty() && !reach.within(kLargestCoordinate))
      throw InputError(placed.name + ": its placement moves or scales it to beyond 2^40 (1.1e12)");
    if (normals) append_normals(pose.corner_normals, placed.mesh, mover);
  }
  // The values are relative to the origin, which is known only now.
  pose.origin = origin_for(reach.low, reach.high);
  pose.positions.resize(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    pose.positions[i] = vec3(places[i] - pose.origin) + 0.0f;
  return pose;
}

void set_pose(SceneData& scene, Pose pose) {
  scene.mesh.positions = std::move(pose.positions);
  scene.mesh.corner_normals = std::move(pose.corner_normals);
  scene.origin = pose.origin;
}

Affine affine_of(const Placement& placement) {
  const SinCos turn = sincos_degrees(placement.rotate_y);
  const double scale = placement.scale;
  return {dvec3(turn.cos, 0.0, -turn.sin) * scale, dvec3(0.0, 1.0, 0.0) * scale,
          dvec3(turn.sin, 0.0, turn.cos) * scale, dvec3(placement.translate)};
}

bool is_nowhere_else(const Placement& p) {
  return p.scale == 1.0 && p.rotate_y == 0.0 && p.translate.x == 0.0 && p.translate.y == 0.0 &&
         p.translate.z == 0.0;
}

}  // namespace ballotcast::detail
