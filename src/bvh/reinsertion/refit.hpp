// Boxes from the leaves up. Host and device share this code.
#pragma once

#include "bvh/reinsertion/loose_tree.hpp"

namespace ballotcast::detail::reinsertion {

/// What is known of the subtree below each pair.
struct Subtrees {
  u32* first;  // the first triangle, in leaf order
  u8* height;  // number of inner nodes on the longest path down, the pair's parent included; at
               // most kGreatestHeight
};
inline constexpr u32 kGreatestHeight = 254;

/// Computes the boxes of all inner nodes. Once per node: each leaf climbs. At each pair the first
/// to come stops, and the second goes on. `arrivals`, one per pair, are even before and after.
struct Refit {
  template <class Lane>
  BC_HD static void item(Lane& lane, u32 node, LooseTree tree, u32* arrivals) {
    climb(lane, node, tree, arrivals, [](u32, u32) {});
  }

  /// As `item`. Calls visit(pair, parent) for each pair whose two subtrees are done.
  template <class Lane, class Visit>
  BC_HD static void climb(Lane& lane, u32 node, const LooseTree& tree, u32* arrivals, Visit visit) {
    if (tree.nodes[node].count == 0) return;
    while (node != 0) {
      const u32 pair = pair_of(node);
      lane.fence();  // the other child may read what was stored
      if (lane.fetch_add(&arrivals[pair], 1u) % 2u == 0) return;
      lane.fence();  // reads what the other child stored
      node = tree.above[pair];
      tree.nodes[node].box =
          box_round(tree.nodes[2u * pair + 1u].box, tree.nodes[2u * pair + 2u].box);
      visit(pair, node);
    }
  }
};

/// As Refit; also measures the subtrees.
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
