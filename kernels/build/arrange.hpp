// The last steps of building a tree on a machine: nodes and leaves in their final places. They run
// after a prefix sum over all slots (bvh/ploc/numbering.hpp).
#pragma once

#include "bvh/layouts/encoded_child.hpp"
#include "bvh/layouts/layout.hpp"
#include "bvh/ploc/numbering.hpp"
#include "kernels/build/join.hpp"

namespace ballotcast::detail::ploc {

/// Joined clusters in the memory of a machine.
struct JoinedView {
  Joints joints;
  const u32* order;      // the triangle at each place
  const Before* before;  // per slot; and once more at the end, for all slots

  BC_HD u32 number_of_slot(u32 slot) const {
    return number_of(slot, before[slot].inner, slot_of(joints.clusters[0]));
  }
  /// The places in the order of leaves from which on the triangles of the children in a slot go, if
  /// they are leaves.
  BC_HD u32 left_triangles(u32 slot) const { return before[slot].triangles; }
  BC_HD u32 right_triangles(u32 slot) const {
    const Cluster& left = joints.lefts[slot];
    return before[slot].triangles + (is_leaf(left) ? triangles_of(left) : 0u);
  }
};

/// Stores the children of the inner node in a slot, in the form of a BinaryTree. Slot 0 belongs to
/// no node; the root is stored instead.
struct StoreTree {
  BC_HD static void item(u32 slot, JoinedView view, Node2* nodes) {
    if (slot == 0) return store(view, view.joints.clusters[0], 0, nodes);
    if (view.joints.slots[slot] == 0) return;
    Node2* const first = nodes + 2u * view.number_of_slot(slot) + 1u;
    store(view, view.joints.lefts[slot], view.left_triangles(slot), first);
    store(view, view.joints.clusters[slot], view.right_triangles(slot), first + 1);
  }

 private:
  BC_HD static void store(const JoinedView& view, const Cluster& c, u32 triangles, Node2* node) {
    node->box.low = c.low;
    node->box.high = c.high;
    node->first = is_leaf(c) ? triangles : 2u * view.number_of_slot(slot_of(c)) + 1u;
    node->count = is_leaf(c) ? triangles_of(c) : 0u;
  }
};

/// Stores the triangles of those children of an inner node that are leaves. For slot 0, those of
/// the root if it is a leaf.
struct StoreOrder {
  BC_HD static void item(u32 slot, JoinedView view, u32* order) {
    if (slot == 0) return store(view, view.joints.clusters[0], 0, order);
    if (view.joints.slots[slot] == 0) return;
    store(view, view.joints.lefts[slot], view.left_triangles(slot), order);
    store(view, view.joints.clusters[slot], view.right_triangles(slot), order);
  }

 private:
  BC_HD static void store(const JoinedView& view, const Cluster& c, u32 triangles, u32* order) {
    if (is_leaf(c))
      for_each_place(c, view.joints.next,
                     [&](u32 k, u32 place) { order[triangles + k] = view.order[place]; });
  }
};

/// Stores the inner node in a slot, in a layout, and the triangles of its leaves.
template <class Layout>
struct StoreNode {
  BC_HD static void item(u32 slot, JoinedView view, typename Layout::Encoder encoder,
                         typename Layout::Node* nodes, u32* order) {
    if (view.joints.slots[slot] == 0) return;
    const u32 number = view.number_of_slot(slot);
    const EncodedChild left = child(view, view.joints.lefts[slot], view.left_triangles(slot)),
                       right = child(view, view.joints.clusters[slot], view.right_triangles(slot));
    encoder.store(nodes, number, left, right);
    StoreOrder::item(slot, view, order);
    if (is_node(left.reference)) encoder.link(nodes, left.reference, number);
    if (is_node(right.reference)) encoder.link(nodes, right.reference, number);
  }

 private:
  BC_HD static EncodedChild child(const JoinedView& view, const Cluster& c, u32 triangles) {
    return {
        c.low, c.high,
        is_leaf(c) ? leaf_reference(triangles, triangles_of(c)) : view.number_of_slot(slot_of(c))};
  }
};

/// Stores the corners of a triangle, in the order of the leaves.
struct StoreRows {
  BC_HD static void item(u32 i, TriangleView view, const u32* order, TriangleRows* rows) {
    const u32 id = order[i];
    const uvec3 corners = view.triangles[id];
    const vec3 a = view.positions[corners.x], b = view.positions[corners.y],
               c = view.positions[corners.z];
    rows[i] = {{{a.x, b.x, c.x, id}, {a.y, b.y, c.y, id}, {a.z, b.z, c.z, id}}};
  }
};

}  // namespace ballotcast::detail::ploc
