// Prepares scenes for devices: builds their trees, and the tables for shading.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "backends/scene/prepared_scene.hpp"
#include "kernels/shadings/shading_info.hpp"

namespace ballotcast::detail {

/// Computes the tables of a scene's lights.
LightTables light_tables_of(const SceneData& scene);

/// Computes the entries of lamps in these tables again, after vertices have moved.
void recompute_lamps(const SceneData& scene, LightTables& tables);

/// Sets sun, sky and the number of lamps in `view`. Pointers to arrays are not changed.
void set_lights(const SceneData& scene, const LightTables& tables, SceneView& view);

/// Builds the tree of a mesh with a builder.
using BuildMesh = std::function<BinaryTree(const Builder& builder, const Mesh& mesh)>;

/// All trees of a scene with instances. `encoded` holds the lower trees, one after the other, and
/// the shape of the upper tree.
struct TwoLevelTree {
  EncodedBvh encoded;
  TwoLevels levels;
  // Statistics of all trees together. The depth is the largest depth of an upper tree plus the
  // largest depth of a tree below. The cost is that of the upper tree of world 0 alone.
  TreeStatistics statistics;
};

/// A function that is true for the instances in a part of a scene. Null: all instances.
using HasInstance = std::function<bool(u32 instance)>;

/// Builds all trees. `layout` is null for the layout that `auto` selects for all of them. Trees
/// contain all triangles, even those at the same place. An instance for which `has` is false is
/// treated as hidden, and a mesh without instances has no tree. The bounds of worlds include all
/// instances.
TwoLevelTree build_two_levels(const SceneData& scene, const Builder& builder,
                              const LayoutInfo* layout, const BuildMesh& build,
                              const HasInstance& has = {});

/// Builds the upper trees again, after instances have moved.
void rebuild_upper_trees(const SceneData& scene, const Builder& builder, const BuildMesh& build,
                         EncodedBvh& encoded, TwoLevels& levels);

/// The shading in the scene file, or the default. Throws InputError, which names the file, if there
/// is no shading of this name.
const ShadingInfo& shading_wished_by(const SceneData& scene);

/// Throws InputError unless every material, texture and shading that is referred to exists, and the
/// mesh can be used.
void require_drawable(const SceneData& scene);

/// A hash of all trees, as 16 hexadecimal digits. Equal trees have equal hashes on every machine.
std::string hash_of_trees(const PreparedScene& scene);

/// Sets out.arrays and out.view. Call this function last.
void set_arrays(PreparedScene& out);

/// Builds the trees of out.scene, which has instances, with out.builder. Sets everything that
/// depends on the trees.
void build_levels(PreparedScene& out, const LayoutInfo* layout, const BuildMesh& build);

/// Builds a tree on the host.
BinaryTree build_on_host(const Builder& builder, const Mesh& mesh, const Copies& copies,
                         const Progress& progress);

/// A function that builds trees, and the place where it builds them.
struct BuildTree {
  BuildOn on = BuildOn::host;
  /// Builds the tree of a mesh without its copies. If the mesh is too large for a builder, it is
  /// built from submeshes (bvh/builders/submeshes.hpp).
  BinaryTree of_any_size(const Builder& builder, const Mesh& mesh, const Copies& copies,
                         const Progress& progress) const;
  // Builds a tree at once, without submeshes.
  std::function<BinaryTree(const Builder& builder, const Mesh& mesh, const Copies& copies,
                           const Progress& progress)>
      build = build_on_host;
};

/// Builds the tree of `scene` with `builder` (a name or an effort), encodes it in `layout`, and
/// computes the other data. If the packed file of the scene has such a tree, all data is taken from
/// there (see pack/). Throws UsageError for unknown names and InputError for a scene that can't be
/// used.
std::shared_ptr<const PreparedScene> prepare(std::shared_ptr<const SceneData> scene,
                                             std::string_view builder = kDefaultBuilder,
                                             std::string_view layout = "auto",
                                             const Progress& progress = {},
                                             const BuildTree& build = {});

/// As `prepare`. But if a tree is packed with the scene, the default builder and layout stand for
/// that tree, and so does an effort ("fast", "best") that chooses its builder: see tree_names.
std::shared_ptr<const PreparedScene> prepare_as_packed(std::shared_ptr<const SceneData> scene,
                                                       std::string_view builder,
                                                       std::string_view layout,
                                                       const Progress& progress,
                                                       const BuildTree& build = {});

}  // namespace ballotcast::detail
