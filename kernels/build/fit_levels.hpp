// Computes the boxes of a tree level by level, from the leaves up.
//
//   height 0   leaves: from their triangles
//   height 1   pairs of two leaves
//   height 2   pairs whose subtrees are at most 1 high      each level is a launch, or in the upper
//   ...                                                     levels a turn of a single block
//
// A pair is two siblings (reinsertion/loose_tree.hpp); its height is that of the higher subtree,
// plus 1. So nobody waits for anybody within a level. Lanes that climb from leaf to root, with an
// atomic at each pair and fences around it (reinsertion::Refit), take twice the time on an H200.
//
// Pairs are sorted by height when a tree is built, by counting. Their order within a level depends
// on the machine's timing; no box depends on it.
#pragma once

#include <vector>

#include "bvh/refit.hpp"
#include "kernels/lane.hpp"

namespace ballotcast::detail {

/// Of pairs. Trees are at most kDeepestLevel high.
inline constexpr u32 kHeights = 64;
static_assert(kDeepestLevel < kHeights);

/// The pairs of a tree, sorted by height.
struct PairsByHeight {
  u8* heights;  // of each pair
  u32* pairs;
  u32* starts;   // pairs[starts[h]] is the first of height h; kHeights + 1 elements
  u32* cursors;  // kHeights; scratch memory of sorting
};

/// Counts the pairs of each height: adds to `cursors`, which start as zeros. `kPlace`: instead puts
/// the pairs into their order; the cursors start as the starts.
template <bool kPlace>
struct SortPairs {
  static constexpr u32 kBlockSize = 512;
  struct Shared {
    u32 counts[kHeights];
  };

  /// `nodes`: the number of nodes of the tree; in the memory of the machine.
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, const u32* nodes, PairsByHeight sorted) {
    const u32 pair = lane.id(), thread = lane.thread();
    if (thread < kHeights) shared.counts[thread] = 0u;
    lane.sync_block();
    const bool exists = pair < *nodes / 2u;
    const u32 height = exists ? sorted.heights[pair] : 0u;
    const u32 rank = exists ? lane.fetch_add(&shared.counts[height], 1u) : 0u;
    lane.sync_block();
    if (thread < kHeights && shared.counts[thread] > 0u)
      shared.counts[thread] = lane.fetch_add(&sorted.cursors[thread], shared.counts[thread]);
    if (!kPlace) return;
    lane.sync_block();
    if (exists) sorted.pairs[shared.counts[height] + rank] = pair;
  }
};

/// Turns counts into starts. Once.
struct StartsOfHeights {
  BC_HD static void item(u32, PairsByHeight sorted) {
    u32 sum = 0u;
    for (u32 h = 0u; h < kHeights; ++h) {
      const u32 count = sorted.cursors[h];
      sorted.starts[h] = sorted.cursors[h] = sum;
      sum += count;
    }
    sorted.starts[kHeights] = sum;
  }
};

/// Computes the box of a leaf from the triangles in leaf order. Once per node.
struct FitLeaf {
  BC_HD static void item(u32 place, Node2* nodes, const TriangleRows* triangles) {
    if (nodes[place].count > 0) nodes[place].box = box_of_leaf(nodes[place], triangles);
  }
};

/// Computes the boxes of the parents of all pairs of one height.
struct FitLevel {
  static constexpr u32 kBlockSize = 256;
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, const u32* to_fit, u32 height,
                            reinsertion::LooseTree tree, PairsByHeight sorted) {
    if (*to_fit == 0u) return;
    const u32 end = sorted.starts[height + 1u];
    for (u32 i = sorted.starts[height] + lane.id(); i < end; i += lane.grid_size())
      fit(tree, sorted.pairs[i]);
  }

  BC_HD static void fit(const reinsertion::LooseTree& tree, u32 pair) {
    tree.nodes[tree.above[pair]].box =
        reinsertion::box_round(tree.nodes[2u * pair + 1u].box, tree.nodes[2u * pair + 2u].box);
  }
};

/// As FitLevel, for all heights from `height` on. For a single block.
struct FitUpperLevels {
  static constexpr u32 kBlockSize = 1024;
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, const u32* to_fit, u32 height,
                            reinsertion::LooseTree tree, PairsByHeight sorted) {
    if (*to_fit == 0u) return;
    const u32 all = sorted.starts[kHeights];
    for (; sorted.starts[height] < all; ++height) {
      const u32 end = sorted.starts[height + 1u];
      for (u32 i = sorted.starts[height] + lane.thread(); i < end; i += kBlockSize)
        FitLevel::fit(tree, sorted.pairs[i]);
      lane.sync_block();
    }
  }
};

}  // namespace ballotcast::detail
