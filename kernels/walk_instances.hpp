// Scenes with instances. There is one tree per world over its instances, and one tree per mesh over
// its triangles.
//
//   tree over instances        box            boxes in the space of the scene; one tree per world
//                             /   \           .
//   leaf: WalkInstances    [0 1]  [2]         each with the way into its mesh
//                           | |    |
//   trees over triangles    A B    A          boxes in the space of the mesh; A exists once
//
// A ray walks through the upper tree as through any other tree. At a leaf, where it would test
// triangles, it goes through the leaf's instances: it enters the space of each instance's mesh
// (geometry/transform.hpp) and walks through the lower tree. So all pipelines work with instances.
#pragma once

#include "geometry/shape.hpp"
#include "geometry/transform_limits.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// What a ray needs to enter an instance. Stored in the order of the upper tree's leaves.
struct alignas(16) WalkInstance {
  Transform to_mesh;
  u32 mesh;      // index of the MeshTree
  u32 first_id;  // the id of the instance's first triangle
  u32 instance;  // index of the instance in the scene
  u32 unused = 0;
};
static_assert(sizeof(WalkInstance) == 64);

/// The WalkInstance of an instance, whose index in the scene is `index`. A hidden instance has a
/// transform of zeros: the ray's direction becomes 0, and it hits nothing.
BC_HD inline WalkInstance walk_instance(const SceneInstance& instance, u32 index) {
  const bool hidden = hides(instance.to_scene);
  return {hidden ? instance.to_scene : inverse_of(instance.to_scene), instance.mesh,
          instance.first_id, index};
}

/// The tree of a mesh. Its node and triangle references are relative to first_node and first_row.
struct MeshTree {
  u32 first_node;      // index of its first node in the array of all lower trees' nodes
  u32 first_row;       // index of its first TriangleRows in the array of all meshes, in leaf order
  u32 first_triangle;  // index of its first triangle in the scene's mesh, which joins all meshes
  u32 triangles;       // number of its triangles in the scene's mesh
  WalkFrame frame;
};

/// The tree over the instances of a world. Its node and instance references are absolute: they
/// count from the first node and the first instance of all worlds.
struct alignas(16) WorldTree {
  WalkFrame frame;
  float slack;        // factor on box_slack for rays of this world: see geometry/transform.hpp
  float least_slope;  // rays whose largest direction component is smaller than this hit nothing
  u32 unused = 0;
};
static_assert(sizeof(WorldTree) == 48);

/// The tree of a world in which nothing can be hit.
BC_HD inline WorldTree empty_world() {
  const float never = float_of(0x7f800000u);
  return {{{vec3(1.0f), vec3(0.0f), kNowhere, 0u}, 1.0f}, 1.0f, never};
}

/// A scene with instances. `nodes` are those of the upper trees, `shape` has the depth of the
/// deepest upper tree, and `triangles` are those of the lower trees.
///
/// `kShapes`: some meshes may be shapes. This is a type of its own because tests of shapes take
/// registers in every kernel that has them.
template <class Layout, bool kShapes = false>
struct InstancedView : TraceView<Layout> {
  static constexpr bool kForGroups = false;
  static constexpr bool kHasInstances = true;
  const typename Layout::Node* lower_nodes;
  const WalkInstance* instances;
  const Transform* to_scene;  // for each element of `instances`; for points and for shapes
  const MeshTree* meshes;
  const WorldTree* worlds;  // one more than there are worlds; the last is empty
  u32 world_count;
  u32 lower_depth;    // depth of the deepest lower tree
  RayWorlds of_rays;  // the world of each ray of the batch

  /// The tree for ray i. Rays into worlds that do not exist hit nothing.
  BC_HD const WorldTree& world_of(u32 i) const {
    const u32 world = of_rays.of(i);
    return worlds[world < world_count ? world : world_count];
  }
  BC_HD WalkFrame frame(u32 i) const { return world_of(i).frame; }
  BC_HD void adapt(u32 i, const Ray& ray, RaySetup& setup) const {
    const WorldTree& world = world_of(i);
    setup.slack *= world.slack;
    setup.valid &= largest_magnitude(ray.direction) >= world.least_slope;
  }
};

/// A ray that has entered an instance.
struct RayInMesh {
  Ray ray;
  RaySetup setup;
  const MeshTree& mesh;
  const TriangleRows* rows;  // the triangles of the mesh, in leaf order
  u32 first_id, instance;

  /// The triangles of a leaf of the mesh's tree.
  BC_HD LeafRows rows_of(u32 leaf) const { return rows_of_leaf(rows, leaf); }
  /// The place of the hit with this id. Equal to place_of, but needs no search.
  BC_HD TrianglePlace place(u32 id) const {
    return {mesh.first_triangle + (id - first_id), instance};
  }
};

/// A ray in the space of the scene, and an instance of a shape.
struct RayAtShape {
  const Ray& ray;
  const Shape& shape;
  const Transform& to_scene;
  u32 id;  // the shape has one id, as a mesh with one triangle
  TrianglePlace place;

  /// Calls take(hit, front) for each crossing of the ray's line with the shape, in the order of t,
  /// until a call returns true.
  template <class Take>
  BC_HD void for_each_crossing(Take take) const {
    const ShapeCrossings found = cross_shape(shape, to_scene, ray);
    for (u32 k = 0; k < found.count; ++k) {
      const Hit hit{found.t[k], id, static_cast<float>(found.at[k].u),
                    static_cast<float>(found.at[k].v)};
      if (take(hit, found.front[k])) return;
    }
  }
};

/// The shape of an instance; null if it has a mesh. Always null if !kShapes.
template <class Layout, bool kShapes>
BC_HD inline const Shape* shape_of(const InstancedView<Layout, kShapes>& view,
                                   const WalkInstance& instance) {
  if constexpr (kShapes) return shape_of(view.scene, instance.mesh);
  return nullptr;
}

/// A ray at instance number `place` of the view, which is a shape.
template <class Layout, bool kShapes>
BC_HD inline RayAtShape at_shape(const InstancedView<Layout, kShapes>& view, const Shape& shape,
                                 const Ray& ray, u32 place) {
  const WalkInstance& instance = view.instances[place];
  return {ray,
          shape,
          view.to_scene[place],
          instance.first_id,
          {view.meshes[instance.mesh].first_triangle, instance.instance}};
}

/// `ray` is in the space of the instance's mesh.
template <class Layout, bool kShapes>
BC_HD inline RayInMesh in_mesh(const InstancedView<Layout, kShapes>& view,
                               const WalkInstance& instance, const Ray& ray,
                               const RaySetup& setup) {
  const MeshTree& mesh = view.meshes[instance.mesh];
  return {ray, setup, mesh, view.triangles + mesh.first_row, instance.first_id, instance.instance};
}

/// The setup of a ray in the space of a mesh.
BC_HD inline RaySetup setup_inside(const Ray& ray, const MeshTree& mesh) {
  return make_setup(ray, mesh.frame.magnitude, kLargestSlopeInside);
}

/// For each instance in a leaf of the upper tree that ray i can enter, calls on_mesh(RayInMesh), or
/// on_shape(RayAtShape) if its mesh is a shape. Stops when a call returns true. `ray` is the ray
/// that is cast for ray i.
template <class Layout, bool kShapes, class OnShape, class OnMesh>
BC_HD inline void for_each_mesh_below(const InstancedView<Layout, kShapes>& view, u32 i,
                                      const Ray& ray, u32 leaf, OnShape on_shape, OnMesh on_mesh) {
  const u32 first = leaf_first(leaf), count = leaf_count(leaf);
  bool ended = false;
  for (u32 k = 0; k < count && !ended; ++k) {
    const WalkInstance& instance = view.instances[first + k];
    if (view.may_refuse && !view.filter.sees(i, instance.instance)) continue;
    if (const Shape* const shape = shape_of(view, instance)) {
      ended = on_shape(at_shape(view, *shape, ray, first + k));
      continue;
    }
    const Ray inside = transformed_ray(instance.to_mesh, ray);
    const RaySetup setup = setup_inside(inside, view.meshes[instance.mesh]);
    if (setup.valid) ended = on_mesh(in_mesh(view, instance, inside, setup));
  }
}

/// Walks through the lower trees of the instances in a leaf of the upper tree. Calls
/// on_leaf(RayInMesh, leaf of a lower tree), which may lower `t`, and returns true to end the walk;
/// and on_shape(RayAtShape), which may do the same. `Walking` is the view's layout, or a variant
/// with other Slabs, which slabs_of(RayInMesh) makes.
template <class Walking, class Layout, bool kShapes, class SlabsOf, class OnShape, class OnLeaf>
BC_HD inline void for_each_leaf_below(const InstancedView<Layout, kShapes>& view, u32 i,
                                      const Ray& ray, u32 leaf, const float& t, SlabsOf slabs_of,
                                      OnShape on_shape, OnLeaf on_leaf) {
  for_each_mesh_below(view, i, ray, leaf, on_shape, [&](const RayInMesh& at) {
    bool ended = false;
    for_each_leaf<Walking>(view.lower_nodes + at.mesh.first_node, at.mesh.frame.shape, slabs_of(at),
                           t, [&](u32 below) { return ended = on_leaf(at, below); });
    return ended;
  });
}
template <class Layout, bool kShapes, class OnShape, class OnLeaf>
BC_HD inline void for_each_leaf_below(const InstancedView<Layout, kShapes>& view, u32 i,
                                      const Ray& ray, u32 leaf, const float& t, OnShape on_shape,
                                      OnLeaf on_leaf) {
  for_each_leaf_below<Layout>(
      view, i, ray, leaf, t,
      [](const RayInMesh& at) { return Layout::slabs_of(at.setup, at.ray, at.mesh.frame.shape); },
      on_shape, on_leaf);
}

/// Tests a ray against the triangles in a leaf of the mesh that it has entered; see intersect_leaf
/// of TraceView.
template <class Accepts>
BC_HD inline void intersect_leaf_below(const RayInMesh& at, u32 below, RayKind kind, Hit& best,
                                       Accepts accepts) {
  intersect_rows(at.setup, at.ray.t_min, at.rows_of(below), at.first_id, kind, best,
                 [&](Hit& hit, bool front, const TriangleRow* rows) {
                   return accepts(at.place(hit.triangle), front, best, hit, rows);
                 });
}

/// Tests a ray against a shape; see intersect_leaf of TraceView. Returns true if the ray needs no
/// other hit.
template <class Accepts>
BC_HD inline bool intersect_shape(const RayAtShape& at, RayKind kind, Hit& best, Accepts accepts) {
  at.for_each_crossing([&](Hit hit, bool front) {
    if (!(hit.t > at.ray.t_min) || !precedes(hit.t, at.id, best) ||
        !accepts(at.place, front, best, hit, nullptr))
      return false;
    best = hit;
    return true;
  });
  return kind == RayKind::any && best.found();
}

/// Tests a ray against the triangles of the instances in a leaf; see intersect_leaf of TraceView.
template <class Layout, bool kShapes, class Accepts>
BC_HD inline void intersect_leaf(const InstancedView<Layout, kShapes>& view, u32 i, const RaySetup&,
                                 const Ray& ray, u32 leaf, RayKind kind, Hit& best,
                                 Accepts accepts) {
  for_each_leaf_below(
      view, i, ray, leaf, best.t,
      [&](const RayAtShape& at) { return intersect_shape(at, kind, best, accepts); },
      [&](const RayInMesh& at, u32 below) {
        intersect_leaf_below(at, below, kind, best, accepts);
        return kind == RayKind::any && best.found();
      });
}

}  // namespace ballotcast::detail
