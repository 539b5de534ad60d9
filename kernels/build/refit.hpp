// Refits a tree on a machine: see bvh/refit.hpp. Everything is only enqueued, nothing is waited for
// or allocated, so that refitting may be captured in a CUDA graph.
#pragma once

#include <vector>

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
  BC_HD static void item(u32, const Node2* nodes, u32 depth, WalkFrame* frame) {
    const Node2& root = nodes[0];
    frame->magnitude = largest_magnitude(root.box);
    frame->shape = ploc::encoder_for<Layout>(root.box).shape(reference_to(root), depth);
  }
};

/// Stores a node of the layout again. Once per inner node; if there is none, the root is a leaf,
/// and this runs once.
template <class Layout>
struct StoreMovedNode {
  BC_HD static void item(u32 i, const Node2* nodes, u32 count, typename Layout::Node* to) {
    const auto encoder = ploc::encoder_for<Layout>(nodes[0].box);
    if (count > 1)
      ploc::store_node<Layout>(encoder, to, i, child(nodes[2u * i + 1u]),
                               child(nodes[2u * i + 2u]));
    else if (Layout::kRootIsNode)
      encoder.store(to, 0, child(nodes[0]), nothing());
  }

 private:
  BC_HD static EncodedChild child(const Node2& node) {
    return {node.box.low, node.box.high, reference_to(node)};
  }
  BC_HD static EncodedChild nothing() {
    const float far = float_of(0x7f800000u);
    return {vec3(far), vec3(-far), kNowhere};
  }
};

/// A tree in the memory of a machine, which follows vertices there.
template <class Machine>
class DeviceTree {
  template <class T>
  using Buffer = decltype(std::declval<Machine&>().template make<T>(0));

 public:
  /// Copies a tree, which must have nodes.
  DeviceTree(Machine& machine, const BinaryTree& tree)
      : count_(static_cast<u32>(tree.nodes.size())),
        depth_(tree.depth),
        triangles_(static_cast<u32>(tree.order.size())),
        nodes_(machine.upload(tree.nodes.data(), tree.nodes.size())),
        order_(machine.upload(tree.order.data(), tree.order.size())),
        above_(machine.template make<u32>(tree.inner_nodes())),
        arrivals_(machine.upload(std::vector<u32>(tree.inner_nodes()).data(), tree.inner_nodes())) {
    machine.template each<reinsertion::FindParents>("find parents", count_, loose());
  }

  /// The memory of the machine that this takes, in bytes.
  static u64 bytes_for(const BinaryTree& tree) {
    return tree.nodes.size() * sizeof(Node2) + tree.order.size() * sizeof(u32) +
           u64{tree.inner_nodes()} * 2 * sizeof(u32);
  }

  /// Stores nodes, triangles and frame anew for these vertices.
  template <class Layout>
  void refit(Machine& machine, const vec3* positions, const uvec3* triangles,
             typename Layout::Node* to, TriangleRows* rows, WalkFrame* frame) {
    const u32* const order = order_.data();
    const Node2* const nodes = nodes_.data();
    const ploc::TriangleView view{positions, triangles, nullptr, triangles_};
    machine.template each<ploc::StoreRows>("store triangles", triangles_, view, order, rows);
    machine.template each_lane<FitTree>("fit the tree", count_, loose(), arrivals_.data(),
                                        static_cast<const TriangleRows*>(rows));
    machine.template each<FindWalkFrame<Layout>>("find the frame", 1u, nodes, depth_, frame);
    machine.template each<StoreMovedNode<Layout>>("store nodes", count_ > 1 ? count_ / 2 : 1u,
                                                  nodes, count_, to);
  }

 private:
  reinsertion::LooseTree loose() { return {nodes_.data(), above_.data(), count_}; }

  const u32 count_, depth_, triangles_;
  Buffer<Node2> nodes_;
  Buffer<u32> order_, above_, arrivals_;
};

}  // namespace ballotcast::detail
