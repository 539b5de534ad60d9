// What a device needs of a scene: its trees, tables for shading, and the list of all arrays.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "bvh/builders/builder.hpp"
#include "bvh/checks.hpp"
#include "bvh/layouts/layout.hpp"
#include "image/color.hpp"
#include "kernels/instances.hpp"
#include "kernels/shadings/shading_info.hpp"
#include "scene/instances.hpp"
#include "scene/scene.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// Arrays from which kernels choose lights.
struct LightTables {
  Array<u32> emitters;               // ids of emitting triangles, in ascending order
  Array<float> emitters_cumulative;  // see EmitterView
  Array<float> sky_rows;             // see SkyMapView; empty without a picture of the sky
  Array<float> sky_columns;
  Array<float> sky_heights;
};

/// Computes the tables of a scene's lights.
LightTables light_tables_of(const SceneData& scene);

/// Computes the lamps of these tables anew, after vertices have moved.
void find_lamps_again(const SceneData& scene, LightTables& tables);

/// Sets sun, sky and the number of lamps in `view`. Leaves the pointers to arrays as they are.
void set_lights(const SceneData& scene, const LightTables& tables, SceneView& view);

/// What a scene with instances has besides the lower trees; see kernels/instances.hpp. Empty for
/// other scenes.
struct TwoLevels {
  // The upper trees. The nodes of a world begin at its first entry, and there are at most as many
  // as entries; the rest is 0.
  EncodedNodes upper;
  std::vector<WalkInstance> instances;  // in each world in the order of the tree's leaves
  std::vector<Transform> to_scene;      // of each of these
  std::vector<MeshTree> meshes;         // one per part of the scene
  std::vector<WorldTree> worlds;        // one more than there are worlds; the last is empty
  WorldEntries entries;
  std::vector<Aabb> boxes;  // of the parts
};

/// Builds the tree of a mesh with a builder.
using BuildMesh = std::function<BinaryTree(const Builder& builder, const Mesh& mesh)>;

/// All trees of a scene with instances. `encoded` holds the lower ones, one behind the other, and
/// the shape of the upper one.
struct TwoLevelTree {
  EncodedBvh encoded;
  TwoLevels levels;
  // Of all trees together. The depth is that of the deepest upper tree plus that of the deepest
  // below it; the cost is that of the upper tree of world 0 alone.
  TreeStatistics statistics;
};

/// True for the instances that a part of a scene has. Null: it has all.
using HasInstance = std::function<bool(u32 instance)>;

/// Builds all trees. `layout`: null for the one that suits all of them. Triangles at the same place
/// are all in the trees. Instances for which `has` is false are as if they were hidden, and meshes
/// without instances have no tree; the bounds of worlds are those of all instances.
TwoLevelTree build_two_levels(const SceneData& scene, const Builder& builder,
                              const LayoutInfo* layout, const BuildMesh& build,
                              const HasInstance& has = {});

/// Builds the upper trees anew, after instances have moved.
void rebuild_upper_trees(const SceneData& scene, const Builder& builder, const BuildMesh& build,
                         EncodedBvh& encoded, TwoLevels& levels);

/// A scene with its tree on some machine: pointers to arrays that someone else owns.
struct SceneArrays {
  SceneView scene;
  const NodeBytes* nodes;              // of a scene with instances: those of the lower trees
  const TriangleRows* leaf_triangles;  // in leaf order
  TreeShape shape;  // of a scene with instances: only the depth, of the deepest upper tree
  const LayoutInfo* layout;
  // Of a scene with instances: see InstancedView.
  const NodeBytes* upper_nodes;
  const WalkInstance* walk_instances;
  const Transform* walk_to_scene;
  const MeshTree* mesh_trees;
  const WorldTree* worlds;
  u32 world_count;
  u32 triangle_count;  // of the scene's mesh
  // The texels are on that machine; the list itself is on the host.
  std::vector<TextureView> textures;
};

/// True if a texture cuts surfaces out.
inline bool cuts_out(const SceneData& scene, std::size_t texture) {
  return std::any_of(scene.materials.begin(), scene.materials.end(),
                     [&](const Material& material) { return material.opacity_texture == texture; });
}

/// Calls visit(name, host array, pointer in `arrays`) for every array of the PreparedScene `p` that
/// its device needs; the pointers to the others become null. `visit` may set the pointer to the
/// address of the array on its machine. `arrays.textures` must already have an entry per texture.
template <class Prepared, class Visit>
void for_each_array(const Prepared& p, SceneArrays& arrays, Visit visit) {
  const SceneData& s = *p.scene;
  SceneView& view = arrays.scene;
  const auto visit_if = [&](bool needed, const char* name, const auto& host, auto& pointer) {
    if (needed)
      visit(name, host, pointer);
    else
      pointer = nullptr;
  };
  const bool shades = !p.only_casts;
  const bool finds_holes = shades || arrays.scene.has_cutouts != 0u;
  visit_if(shades, "positions", s.mesh.positions, view.mesh.positions);
  visit_if(shades, "triangles", s.mesh.triangles, view.mesh.triangles);
  visit_if(shades, "corner normals", s.mesh.corner_normals, view.mesh.corner_normals);
  visit_if(finds_holes, "corner texcoords", s.mesh.corner_texcoords, view.mesh.corner_texcoords);
  visit_if(shades, "vertex colors", s.mesh.vertex_colors, view.mesh.vertex_colors);
  visit_if(finds_holes, "material ids", s.mesh.material_of, view.mesh.material_of);
  visit_if(finds_holes, "materials", s.materials, view.materials);
  for (std::size_t i = 0; i < s.textures.size(); ++i)
    visit_if(shades || (finds_holes && cuts_out(s, i)), "textures", s.textures[i].pixels,
             arrays.textures[i].texels);
  // The list comes after the texels, because it holds their addresses.
  visit_if(finds_holes, "textures", arrays.textures, view.textures);
  visit_if(shades, "emitters", p.lights.emitters, view.emitters.triangles);
  visit_if(shades, "emitters", p.lights.emitters_cumulative, view.emitters.cumulative);
  visit_if(shades, "sky", s.sky_map.pixels, view.sky.map.pixels);
  visit_if(shades, "sky", p.lights.sky_rows, view.sky.map.rows);
  visit_if(shades, "sky", p.lights.sky_columns, view.sky.map.columns);
  visit_if(shades, "sky", p.lights.sky_heights, view.sky.map.heights);
  visit("tree nodes", p.encoded.nodes, arrays.nodes);
  visit("tree triangles", p.encoded.triangles, arrays.leaf_triangles);
  visit("instances", s.instances, view.instances.list);
  visit("instances", p.levels.instances, arrays.walk_instances);
  visit("instances", p.levels.to_scene, arrays.walk_to_scene);
  visit("instances", p.levels.upper.nodes, arrays.upper_nodes);
  visit("instances", p.levels.meshes, arrays.mesh_trees);
  visit("instances", p.levels.worlds, arrays.worlds);
  visit("copies of triangles", p.copies.starts, view.copies.starts);
  visit("copies of triangles", p.copies.ids, view.copies.ids);
  visit("tables and counters", srgb_to_linear_table(), view.srgb_to_linear);
  visit("tables and counters", srgb_threshold_table(), view.srgb_thresholds);
}

/// What has moved in a scene.
enum class Moved { nothing, vertices, instances };

/// True if arrays of this name change with what has moved.
inline bool changes(std::string_view name, Moved moved) {
  if (moved == Moved::nothing) return false;
  if (name == "emitters") return true;
  if (moved == Moved::instances) return name == "instances";
  return name == "positions" || name == "corner normals" || name == "tree nodes" ||
         name == "tree triangles";
}

/// The arrays of a scene without instances, in the form that kernels use. The layout of `TraceView`
/// must be *arrays.layout.
template <class TraceView>
TraceView trace_view(const SceneArrays& arrays) {
  using Node = typename TraceView::LayoutType::Node;
  return {reinterpret_cast<const Node*>(arrays.nodes), arrays.shape, arrays.leaf_triangles,
          arrays.scene};
}

/// Calls visit(view) with the view of `arrays`, for rays into `worlds`: an InstancedView or a
/// TraceView.
template <class Layout, class Visit>
void with_view_in(const SceneArrays& arrays, const RayWorlds& worlds, Visit&& visit) {
  const auto view = trace_view<TraceView<Layout>>(arrays);
  if (arrays.scene.instances.count == 0u) return visit(view);
  InstancedView<Layout> instanced{view,
                                  view.nodes,
                                  arrays.walk_instances,
                                  arrays.walk_to_scene,
                                  arrays.mesh_trees,
                                  arrays.worlds,
                                  arrays.world_count,
                                  worlds};
  instanced.nodes = reinterpret_cast<const typename Layout::Node*>(arrays.upper_nodes);
  visit(instanced);
}

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
