// What a layout stores of a child.
#pragma once

#include "bvh/binary_tree.hpp"
#include "bvh/layouts/reference.hpp"
#include "math/aabb.hpp"

namespace ballotcast::detail {

/// The box of a child, and the reference to it.
struct EncodedChild {
  vec3 low, high;
  u32 reference;
};

/// In place of a child that is missing: an empty box, so no walk ever enters it.
BC_HD inline EncodedChild no_child() { return {Aabb().low, Aabb().high, kNowhere}; }

/// How a layout with two children per node refers to a node of a BinaryTree.
BC_HD inline u32 reference_to(const Node2& node) {
  return node.count > 0 ? leaf_reference(node.first, node.count) : node.first / 2u;
}

}  // namespace ballotcast::detail
