// All data of a scene that a device needs: its trees, the tables for shading, and the list of all
// arrays.
#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "bvh/builders/builder.hpp"
#include "bvh/layouts/layout.hpp"
#include "bvh/tree_statistics.hpp"
#include "image/color.hpp"
#include "kernels/queries/query.hpp"
#include "kernels/walk_instances.hpp"
#include "scene/instances/instances.hpp"
#include "scene/scene_data.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// Arrays with which kernels sample lights.
struct LightTables {
  Array<u32> emitters;               // ids of emitting triangles, in ascending order
  Array<float> emitters_cumulative;  // [i]: fraction of the power in emitters[0..i]
  Array<float> sky_rows;             // SkyMapView::rows; empty without a picture of the sky
  Array<float> sky_columns;          // SkyMapView::columns
  Array<float> sky_heights;          // SkyMapView::heights
};

/// The arrays of a scene with instances, in addition to the lower trees; see
/// kernels/walk_instances.hpp. Empty for other scenes.
struct TwoLevels {
  // The upper trees. The nodes of a world begin at its first entry. There are at most as many nodes
  // as entries; unused nodes are 0.
  EncodedNodes upper;
  std::vector<WalkInstance> instances;  // for each world, in the order of the tree's leaves
  std::vector<Transform> to_scene;      // one per WalkInstance
  std::vector<MeshTree> meshes;         // one per part of the scene
  std::vector<WorldTree> worlds;        // one more than there are worlds; the last is empty
  WorldEntries entries;
  std::vector<Aabb> boxes;  // boxes of the parts
};

/// The arrays of a scene with its tree in the memory of some machine: pointers to memory with
/// another owner.
struct SceneArrays {
  SceneView scene;
  const NodeBytes* nodes;              // in a scene with instances: nodes of the lower trees
  const TriangleRows* leaf_triangles;  // in leaf order
  // In a scene with instances: only the depth is used, which is that of the deepest upper tree
  TreeShape shape;
  const LayoutInfo* layout;
  LeafForm leaves;  // form of the leaves of the tree; in a scene with instances, of all trees
  // For a scene with instances: see InstancedView.
  const NodeBytes* upper_nodes;
  const WalkInstance* walk_instances;
  const Transform* walk_to_scene;
  const MeshTree* mesh_trees;
  const WorldTree* worlds;
  u32 world_count;
  u32 triangle_count;  // number of triangles of the scene's mesh
  // The texels are in the memory of that machine, but this list is in host memory.
  std::vector<TextureView> textures;
};

/// The addresses of a scene's arrays in the memory of one machine; see fill_device_view in
/// render/renderer_state.hpp.
struct SceneForPrograms {
  const SceneArrays& arrays;
  const u32* masks;         // masks of instances; null: all bits are set
  const WalkFrame* moving;  // data of vertices that move on the device; else null
};

/// True if a texture cuts holes into surfaces.
inline bool cuts_out(const SceneData& scene, std::size_t texture) {
  return std::any_of(scene.materials.begin(), scene.materials.end(),
                     [&](const Material& material) { return material.opacity_texture == texture; });
}

/// Calls visit(name, host array, pointer in `arrays`) for every array of the PreparedScene `p` that
/// a device needs. The pointers to other arrays become null. `visit` may set the pointer to the
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
  visit_if(shades || !s.mesh.vertex_opacity.empty(), "triangles", s.mesh.triangles,
           view.mesh.triangles);
  visit_if(shades, "corner normals", s.mesh.corner_normals, view.mesh.corner_normals);
  visit_if(finds_holes, "corner texcoords", s.mesh.corner_texcoords, view.mesh.corner_texcoords);
  visit_if(shades, "vertex colors", s.mesh.vertex_colors, view.mesh.vertex_colors);
  visit_if(finds_holes, "vertex opacity", s.mesh.vertex_opacity, view.mesh.vertex_opacity);
  visit_if(finds_holes, "material ids", s.mesh.material_of, view.mesh.material_of);
  visit_if(finds_holes, "materials", s.materials, view.materials);
  for (std::size_t i = 0; i < s.textures.size(); ++i)
    visit_if(shades || (finds_holes && cuts_out(s, i)), "textures", s.textures[i].pixels,
             arrays.textures[i].texels);
  // The list comes after the texels, because it contains their addresses.
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
  visit("instances", s.shapes, view.shapes);
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

/// True if the array with this name changes when this part of a scene has moved.
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
TraceView trace_view(const SceneArrays& arrays, const HitFilter& filter = {}) {
  using Node = typename TraceView::LayoutType::Node;
  return {reinterpret_cast<const Node*>(arrays.nodes),
          arrays.shape,
          arrays.leaf_triangles,
          arrays.scene,
          filter,
          filter.refuses() || arrays.scene.has_cutouts ? 1u : 0u,
          arrays.leaves};
}

/// The filter and the worlds of a query's rays or points.
struct OfItems {
  RayWorlds worlds = {};
  HitFilter filter = {};
};
inline OfItems of_items(const Query& query) { return {query.worlds, query.filter}; }

/// The arrays of a scene in the form that kernels use for a scene with instances. `items`: the
/// worlds and the filter of the rays or points.
template <class Layout, bool kShapes>
InstancedView<Layout, kShapes> instanced_view(const SceneArrays& arrays, const OfItems& items) {
  const auto view = trace_view<TraceView<Layout>>(arrays, items.filter);
  InstancedView<Layout, kShapes> instanced{view,
                                           view.nodes,
                                           arrays.walk_instances,
                                           arrays.walk_to_scene,
                                           arrays.mesh_trees,
                                           arrays.worlds,
                                           arrays.world_count,
                                           items.worlds};
  if (arrays.scene.instances.count != 0u)
    instanced.nodes = reinterpret_cast<const typename Layout::Node*>(arrays.upper_nodes);
  return instanced;
}

/// Which kernels are compiled for scenes with instances.
enum class Kernels {
  fast,  // two: scenes without shapes have a faster one, without code for shapes
  few    // one, with code for shapes: it takes less time to compile, and gives the same results
};

/// Calls visit(view) with the view of `arrays` for these rays or points: an InstancedView or a
/// TraceView. Use Kernels::few where the speed of kernels does not matter.
template <class Layout, Kernels kKernels = Kernels::fast, class Visit>
void with_view_in(const SceneArrays& arrays, const OfItems& items, Visit&& visit) {
  if (arrays.scene.instances.count == 0u)
    return visit(trace_view<TraceView<Layout>>(arrays, items.filter));
  if constexpr (kKernels == Kernels::fast)
    if (!arrays.scene.shapes) return visit(instanced_view<Layout, false>(arrays, items));
  visit(instanced_view<Layout, true>(arrays, items));
}

/// A scene with its tree and all data that is derived from both. Backends copy from it.
struct PreparedScene {
  std::shared_ptr<const SceneData> scene;
  Builder builder;  // the builder of the tree
  Copies copies;
  EncodedBvh encoded;         // the tree; it does not contain the triangles in `copies`
  TwoLevels levels;           // empty if the scene has no instances
  TreeStatistics statistics;  // statistics of the new tree
  bool only_casts = false;    // true if devices get only the arrays for casting: see for_each_array
  bool tree_is_packed = false;  // true if the tree was packed with the scene, and not built
  Aabb bounds;
  LightTables lights;
  SceneArrays arrays;                    // pointers to the arrays above, in host memory
  const SceneView& view = arrays.scene;  // the part for shadings

  PreparedScene() = default;
  PreparedScene(const PreparedScene&) = delete;
  PreparedScene& operator=(const PreparedScene&) = delete;
};

}  // namespace ballotcast::detail
