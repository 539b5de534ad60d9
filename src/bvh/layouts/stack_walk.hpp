// A whole walk with a stack, over any layout.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/reference.hpp"

namespace ballotcast::detail {

/// Walks the whole tree, nearer children first, and calls on_leaf(reference), which may lower `t`,
/// the best hit so far, and returns true to end the walk.
template <class Layout, class OnLeaf>
BC_HD inline void for_each_leaf(const typename Layout::Node* nodes, const TreeShape& shape,
                                const typename Layout::Slabs& slabs, const float& t,
                                OnLeaf on_leaf) {
  u32 stack[kDeepestLevel + 1];
  u32 depth = 0;
  u32 next = shape.root;
  if (next == kNowhere) return;
  auto limit = Layout::limit_of(slabs, t);
  for (;;) {
    while (is_node(next)) {
      const ChildOrder order = Layout::cross(nodes, next, slabs, limit);
      if (order.both) stack[depth++] = order.farther;
      if (order.any) {
        next = order.nearer;
      } else {
        if (depth == 0) return;
        next = stack[--depth];
      }
    }
    if (on_leaf(next) || depth == 0) return;
    limit = Layout::limit_of(slabs, t);
    next = stack[--depth];
  }
}

}  // namespace ballotcast::detail
