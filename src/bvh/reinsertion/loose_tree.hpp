// A binary tree whose subtrees can be moved. Host and device share this code.
//
// The nodes are those of a BinaryTree: the root, then pairs of siblings. Pair k is nodes[2 k + 1]
// and nodes[2 k + 2]; its parent is nodes[above[k]].
//
// A move takes the subtree `from` (F) out and inserts it beside `to` (T). F's old parent P goes
// away, and F's sibling S takes its place. A new node N becomes the parent of F and T:
//
//        A                       A
//      /   `.                  /   `.
//     P     ..       ->       S     ..     The boxes above P may become smaller, those above N
//    / \     |                       |     larger. The gain is the decrease of the sum of all box
//   F   S    T                       N     areas.
//                                   / \ .
//                                  F   T
//
// In memory S moves to the place of P, F and T become the pair that F and S were, and N takes the
// place of T. So only these four places are written.
#pragma once

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail::reinsertion {

struct LooseTree {
  Node2* nodes;
  u32* above;  // per pair: its parent
  u32 count;   // of nodes

  BC_HD u32 pairs() const { return count / 2; }
};

/// The place of a node's sibling. The root has none.
BC_HD inline u32 sibling(u32 node) { return ((node - 1u) ^ 1u) + 1u; }
BC_HD inline u32 pair_of(u32 node) { return (node - 1u) / 2u; }
BC_HD inline u32 parent_of(const LooseTree& tree, u32 node) { return tree.above[pair_of(node)]; }

/// The smallest box round two.
BC_HD inline Aabb box_round(const Aabb& a, const Aabb& b) {
  return {min_of(a.low, b.low), max_of(a.high, b.high)};
}

BC_HD inline float half_area_of(const Aabb& box) { return detail::half_area_of(box.low, box.high); }

/// Makes the node at `place` the parent of its children.
BC_HD inline void adopt(const LooseTree& tree, u32 place) {
  const Node2& node = tree.nodes[place];
  if (node.count == 0) tree.above[pair_of(node.first)] = place;
}

/// Fills LooseTree::above. Once per node.
struct FindParents {
  BC_HD static void item(u32 node, LooseTree tree) { adopt(tree, node); }
};

}  // namespace ballotcast::detail::reinsertion
