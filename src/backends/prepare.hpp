// What a device needs of a scene: the tree, and tables for shading.
#pragma once

#include <memory>

#include "backends/lights.hpp"
#include "backends/scene_arrays.hpp"
#include "backends/two_levels.hpp"
#include "bvh/builders/builder.hpp"
#include "bvh/checks.hpp"
#include "bvh/layouts/layout.hpp"
#include "kernels/shadings/shading_info.hpp"
#include "scene/scene.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// A scene with its tree and everything derived from both. Backends copy from it.
struct PreparedScene {
  std::shared_ptr<const SceneData> scene;
  Builder builder;  // the one that built the tree
  Copies copies;
  EncodedBvh encoded;           // the tree; it leaves out the triangles in `copies`
  TwoLevels levels;             // of a scene with instances
  TreeStatistics statistics;    // of the tree as it was built
  bool only_casts = false;      // devices get only what casting needs: see for_each_array
  bool tree_is_packed = false;  // true if it was packed with the scene, and not built
  Aabb bounds;
  LightTables lights;
  SceneArrays arrays;                    // in host memory: pointers to everything above
  const SceneView& view = arrays.scene;  // the part that shadings use

  PreparedScene() = default;
  PreparedScene(const PreparedScene&) = delete;
  PreparedScene& operator=(const PreparedScene&) = delete;
};

/// The shading that a scene file asks for, or the default if it asks for none. If no shading has
/// this name, throws InputError, which names the file.
const ShadingInfo& shading_wished_by(const SceneData& scene);

/// Throws InputError unless every material, texture and shading that is named exists, and the mesh
/// is usable.
void require_drawable(const SceneData& scene);

/// A hash of all trees, as 16 hexadecimal digits. It is the same wherever they are the same.
std::string hash_of_trees(const PreparedScene& scene);

/// Sets out.arrays and out.view, after everything else.
void set_arrays(PreparedScene& out);

/// Builds the trees of out.scene, which has instances, with out.builder. Sets what depends on them.
void build_levels(PreparedScene& out, const LayoutInfo* layout, const BuildMesh& build);

/// Builds on the host.
BinaryTree build_on_host(const Builder& builder, const Mesh& mesh, const Copies& copies,
                         const Progress& progress);

/// Where and how trees are built.
struct BuildTree {
  BuildPlace place = BuildPlace::host;
  // Builds the tree of a mesh without its copies.
  std::function<BinaryTree(const Builder& builder, const Mesh& mesh, const Copies& copies,
                           const Progress& progress)>
      build = build_on_host;
};

/// Builds the tree of `scene` with `builder` (a name or an effort), encodes it in `layout`, and
/// computes the rest; or takes all that from the packed file of the scene, if it has such a tree
/// (see pack/). Throws UsageError for unknown names and InputError for an unusable scene.
std::shared_ptr<const PreparedScene> prepare(std::shared_ptr<const SceneData> scene,
                                             std::string_view builder = kDefaultBuilder,
                                             std::string_view layout = "auto",
                                             const Progress& progress = {},
                                             const BuildTree& build = {});

/// As `prepare`. But if a tree is packed with the scene, that tree is what is meant by the default
/// builder and layout, and by an effort ("fast", "best") that chooses its builder: see tree_names.
std::shared_ptr<const PreparedScene> prepare_as_packed(std::shared_ptr<const SceneData> scene,
                                                       std::string_view builder,
                                                       std::string_view layout,
                                                       const Progress& progress,
                                                       const BuildTree& build = {});

}  // namespace ballotcast::detail
