// Where the inner nodes and the leaves of joined clusters go in a BinaryTree.
//
// Inner nodes keep the order of their slots, but the root comes first. So a node is usually near
// its children in memory, and no walk through the tree is needed to number it: one prefix sum over
// all slots does. The leaves follow the nodes that they are children of.
#pragma once

#include "bvh/ploc/cluster.hpp"

namespace ballotcast::detail::ploc {

/// What comes before a slot: the prefix sum over all lower ones.
struct Before {
  u32 inner;      // inner nodes
  u32 triangles;  // triangles in leaves

  BC_HD Before operator+(const Before& other) const {
    return {inner + other.inner, triangles + other.triangles};
  }
};

/// What an element of Joints::slots adds to Before.
BC_HD inline Before counted(u8 slot) { return {slot >> 7 & 1u, slot & 0x7fu}; }

/// The number of an inner node: see BinaryTree. `inner` is Before::inner of its slot.
BC_HD inline u32 number_of(u32 slot, u32 inner, u32 root_slot) {
  return slot == root_slot ? 0u : inner + (slot < root_slot ? 1u : 0u);
}

}  // namespace ballotcast::detail::ploc
