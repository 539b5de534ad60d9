// Poses in strided arrays of other programs: they move the instances of a scene, and sensors whose
// rays are cast. Each struct with a function item(i, ...) is a step of a kernel, which handles
// element i.
#pragma once

#include "kernels/queries/ray_arrays.hpp"
#include "scene/instances/mesh_placement.hpp"

namespace ballotcast::detail {

/// Maps to world coordinates: matrices of 3x3 numbers, and positions.
struct PoseArrays {
  ArrayShape shape;
  StridedNumbers rows[3];  // of the matrices
  StridedNumbers at;

  BC_HD Affine pose(u32 i) const {
    const dvec3 x = shape.vector(rows[0], i), y = shape.vector(rows[1], i),
                z = shape.vector(rows[2], i);
    return {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}, shape.vector(at, i)};
  }
};

/// Which poses move which instances of a scene, and the origins that transforms are relative to.
struct PosedInstances {
  // Each world has `count` instances in a row, and `poses` poses. `chosen`: the index of the pose
  // of each of these instances; null: instances and poses have the same numbers.
  const u32* chosen;
  u32 count, poses;
  const dvec3* mesh_origins;  // of each instance's mesh; null: all are 0
  dvec3 origin;               // Scene::origin()
};

/// Makes the transform of instance i.
struct PackTransform {
  BC_HD static void item(u32 i, const PoseArrays& poses, const PosedInstances& to,
                         Transform* transforms) {
    const u32 pose = to.chosen ? i / to.count * to.poses + to.chosen[i % to.count] : i;
    const dvec3 mesh = to.mesh_origins ? to.mesh_origins[i] : dvec3(0.0);
    transforms[i] = transform_of(poses.pose(pose), mesh, to.origin);
  }
};

/// The rays of a sensor in its own coordinates, which are the same in all worlds.
struct SensorRays {
  const dvec3* rays;  // origin and direction of each
  u32 count;
  float t_min;
  dvec3 origin;  // Scene::origin()
};

/// Makes ray i of all worlds: the rays of a world follow one another.
struct PlaceRay {
  BC_HD static void item(u32 i, const PoseArrays& sensors, const SensorRays& own, Ray* rays,
                         u32* worlds) {
    const u32 world = i / own.count;
    const dvec3* const ray = own.rays + u64{2} * (i % own.count);
    const Affine pose = sensors.pose(world);
    rays[i] = {vec3(pose.point(ray[0]) - own.origin), own.t_min, vec3(pose.direction(ray[1])),
               unbounded()};
    worlds[i] = world;
  }
};

/// Stores the ranges of a sensor: t, or `miss`; and a number of the instance that was hit, or -1.
/// Instance k has the number numbers[k % count].
struct StoreRange {
  BC_HD static void item(u32 i, const SceneView& scene, const i32* numbers, u32 count, float miss,
                         const Hit* hits, float* ranges, i32* found) {
    const Hit hit = hits[i];
    ranges[i] = hit.found() ? hit.t : miss;
    found[i] = hit.found() ? numbers[place_of(scene, hit.triangle).instance % count] : -1;
  }
};

}  // namespace ballotcast::detail
