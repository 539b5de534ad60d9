// Kernels that refit a tree on a machine: they store moved vertices and triangles, fit the boxes of
// all nodes to them, and encode the nodes again. bvh/refit.hpp explains the steps; device_tree.hpp
// launches the kernels.
#pragma once

#include <cstddef>

#include "bvh/layouts/children.hpp"
#include "bvh/refit.hpp"
#include "kernels/build/arrange.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// Copies the vertices that the caller has moved.
struct TakeVertices {
  // Adding 0 turns -0 into +0.
  BC_HD static void item(u32 i, const vec3* from, vec3* to) { to[i] = from[i] + 0.0f; }
};

/// A node that is aligned to 16 bytes, so that a GPU reads and writes 16 bytes at a time.
struct alignas(16) WholeNode {
  Node2 node;
};
BC_HD inline void store_whole(Node2* to, const Node2& node) {
  *reinterpret_cast<WholeNode*>(to) = {node};
}
/// Reads a node that no lane stores in the same launch: see read_whole.
BC_HD inline Node2 read_whole_node(const Node2* from) {
  return read_whole(reinterpret_cast<const WholeNode*>(from)).node;
}

/// Stores the triangles of a leaf, in leaf order, and computes its box. Runs once per node.
struct StoreLeaf {
  BC_HD static void item(u32 place, ploc::TriangleView view, const u32* order, Node2* nodes,
                         TriangleRows* rows) {
    const Node2 node = nodes[place];
    if (node.count == 0) return;
    Aabb box;
    for (u32 i = node.first; i < node.first + node.count; ++i) {
      const u32 id = order[i];
      const uvec3 corners = view.triangles[id];
      const vec3 a = view.positions[corners.x], b = view.positions[corners.y],
                 c = view.positions[corners.z];
      // This does not call rows_of, because nvcc 13 would not unroll the loop.
      rows[i] = {{{a.x, b.x, c.x, id}, {a.y, b.y, c.y, id}, {a.z, b.z, c.z, id}}};
      box.low = min_of(box.low, min_of(a, min_of(b, c)));
      box.high = max_of(box.high, max_of(a, max_of(b, c)));
    }
    store_whole(nodes + place, {box, node.first, node.count});
  }
};

/// Computes the boxes of all inner nodes from those of the leaves. Runs once per pair: pairs of two
/// leaves climb. Where both children of a pair are inner nodes, the first lane to arrive stops, and
/// the second goes on. At a pair with a leaf, only one lane arrives, which goes on at once.
/// `arrivals` has a counter per pair, which is even before and after a launch: no lane or two lanes
/// add 1.
///
///        N            lane 1 comes from A, lane 2 from B. The second of them goes on to N.
///       / \           .
///      A   B          A is a pair of leaves: it climbs from there
///     / \ / \         .
///    .  . C  .        C climbs to B at once, because its sibling is a leaf
struct ClimbFromPair {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 pair, reinsertion::LooseTree tree, u32* arrivals) {
    const Node2 *a = tree.nodes + 2u * pair + 1u, *b = a + 1;
    if (a->count == 0 || b->count == 0) return;
    // No lane of this kernel stores leaves, so no fence is needed before they are read.
    Aabb box = reinsertion::box_round(read_whole_node(a).box, read_whole_node(b).box);
    for (;;) {
      const u32 node = tree.above[pair];
      store_whole(tree.nodes + node, {box, 2u * pair + 1u, 0u});
      if (node == 0) return;
      pair = reinsertion::pair_of(node);
      const Node2& other = tree.nodes[reinsertion::sibling(node)];
      if (other.count == 0) {
        lane.fence();  // the lane from the sibling may read what was stored
        if (lane.fetch_add(&arrivals[pair], 1u) % 2u == 0) return;
        lane.fence();  // so that this lane reads what the sibling's lane has stored
      }
      box = reinsertion::box_round(box, other.box);
    }
  }
};

/// Memory for an Encoder on the machine, large enough for that of any layout.
struct alignas(16) EncoderBytes {
  std::byte bytes[128];

  template <class Layout>
  BC_HD auto* of() {
    static_assert(sizeof(typename Layout::Encoder) <= sizeof bytes);
    return reinterpret_cast<typename Layout::Encoder*>(bytes);
  }
};

/// Computes the walk frame and the encoder from the box of the root. The frame is what a walk needs
/// besides the nodes; the encoder is needed to encode the nodes.
template <class Layout>
struct FindWalkFrame {
  BC_HD static void item(u32, const Node2* nodes, LeafForm leaves, const u32* depth,
                         WalkFrame* frame, EncoderBytes* encoder) {
    const Node2& root = nodes[0];
    *encoder->template of<Layout>() = ploc::encoder_for<Layout>(root.box);
    frame->magnitude = largest_magnitude(root.box);
    frame->shape = encoder->template of<Layout>()->shape(reference_to(root, leaves), *depth);
  }
};

/// Encodes a child of a layout's node anew. Runs once per node of the binary tree, so that the
/// lanes of a warp read and write neighbouring memory.
template <class Layout>
struct StoreMovedChild {
  BC_HD static void item(u32 i, const Node2* nodes, LeafForm leaves, EncoderBytes* bytes,
                         typename Layout::Node* to) {
    const auto& encoder = *bytes->template of<Layout>();
    const Node2 node = read_whole_node(nodes + i);
    const EncodedChild child{node.box.low, node.box.high, reference_to(node, leaves)};
    if (i == 0) {
      if (Layout::kRootIsNode && is_leaf(child.reference)) encoder.store(to, 0, child, no_child());
      return;
    }
    const u32 number = reinsertion::pair_of(i);
    encoder.store_child(to, number, (i - 1u) % 2u, child);
    if (is_node(child.reference)) encoder.link(to, child.reference, number);
  }
};

}  // namespace ballotcast::detail
