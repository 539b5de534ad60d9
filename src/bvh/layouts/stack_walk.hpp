// Walks a whole tree with a stack, in any layout.
#pragma once

#include "bvh/layouts/children.hpp"

namespace ballotcast::detail {

/// Walks the whole tree, nearer children first, and calls on_leaf(reference) at each leaf. on_leaf
/// may lower `t`, the distance of the best hit so far; it returns true to end the walk.
///
///   at a node: cross both boxes      neither -> pop          one -> go there
///                                    both    -> push the farther child, go to the nearer one
///   at a leaf: on_leaf, then pop. The walk ends when the stack is empty.
///
/// `kSteps` is for lanes of a warp that walk independently. A lane looks for a leaf for at most so
/// many nodes before it lets lanes go on that are at a leaf. 0: no limit.
template <class Layout, u32 kSteps = 0, class OnLeaf>
BC_HD inline void for_each_leaf(const typename Layout::Node* nodes, const TreeShape& shape,
                                const typename Layout::Slabs& slabs, const float& t,
                                OnLeaf on_leaf) {
  u32 stack[kDeepestLevel + 1];
  u32 depth = 0;
  u32 next = shape.root;
  if (next == kNowhere) return;
  auto limit = Layout::limit_of(slabs, t);
  // Goes on from a node. Returns false if nothing is left.
  const auto step = [&] {
    const ChildOrder order = Layout::cross(nodes, next, slabs, limit);
    if (order.both) stack[depth++] = order.farther;
    if (order.any) {
      next = order.nearer;
    } else {
      if (depth == 0) return false;
      next = stack[--depth];
    }
    return true;
  };
  for (;;) {
    if constexpr (kSteps == 0u) {
      while (is_node(next))
        if (!step()) return;
    } else {
      BC_UNROLL
      for (u32 k = 0; k < kSteps; ++k) {
        if (!is_node(next)) break;
        if (!step()) return;
      }
      if (is_node(next)) continue;
    }
    if (on_leaf(next) || depth == 0) return;
    limit = Layout::limit_of(slabs, t);
    next = stack[--depth];
  }
}

}  // namespace ballotcast::detail
