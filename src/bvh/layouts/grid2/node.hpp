// Layout grid2: two children per node, with boxes on a grid of 65536 cells per axis over the whole
// scene. A node has half the size of a bvh2 node. Each side of a box moves outwards by less than
// one cell.
#pragma once

#include "bvh/layouts/reference.hpp"

namespace ballotcast::detail::grid2 {

/// A child: its box as codes (numbers of grid planes, 0..65535), and its reference.
///
///   word        bits 31..16   bits 15..0
///   x           high x        low x
///   y           high y        low y
///   z           high z        low z
///   reference   see reference.hpp
struct alignas(16) Child {
  u32 x, y, z;
  u32 reference;
};

struct alignas(32) Node {
  Child child[2];
};
static_assert(sizeof(Node) == 32);

/// Makes a node one of several trees behind one another. `nodes`, `leaves`: how many nodes and
/// elements of leaves lie before its tree.
inline void move_references(Node& node, u32 nodes, u32 leaves) {
  for (Child& child : node.child) child.reference = moved_reference(child.reference, nodes, leaves);
}

}  // namespace ballotcast::detail::grid2
