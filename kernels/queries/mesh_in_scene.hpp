// Instances in the space of the scene: their triangles and boxes, for queries about points.
//
// The triangles of an instance are those of its mesh, with each corner transformed by
// transformed_point, which rounds to floats. So results for a point are the same as in a scene
// without instances whose mesh contains all these triangles.
//
// Boxes of the lower tree can be transformed to the scene, too, by transformed_box. (A rotated box
// grows; point_in_mesh.hpp has another way.) With u = 2^-24 and the symbols of
// geometry/transform.hpp, g = |M| m + |T|:
//  - a coordinate of a corner takes three roundings, each of at most u g: off by 3.1 u g
//  - so does a side of a box, whose coordinates are at most 1.01 m: off by 3.2 u g
// Every point of the transformed triangle is a weighted mean of its corners. So it lies in the
// transformed box of some leaf that contains the triangle, if that box is widened by 2^-21 g. The
// box of the instance in the upper tree is made in the same way.
#pragma once

#include "bvh/layouts/children.hpp"
#include "kernels/walk_instances.hpp"

namespace ballotcast::detail {

/// The amount by which boxes in the space of the scene are widened. `magnitude`: g of the analysis
/// above, or more. The result exceeds the 2^-21 g that are necessary.
BC_HD inline double placing_slack(double magnitude) { return times(0x1p-20, magnitude) + 1e-30; }

/// The mesh of an instance, in the space of the scene.
struct MeshInScene {
  const Transform& to_scene;
  const MeshTree& tree;
  const TriangleRows* rows;
  u32 first_id;

  /// The triangles of a leaf of the mesh's tree.
  BC_HD LeafRows rows_of(u32 leaf) const { return rows_of_leaf(rows, leaf); }
  BC_HD vec3 corner(vec3 p) const { return transformed_point(to_scene, p); }

  /// The boxes of children in the lower tree, transformed to the scene. The box of a missing child
  /// stays empty.
  BC_HD ChildBoxes placed(const ChildBoxes& of) const {
    ChildBoxes out = of;
    for (u32 i = 0; i < 2u; ++i)
      if (is_somewhere(of.reference[i]))
        transformed_box(to_scene, of.box[i].low, of.box[i].high, out.box[i].low, out.box[i].high);
    return out;
  }

  /// A bound on the |coordinates| of the mesh in the scene: |M| m + |T|, called g at the top of
  /// this file.
  BC_HD double magnitude() const {
    return times(norm_of(to_scene), double{tree.frame.magnitude}) + shift_of(to_scene);
  }
};

/// A shape in the space of the scene.
struct ShapeInScene {
  const Shape& shape;
  const Transform& to_scene;
  u32 id;
};

/// Calls on_mesh(MeshInScene) for each instance in a leaf of the upper tree, or
/// on_shape(ShapeInScene) if its mesh is a shape, unless it is hidden or its mask is 0.
template <class Layout, bool kShapes, class OnShape, class OnMesh>
BC_HD inline void for_each_placed(const InstancedView<Layout, kShapes>& view, u32 leaf,
                                  OnShape on_shape, OnMesh on_mesh) {
  const u32 first = leaf_first(leaf), count = leaf_count(leaf);
  for (u32 k = 0; k < count; ++k) {
    const WalkInstance& walk = view.instances[first + k];
    if (hides(walk.to_mesh)) continue;
    if (view.may_refuse && !view.filter.sees(0u, walk.instance)) continue;
    if constexpr (kShapes) {
      if (const Shape* const shape = shape_of(view.scene, walk.mesh)) {
        on_shape(ShapeInScene{*shape, view.to_scene[first + k], walk.first_id});
        continue;
      }
    }
    const MeshTree& tree = view.meshes[walk.mesh];
    on_mesh(MeshInScene{view.to_scene[first + k], tree, view.triangles + tree.first_row,
                        walk.first_id});
  }
}

}  // namespace ballotcast::detail
