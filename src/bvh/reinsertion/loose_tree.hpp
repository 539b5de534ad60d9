// A binary tree whose subtrees can be moved, and whose boxes are computed from the leaves up. Host
// and device share this code.
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
// In memory, S moves to the place of P, the new pair (F, T) takes the place of the pair (F, S), and
// N takes the place of T. So only these four places are written.
#pragma once

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail::reinsertion {

struct LooseTree {
  Node2* nodes;
  u32* above;  // the parent of each pair
  u32 count;   // number of nodes

  BC_HD u32 pairs() const { return count / 2; }
};

/// The index of a node's sibling. The root has no sibling.
BC_HD inline u32 sibling(u32 node) { return ((node - 1u) ^ 1u) + 1u; }
BC_HD inline u32 pair_of(u32 node) { return (node - 1u) / 2u; }
BC_HD inline u32 parent_of(const LooseTree& tree, u32 node) { return tree.above[pair_of(node)]; }

/// The smallest box around two boxes.
BC_HD inline Aabb box_round(const Aabb& a, const Aabb& b) {
  return {min_of(a.low, b.low), max_of(a.high, b.high)};
}

BC_HD inline float half_area_of(const Aabb& box) { return detail::half_area_of(box.low, box.high); }

/// Makes the node at `place` the parent of its children, by storing its index for their pair.
BC_HD inline void adopt(const LooseTree& tree, u32 place) {
  const Node2& node = tree.nodes[place];
  if (node.count == 0) tree.above[pair_of(node.first)] = place;
}

/// Computes LooseTree::above. Runs once per node.
struct FindParents {
  BC_HD static void item(u32 node, LooseTree tree) { adopt(tree, node); }
};

/// Properties of the subtree below each pair.
struct Subtrees {
  u32* first;  // the first triangle, in leaf order
  // Number of inner nodes on the longest path down, including the pair's parent; at most
  // kGreatestHeight
  u8* height;
};
inline constexpr u32 kGreatestHeight = 254;

/// Computes the boxes of all inner nodes. Runs once per node; each leaf climbs towards the root. At
/// each pair, the first lane to arrive stops, and the second lane continues. `arrivals` has a
/// counter per pair, which must be even before this kernel. Two lanes arrive at each pair, so it is
/// also even afterwards.
struct Refit {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 node, LooseTree tree, u32* arrivals) {
    climb(lane, node, tree, arrivals, [](u32, u32) {});
  }

  /// As `item`. Also calls visit(pair, parent) for each pair whose two subtrees are done.
  template <class Lane, class Visit>
  BC_HD static void climb(Lane& lane, u32 node, const LooseTree& tree, u32* arrivals, Visit visit) {
    if (tree.nodes[node].count == 0) return;
    while (node != 0) {
      const u32 pair = pair_of(node);
      lane.fence();  // makes the stored values visible to the lane that continues
      if (lane.fetch_add(&arrivals[pair], 1u) % 2u == 0) return;
      lane.fence();  // makes the values that the other lane has stored visible
      node = tree.above[pair];
      tree.nodes[node].box =
          box_round(tree.nodes[2u * pair + 1u].box, tree.nodes[2u * pair + 2u].box);
      visit(pair, node);
    }
  }
};

/// As Refit, and also measures the subtrees.
struct RefitAndMeasure {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 node, LooseTree tree, u32* arrivals, Subtrees subtrees) {
    Refit::climb(lane, node, tree, arrivals, [&](u32 pair, u32) {
      const Node2 &a = tree.nodes[2u * pair + 1u], &b = tree.nodes[2u * pair + 2u];
      const u32 height_a = height_of(a, subtrees), height_b = height_of(b, subtrees);
      const u32 first_a = first_of(a, subtrees), first_b = first_of(b, subtrees);
      const u32 below = height_a > height_b ? height_a : height_b;
      subtrees.height[pair] = static_cast<u8>(below < kGreatestHeight ? below + 1u : below);
      subtrees.first[pair] = first_a < first_b ? first_a : first_b;
    });
  }

 private:
  BC_HD static u32 height_of(const Node2& node, const Subtrees& subtrees) {
    return node.count > 0 ? 0u : subtrees.height[pair_of(node.first)];
  }
  BC_HD static u32 first_of(const Node2& node, const Subtrees& subtrees) {
    return node.count > 0 ? node.first : subtrees.first[pair_of(node.first)];
  }
};

}  // namespace ballotcast::detail::reinsertion
