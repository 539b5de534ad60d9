// Scenes of instances: SceneData::mesh holds several meshes one behind the other, each in its own
// coordinates, and SceneData::instances says where they are.
//
//   mesh.triangles   | car ...........| house .........................|
//   parts              0                1
//   instances        car here, house here, car there
//   ids              | 0 .. n         | n .. n + m   | n + m .. 2 n + m  |
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scene/affine.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// One of the meshes at a place in the world.
struct PlacedPart {
  u32 mesh;
  Affine to_world;
  u32 material = kOwnMaterials;
  std::optional<Material> own_material = {};  // in place of `material`
  std::string name = {};                      // for messages; "": its number is named
};

/// The ids of triangles end below this number: kNoTriangle is none of them.
inline constexpr u64 kMostIds = kNoTriangle;

/// The most instances of a scene: leaves count them as they count triangles.
inline constexpr u64 kMostInstances = kMostTriangles;

/// A scene of instances. Materials, textures and warnings are those of all meshes, in their order;
/// sun, sky and cameras of the meshes are left out. `origin`: the scene's; if absent, it is chosen.
/// Throws InputError, which names the instance, for a mesh or material that does not exist, for a
/// transform without inverse or with one that distorts too much, and if there are too many
/// triangles.
SceneData scene_of_instances(std::vector<SceneData> meshes,
                             const std::vector<PlacedPart>& instances,
                             std::optional<dvec3> origin = {});

/// Where the instances of a scene are.
struct PlacedTransforms {
  dvec3 origin;  // the scene's
  std::vector<Transform> transforms;
};

/// The transforms of `instances`, which have their places among the scene's parts. `origin`: see
/// above.
PlacedTransforms transforms_of(const SceneData& scene, const std::vector<PlacedPart>& instances,
                               std::optional<dvec3> origin = {});

/// Throws InputError, which names the instance, unless rays can enter all instances.
void require_usable_instances(const SceneData& scene);

/// The box of each part, in its own coordinates.
std::vector<Aabb> boxes_of_parts(const SceneData& scene);

/// The box of each instance in the scene, given those of the parts; empty for empty parts.
std::vector<Aabb> boxes_of_instances(const SceneData& scene, const std::vector<Aabb>& parts);

/// The box around all of these.
Aabb box_of_instances(const SceneData& scene, const std::vector<Aabb>& parts);

/// Replaces the transforms, one per instance. Throws InputError, which names the instance, for one
/// that scene_of_instances would refuse; then nothing has changed.
void set_transforms(SceneData& scene, const std::vector<Transform>& transforms);

/// What the upper tree needs to know of all instances together: see geometry/transform.hpp.
struct InstanceBounds {
  float magnitude = 0.0f;  // the largest |M| m + |T|
  float slack = 0.0f;      // 2 k of the instance that distorts most
  // Rays whose largest direction component is smaller hit nothing, because it could become smaller
  // than kSmallestSlope: this times the largest |M|, if that is above 1.
  float least_slope = 0.0f;
};
InstanceBounds bounds_of_instances(const SceneData& scene, const std::vector<Aabb>& parts);

/// The part of a scene as a mesh of its own: positions and triangles only.
Mesh mesh_of_part(const SceneData& scene, u32 part);

}  // namespace ballotcast::detail
