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
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// The mask of an instance that every ray hits.
inline constexpr u32 kEveryBit = 0xffffffffu;

/// A mesh of the scene, with the transform and the properties of an instance.
struct PlacedPart {
  u32 mesh;
  Affine to_world;
  u32 material = kOwnMaterials;
  std::optional<Material> own_material = {};  // replaces `material`
  std::string name = {};  // for messages; if "", the number of the instance is used
  u32 world = 0;
  std::string part = {};  // name for its parts; see name_instances
  u32 mask = kEveryBit;
};

/// All ids of triangles are below this number, so that kNoTriangle is not an id.
inline constexpr u64 kMostIds = kNoTriangle;

/// The largest number of instances of a scene, because leaves store the index of an instance in 28
/// bits.
inline constexpr u64 kMostInstances = (u64{1} << 28) - 1;

/// The largest number of worlds, because keys store the world in 16 bits above those of points
/// (bvh/ploc/keys.hpp).
inline constexpr u32 kMostWorlds = 1u << 16;

/// Makes a scene of instances. Materials, textures and warnings are those of all meshes, in their
/// order; sun, sky and cameras of the meshes are ignored. `origin` is the origin of the scene; if
/// absent, it is chosen. Throws InputError, which names the instance, for a mesh or material that
/// does not exist, for a transform that has no inverse or distorts too much, and if there are too
/// many triangles or worlds. Instances may be hidden: see kHidden.
BALLOTCAST_API SceneData scene_of_instances(std::vector<SceneData> meshes,
                                            const std::vector<PlacedPart>& instances,
                                            std::optional<dvec3> origin = {});

/// The last step of scene_of_instances: sets the instances and the origin of a scene that already
/// has its parts and all materials that instances use. Throws the same errors.
void place_parts(SceneData& scene, const std::vector<PlacedPart>& instances,
                 std::optional<dvec3> origin = {});

/// The transforms of the instances of a scene.
struct PlacedTransforms {
  dvec3 origin;  // the origin of the scene
  std::vector<Transform> transforms;
};

/// Computes the transforms of `instances` of the scene's parts. `origin` is as in
/// scene_of_instances.
BALLOTCAST_API PlacedTransforms transforms_of(const SceneData& scene,
                                              const std::vector<PlacedPart>& instances,
                                              std::optional<dvec3> origin = {});

/// Throws UsageError unless `transforms` is the number of the scene's instances.
BALLOTCAST_API void require_count(const SceneData& scene, std::size_t transforms);

/// Throws InputError, which names the instance, unless rays can be cast into all instances.
void require_usable_instances(const SceneData& scene);

/// The box of each part, in the coordinates of the part.
std::vector<Aabb> boxes_of_parts(const SceneData& scene);

/// The box of an instance in the scene, given the boxes of the parts; empty for empty parts and
/// hidden instances.
Aabb box_of(const SceneInstance& instance, const std::vector<Aabb>& parts);

/// The box of each instance in the scene.
std::vector<Aabb> boxes_of_instances(const SceneData& scene, const std::vector<Aabb>& parts);

/// The box around all instances.
Aabb box_of_instances(const SceneData& scene, const std::vector<Aabb>& parts);

/// Replaces the transforms, one per instance; `parts` is the result of boxes_of_parts. Throws
/// InputError, which names the instance, for a transform that scene_of_instances would reject; then
/// nothing has changed.
void set_transforms(SceneData& scene, const std::vector<Transform>& transforms,
                    const std::vector<Aabb>& parts);

/// The bounds of each world. Instances into which rays can't be cast do not count.
std::vector<InstanceBounds> bounds_of_worlds(const SceneData& scene,
                                             const std::vector<Aabb>& parts);

/// The entries of the trees over the instances of each world. Each instance whose mesh is not empty
/// has an entry, even if it is hidden. So entries do not change when instances move.
///
///   entries      0  1  2 | 3  4 | 5 ..
///   worlds       world 0 | 1    | 2 ..         firsts  0 3 5 ..
///   instances    in each world in the order of the scene
struct WorldEntries {
  std::vector<u32> instances;  // the instance of each entry
  std::vector<u32> firsts;  // the first entry of each world, and the number of entries at the end

  u32 world_count() const { return static_cast<u32>(firsts.size()) - 1u; }
};
WorldEntries entries_of_worlds(const SceneData& scene);

/// Returns the scene without the instances of other worlds. Ids begin at 0 again.
SceneData scene_of_world(const SceneData& scene, u32 world);

/// Returns a part of a scene as a separate mesh with only positions and triangles.
Mesh mesh_of_part(const SceneData& scene, u32 part);

}  // namespace ballotcast::detail
