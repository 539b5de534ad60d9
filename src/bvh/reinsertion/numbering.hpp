// The places of nodes and triangles after subtrees have moved. Host and device share this code.
//
// Pairs are sorted by the first triangle below them, and the higher ones first. So subtrees lie
// together again, each behind its parent. Pairs higher than kGreatestHeight count as equally high,
// so some of them may lie before their parents. Nothing relies on their order: a tree that deep is
// made shallow before it is encoded, which numbers its nodes anew.
#pragma once

#include "bvh/arrange.hpp"
#include "bvh/ploc/numbering.hpp"
#include "bvh/reinsertion/refit.hpp"

namespace ballotcast::detail::reinsertion {

/// The bits of a pair's key: a multiple of 8.
inline constexpr u32 kPairKeyBits = 40;

/// Computes a key per pair. The pair of the root's children comes first. Also tells the depth.
struct MakePairKeys {
  BC_HD static void item(u32 pair, LooseTree tree, Subtrees subtrees, u64* keys, u32* pairs,
                         u32* depth) {
    const u64 key = u64{subtrees.first[pair]} << 8 | (kGreatestHeight + 1u - subtrees.height[pair]);
    keys[pair] = tree.above[pair] == 0 ? 0 : key;
    pairs[pair] = pair;
    if (tree.above[pair] == 0) *depth = subtrees.height[pair];
  }
};

/// Finds the number of each pair, and counts the triangles in its leaves for a prefix sum.
struct CountPairs {
  BC_HD static void item(u32 number, LooseTree tree, const u32* sorted, u32* number_of,
                         u8* counts) {
    const u32 pair = sorted[number];
    number_of[pair] = number;
    counts[number] = static_cast<u8>(ploc::kInner + tree.nodes[2u * pair + 1u].count +
                                     tree.nodes[2u * pair + 2u].count);
    if (number == 0) counts[tree.pairs()] = 0;
  }
};

/// A loose tree with its pairs in their final order.
struct OrderedTree {
  LooseTree tree;
  const u32* order;            // of triangles, before
  const u32* sorted;           // per number: the pair
  const u32* number_of;        // per pair
  const ploc::Before* before;  // per number

  BC_HD bool has(u32) const { return true; }
  BC_HD u32 number(u32 i) const { return i; }
  BC_HD Child root() const { return child(tree.nodes[0], 0); }
  BC_HD Child left(u32 i) const { return child(node(i, 1), before[i].triangles); }
  BC_HD Child right(u32 i) const {
    return child(node(i, 2), before[i].triangles + node(i, 1).count);
  }

  /// Calls visit(to, triangle) for the triangles in the leaves of a pair.
  template <class Visit>
  BC_HD void for_each_triangle(u32 i, Visit visit) const {
    u32 to = before[i].triangles;
    for (u32 side = 1; side <= 2; ++side) {
      const Node2& leaf = node(i, side);
      for (u32 k = 0; k < leaf.count; ++k) visit(to++, order[leaf.first + k]);
    }
  }

 private:
  BC_HD const Node2& node(u32 i, u32 side) const { return tree.nodes[2u * sorted[i] + side]; }
  BC_HD Child child(const Node2& node, u32 triangles) const {
    return {node.box.low, node.box.high, node.count,
            node.count > 0 ? triangles : number_of[pair_of(node.first)]};
  }
};

}  // namespace ballotcast::detail::reinsertion
