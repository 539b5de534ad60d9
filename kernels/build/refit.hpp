// The last steps of refitting a tree on a machine: see bvh/refit.hpp and device_tree.hpp.
#pragma once

#include "bvh/layouts/encoded_child.hpp"
#include "bvh/refit.hpp"
#include "kernels/build/arrange.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// Takes over vertices.
struct TakeVertices {
  BC_HD static void item(u32 i, const vec3* from, vec3* to) { to[i] = from[i] + 0.0f; }  // no -0
};

/// Computes what a walk needs besides the nodes, from the box of the root.
template <class Layout>
struct FindWalkFrame {
  BC_HD static void item(u32, const Node2* nodes, const u32* depth, WalkFrame* frame) {
    const Node2& root = nodes[0];
    frame->magnitude = largest_magnitude(root.box);
    frame->shape = ploc::encoder_for<Layout>(root.box).shape(reference_to(root), *depth);
  }
};

/// Stores a node of the layout again. Once per inner node; if there is none, the root is a leaf,
/// and this runs once.
template <class Layout>
struct StoreMovedNode {
  BC_HD static void item(u32 i, const Node2* nodes, typename Layout::Node* to) {
    const auto encoder = ploc::encoder_for<Layout>(nodes[0].box);
    if (nodes[0].count == 0)
      ploc::store_node<Layout>(encoder, to, i, child(nodes[2u * i + 1u]),
                               child(nodes[2u * i + 2u]));
    else if (Layout::kRootIsNode)
      encoder.store(to, 0, child(nodes[0]), nothing());
  }

 private:
  BC_HD static EncodedChild child(const Node2& node) {
    return {node.box.low, node.box.high, reference_to(node)};
  }
  BC_HD static EncodedChild nothing() { return {empty_box().low, empty_box().high, kNowhere}; }
};

}  // namespace ballotcast::detail
