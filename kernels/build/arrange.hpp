// The last steps of building a tree on a machine: nodes of a layout, and rows of triangles.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/children.hpp"
#include "bvh/layouts/layout.hpp"
#include "kernels/build/make_keys.hpp"

namespace ballotcast::detail::ploc {

/// The layout's Encoder (bvh/layouts/layout.hpp) for a tree whose root has this box, which must not
/// be empty.
template <class Layout>
BC_HD inline typename Layout::Encoder encoder_for(const Aabb& root) {
  return Layout::Encoder::around(root.low, root.high, largest_magnitude(root));
}

/// Stores the node with index `number` of a layout, and its index in those of its children that are
/// nodes, for layouts with parent links.
template <class Layout>
BC_HD inline void store_node(const typename Layout::Encoder& encoder, typename Layout::Node* nodes,
                             u32 number, const EncodedChild& left, const EncodedChild& right) {
  encoder.store(nodes, number, left, right);
  if (is_node(left.reference)) encoder.link(nodes, left.reference, number);
  if (is_node(right.reference)) encoder.link(nodes, right.reference, number);
}

/// The child in the form that layouts store.
BC_HD inline EncodedChild encoded(const Child& child) {
  return {child.low, child.high,
          child.count > 0 ? leaf_reference(child.first, child.count) : child.first};
}

/// Stores the pairs of a tree as nodes of a layout, and the triangles of their leaves. `View`: a
/// form of a tree (bvh/binary_tree.hpp). The root must be an inner node.
template <class Layout>
struct StoreNode {
  template <class View>
  BC_HD static void item(u32 i, View view, typename Layout::Encoder encoder,
                         typename Layout::Node* nodes, u32* order) {
    if (!view.has(i)) return;
    store_node<Layout>(encoder, nodes, view.number(i), encoded(view.left(i)),
                       encoded(view.right(i)));
    StoreOrder::item(i, view, order);
  }
};

/// Stores the rows (TriangleRows) of the i-th triangle in the order of the leaves.
struct StoreRows {
  BC_HD static void item(u32 i, TriangleView view, const u32* order, TriangleRows* rows) {
    const u32 id = order[i];
    const uvec3 corners = view.triangles[id];
    const vec3 a = view.positions[corners.x], b = view.positions[corners.y],
               c = view.positions[corners.z];
    rows[i] = rows_of(a, b, c, id);
  }
};

}  // namespace ballotcast::detail::ploc
