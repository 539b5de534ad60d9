// Values that follow from a hit: its point, its distance, its instance and mesh.
//
// They are computed in double precision, because a point that is computed from the corners is more
// precise than one that is computed from t.
#pragma once

#include <limits>

#include "geometry/point_triangle.hpp"
#include "geometry/precise_ray.hpp"
#include "geometry/shape_distance.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// The corners of the triangle `id`, relative to Scene::origin(); of a shape, those of a triangle
/// that touches it where a hit has the coordinates u and v.
BC_HD inline DoubleCorners corners_of(const SceneView& scene, u32 id, float u, float v) {
  const Corners corners = corners_of(scene, place_of(scene, id), u, v);
  return {dvec3(corners.a), dvec3(corners.b), dvec3(corners.c)};
}

/// The point with weights u and v on the triangle `id`, in world coordinates; NaN if `id` is
/// kNoTriangle. `origin`: Scene::origin().
BC_HD inline dvec3 place_on(const SceneView& scene, const dvec3& origin, u32 id, float u, float v) {
  if (id == kNoTriangle) return dvec3(std::numeric_limits<double>::quiet_NaN());
  return origin + corners_of(scene, id, u, v).at(double{u}, double{v});
}

/// The unit normal of the surface at a hit: of a triangle, by the order of its corners; of a shape,
/// outwards. 0 for a miss.
BC_HD inline vec3 normal_on(const SceneView& scene, const Hit& hit) {
  if (!hit.found()) return vec3(0.0f);
  const dvec3 normal = corners_of(scene, hit.triangle, hit.u, hit.v).normal();
  const double length = sqrt(dot(normal, normal));
  return vec3(length > 0.0 ? normal / length : normal);
}

/// The point on a triangle or a shape that is closest to a given point, and the squared distance.
struct ClosestPlace {
  double squared;
  dvec3 place;  // relative to Scene::origin()
};
BC_HD inline ClosestPlace closest_on(const SceneView& scene, const dvec3& point, u32 id) {
  const TrianglePlace place = place_of(scene, id);
  if (const Shape* const shape = shape_at(scene, place)) {
    const ClosestOnShape at =
        closest_on_shape(*shape, scene.instances.list[place.instance].to_scene, point);
    return {at.squared, at.place};
  }
  const Corners corners = corners_of(scene, place, 0.0f, 0.0f);
  const PointOnTriangle at = closest_on_triangle(point, corners.a, corners.b, corners.c);
  const DoubleCorners precise{dvec3(corners.a), dvec3(corners.b), dvec3(corners.c)};
  return {at.squared, precise.at(at.u, at.v)};
}

/// The distance of a point, relative to Scene::origin(), from the triangle or shape `id`; infinite
/// if `id` is kNoTriangle.
BC_HD inline double distance_from(const SceneView& scene, const dvec3& point, u32 id) {
  if (id == kNoTriangle) return std::numeric_limits<double>::infinity();
  return sqrt(closest_on(scene, point, id).squared);
}

/// The point on the triangle or shape `id` that is closest to `point`, in world coordinates; NaN if
/// `id` is kNoTriangle. `point` is relative to `origin`, which is Scene::origin().
BC_HD inline dvec3 closest_place_on(const SceneView& scene, const dvec3& origin, const dvec3& point,
                                    u32 id) {
  if (id == kNoTriangle) return dvec3(std::numeric_limits<double>::quiet_NaN());
  return origin + closest_on(scene, point, id).place;
}

/// The instance, the mesh, and the index of the triangle in the mesh. All are -1 for kNoTriangle.
struct Location64 {
  i64 instance, mesh, triangle;
};

/// For a scene without instances that is made of several meshes: the first id of each mesh after
/// the first.
struct MeshStarts {
  const u32* first;
  u32 count;
};

BC_HD inline Location64 location_of(const SceneView& scene, const MeshStarts& starts, u32 id) {
  if (id == kNoTriangle) return {-1, -1, -1};
  if (scene.instances.count > 0u) {
    const u32 index = place_of(scene, id).instance;
    const SceneInstance& instance = scene.instances.list[index];
    return {i64{index}, i64{instance.mesh}, i64{id - instance.first_id}};
  }
  // Binary search for the number of meshes after the first that begin at or before the id.
  u32 mesh = 0u, behind = starts.count;
  while (mesh < behind) {
    const u32 middle = mesh + (behind - mesh) / 2u;
    if (starts.first[middle] <= id)
      mesh = middle + 1u;
    else
      behind = middle;
  }
  return {0, i64{mesh}, i64{id - (mesh > 0u ? starts.first[mesh - 1u] : 0u)}};
}

}  // namespace ballotcast::detail
