// Scenes of instances: SceneData::mesh holds several meshes one after another, each in its own
// coordinates. SceneData::instances says where they are in the scene.
//
//   mesh.triangles   | car ...........| house .........................|
//   parts              0                1
//   instances        car here, house here, car there
//   ids              | 0 .. n         | n .. n + m   | n + m .. 2 n + m  |
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "geometry/transform_limits.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// One of the meshes at a place in the world.
struct PlacedPart {
  u32 mesh;
  Affine to_world;
  u32 material = kOwnMaterials;
  std::optional<Material> own_material = {};  // in place of `material`
  std::string name = {};                      // for messages; "": its number is named
  u32 world = 0;
  std::string part = {};  // see name_instances
};

/// All ids of triangles are below this number, so that kNoTriangle is not an id.
inline constexpr u64 kMostIds = kNoTriangle;

/// The most instances of a scene: leaves store the place of an instance in 28 bits.
inline constexpr u64 kMostInstances = (u64{1} << 28) - 1;

/// The most worlds: keys store the world in 16 bits above those of points (bvh/ploc/keys.hpp).
inline constexpr u32 kMostWorlds = 1u << 16;

/// A scene of instances. Materials, textures and warnings are those of all meshes, in their order;
/// sun, sky and cameras of the meshes are left out. `origin`: the scene's; if absent, it is chosen.
/// Throws InputError, which names the instance, for a mesh or material that does not exist, for a
/// transform without inverse or with one that distorts too much, and if there are too many
/// triangles or worlds. Instances may be hidden: see kHidden.
BALLOTCAST_API SceneData scene_of_instances(std::vector<SceneData> meshes,
                                            const std::vector<PlacedPart>& instances,
                                            std::optional<dvec3> origin = {});

/// The last step of scene_of_instances: fills in the instances and the origin of a scene that
/// already has its parts, and the materials that instances name. Throws the same errors.
void place_parts(SceneData& scene, const std::vector<PlacedPart>& instances,
                 std::optional<dvec3> origin = {});

/// Where the instances of a scene are.
struct PlacedTransforms {
  dvec3 origin;  // the scene's
  std::vector<Transform> transforms;
};

/// The transforms of `instances` of the scene's parts. `origin`: as in scene_of_instances.
BALLOTCAST_API PlacedTransforms transforms_of(const SceneData& scene,
                                              const std::vector<PlacedPart>& instances,
                                              std::optional<dvec3> origin = {});

/// Throws UsageError unless the scene has as many instances as there are transforms.
BALLOTCAST_API void require_count(const SceneData& scene, std::size_t transforms);

/// Throws InputError, which names the instance, unless rays can enter all instances.
void require_usable_instances(const SceneData& scene);

/// The box of each part, in its own coordinates.
std::vector<Aabb> boxes_of_parts(const SceneData& scene);

/// The box of an instance, given that of its part; empty for empty parts and hidden instances.
Aabb box_of(const SceneInstance& instance, const std::vector<Aabb>& parts);

/// The box of each instance in the scene.
std::vector<Aabb> boxes_of_instances(const SceneData& scene, const std::vector<Aabb>& parts);

/// The box around all instances.
Aabb box_of_instances(const SceneData& scene, const std::vector<Aabb>& parts);

/// Replaces the transforms, one per instance; `parts` as boxes_of_parts. Throws InputError, which
/// names the instance, for one that scene_of_instances would refuse; then nothing has changed.
void set_transforms(SceneData& scene, const std::vector<Transform>& transforms,
                    const std::vector<Aabb>& parts);

/// The bounds of each world. Instances that rays can't enter do not count.
std::vector<InstanceBounds> bounds_of_worlds(const SceneData& scene,
                                             const std::vector<Aabb>& parts);

/// Which instance is in which entry of the tree of its world. Each instance whose mesh is not empty
/// has an entry, even if it is hidden. So entries stay when instances move.
///
///   entries      0  1  2 | 3  4 | 5 ..
///   worlds       world 0 | 1    | 2 ..         firsts  0 3 5 ..
///   instances    in each world in the order of the scene
struct WorldEntries {
  std::vector<u32> instances;  // in each entry
  std::vector<u32> firsts;     // the first entry of each world; one more at the end

  u32 world_count() const { return static_cast<u32>(firsts.size()) - 1u; }
};
WorldEntries entries_of_worlds(const SceneData& scene);

/// The scene without the instances of other worlds. Ids are numbered anew.
SceneData scene_of_world(const SceneData& scene, u32 world);

/// The part of a scene as a mesh of its own: positions and triangles only.
Mesh mesh_of_part(const SceneData& scene, u32 part);

}  // namespace ballotcast::detail
