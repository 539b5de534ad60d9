// Rebuilds treelets on a machine: each treelet by a warp, each of its subtrees by a lane.
// bvh/reinsertion/treelets.cpp does the same on the host; bvh/reinsertion/treelets.hpp says what
// treelets are.
#pragma once

#include "bvh/reinsertion/treelets.hpp"
#include "kernels/lane.hpp"

namespace ballotcast::detail::reinsertion {

/// Each warp looks at 32 pairs of nodes, and rebuilds the treelets whose roots are the parents of
/// these pairs.
struct RebuildTreelets {
  static constexpr u32 kBlockSize = 128;
  static_assert(kTreeletLeaves == kWarpSize);

  /// A leaf of the treelet, which is a subtree of the scene's tree, and the best split that its
  /// lane has found. In shared memory, because the other lanes read both.
  struct alignas(16) TreeletLeaf {
    vec3 low;
    u32 index;  // position of the subtree in the order in which `open` found them
    vec3 high;
    u32 left_count;  // the size of the left side in the best split whose pivot is this subtree
    u64 key;         // the key of that split
  };

  struct OfWarp {
    TreeletLeaf leaves[kWarpSize];
    u32 pairs[kWarpSize];    // pairs of nodes to reuse; pair i is for the split at boundary i + 1
    u32 parents[kWarpSize];  // for each boundary: the index in the tree of its new inner node
    u32 places[kWarpSize];   // for each subtree: the index in the tree of its new root
  };
  struct Shared {
    OfWarp warps[kBlockSize / kWarpSize];
  };

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, LooseTree tree, u32 shift,
                            const u8* begins) {
    const u32 pair = lane.id();
    const bool mine = pair < tree.pairs() && begins[pair];
    for (u32 waiting = lane.ballot(mine); waiting != 0; waiting &= waiting - 1u)
      rebuild(lane, shared.warps[lane.warp()], tree, lane.shuffle(pair, lowest_bit(waiting)),
              shift);
  }

 private:
  /// Marks the place of the root, which does not change.
  static constexpr u32 kNoPlace = 0xffffffffu;

  /// A range of the final order that is still to be split, and the place of its root. All lanes of
  /// the range hold the same values.
  struct Segment {
    u32 from = 0, to = 0;
    u32 place = kNoPlace;

    BC_DEVICE u32 size() const { return to - from; }
  };

  template <class Lane>
  BC_DEVICE static void rebuild(Lane& lane, OfWarp& shared, const LooseTree& tree, u32 pair,
                                u32 shift) {
    const u32 me = lane.lane();
    Node2 own = tree.nodes[2u * pair + 1u + (me == 1u ? 1u : 0u)];
    const float area =
        half_area_of(box_round(tree.nodes[2u * pair + 1u].box, tree.nodes[2u * pair + 2u].box));
    const Scores scores(area);
    if (!scores.valid()) return;
    u32 old_score = 0, score = 0;
    const u32 count =
        open(lane, shared, tree, pair, shift, class_of(area, shift), scores, own, old_score);
    if (count < kFewestTreeletLeaves) return;
    Segment segment;
    if (me < count) segment.to = count;
    put(shared.leaves[me], own.box, me);
    lane.sync_warp();
    for (bool at_root = true; lane.any(segment.size() > 1u); at_root = false)
      split(lane, shared, segment, at_root, scores, score);
    if (me < count) shared.places[shared.leaves[me].index] = segment.place;
    if (is_better(lane.reduce_add(score), old_score)) {
      lane.sync_warp();
      store(me, shared, tree, own, count);
    }
    lane.sync_warp();
  }

  /// Collects the subtrees of the treelet, and the pairs of nodes that new inner nodes can reuse.
  /// Returns the number of subtrees.
  template <class Lane>
  BC_DEVICE static u32 open(Lane& lane, OfWarp& shared, const LooseTree& tree, u32 pair, u32 shift,
                            u32 root_class, const Scores& scores, Node2& own, u32& old_score) {
    u32 count = 2;
    // In lane k: the pair of nodes for the split at boundary k + 1; see OfWarp::pairs
    u32 pair_of_boundary = pair;
    for (; count < kTreeletLeaves; ++count) {
      const float area = half_area_of(own.box);
      const bool opens =
          lane.lane() < count && own.count == 0 && class_of(area, shift) == root_class;
      const u32 rank = opens ? bits_of(area) + 1u : 0u;
      u32 largest = rank;
      for (u32 mask = kWarpSize / 2; mask > 0; mask /= 2) {
        const u32 other = lane.shuffle_xor(largest, mask);
        largest = largest > other ? largest : other;
      }
      if (largest == 0u) break;
      old_score += scores.of(float_of(largest - 1u));
      const u32 who = lowest_bit(lane.ballot(rank == largest));
      const u32 first = lane.shuffle(own.first, who);
      if (lane.lane() == count - 1u) pair_of_boundary = pair_of(first);
      if (lane.lane() == who) own = tree.nodes[first];
      if (lane.lane() == count) own = tree.nodes[first + 1u];
    }
    shared.pairs[lane.lane()] = pair_of_boundary;
    lane.sync_warp();
    return count;
  }

  BC_DEVICE static void put(TreeletLeaf& leaf, const Aabb& box, u32 index) {
    leaf.low = box.low;
    leaf.high = box.high;
    leaf.index = index;
  }

  /// Splits each segment that has more than one subtree in two.
  template <class Lane>
  BC_DEVICE static void split(Lane& lane, OfWarp& shared, Segment& segment, bool at_root,
                              const Scores& scores, u32& score) {
    const u32 me = lane.lane();
    const bool splits = segment.size() > 1u;
    TreeletLeaf& mine = shared.leaves[me];
    const Aabb box = box_of(mine);
    const u32 index = mine.index;
    Best best;
    if (splits) best = best_split(shared, segment, box, index);
    mine.key = best.key;
    mine.left_count = best.left_count;
    lane.sync_warp();
    u32 boundary = 0;
    bool left = false;
    if (splits) {
      u32 pivot = segment.from;
      for (u32 j = segment.from + 1u; j < segment.to; ++j)
        if (shared.leaves[j].key < shared.leaves[pivot].key) pivot = j;
      const TreeletLeaf& at = shared.leaves[pivot];
      const u32 axis = static_cast<u32>(at.key) >> 8;
      left = comes_first(sort_coordinate(box, axis), index, sort_coordinate(box_of(at), axis),
                         at.index);
      boundary = segment.from + at.left_count;
      if (me == pivot) {
        shared.parents[boundary] = segment.place;
        if (at_root) {  // the root keeps its pair
          const u32 first = shared.pairs[0];
          shared.pairs[0] = shared.pairs[boundary - 1u];
          shared.pairs[boundary - 1u] = first;
        } else {
          score += scores.of(best.area);
        }
      }
    }
    const u32 all_left = lane.ballot(left);
    lane.sync_warp();  // all lanes have read the leaves
    if (splits) {
      const u32 before = all_left & lane.lanes_below() & ~((1u << segment.from) - 1u);
      const u32 left_before = count_bits(before);
      const u32 to =
          left ? segment.from + left_before : boundary + (me - segment.from - left_before);
      put(shared.leaves[to], box, index);
      const u32 first = 2u * shared.pairs[boundary - 1u] + 1u;
      segment.place = me < boundary ? first : first + 1u;
      (me < boundary ? segment.to : segment.from) = boundary;
    }
    lane.sync_warp();
  }

  /// The best split whose pivot is the subtree of this lane.
  struct Best {
    u64 key = ~u64{0};
    u32 left_count = 0;
    float area = 0.0f;  // the surface area of the segment's box
  };

  BC_DEVICE static Best best_split(const OfWarp& shared, const Segment& segment, const Aabb& own,
                                   u32 index) {
    constexpr float kFar = 3.402823466e38f;
    const float coordinates[3] = {sort_coordinate(own, 0), sort_coordinate(own, 1),
                                  sort_coordinate(own, 2)};
    Aabb left[3], right[3];
    u32 left_count[3] = {};
    BC_UNROLL
    for (u32 axis = 0; axis < 3; ++axis) left[axis] = right[axis] = {vec3(kFar), vec3(-kFar)};
    BC_NO_UNROLL
    for (u32 j = segment.from; j < segment.to; ++j) {
      const Aabb box = box_of(shared.leaves[j]);
      const u32 index_j = shared.leaves[j].index;
      BC_UNROLL
      for (u32 axis = 0; axis < 3; ++axis) {
        const bool is_left =
            comes_first(sort_coordinate(box, axis), index_j, coordinates[axis], index);
        left_count[axis] += is_left;
        if (is_left)
          left[axis] = box_round(left[axis], box);
        else
          right[axis] = box_round(right[axis], box);
      }
    }
    Best best;
    const u32 size = segment.size();
    best.area = half_area_of(box_round(left[0], right[0]));
    BC_UNROLL
    for (u32 axis = 0; axis < 3; ++axis) {
      if (left_count[axis] == size) continue;
      const float cost = split_cost(half_area_of(left[axis]), left_count[axis],
                                    half_area_of(right[axis]), size - left_count[axis]);
      const u64 key = split_key(cost, axis, index);
      if (key >= best.key) continue;
      best.key = key;
      best.left_count = left_count[axis];
    }
    return best;
  }

  BC_DEVICE static void store(u32 me, const OfWarp& shared, const LooseTree& tree, const Node2& own,
                              u32 count) {
    if (me >= count) return;
    if (me > 0 && shared.parents[me] != kNoPlace) {  // the inner node at boundary `me`
      const u32 pair = shared.pairs[me - 1u], place = shared.parents[me];
      tree.nodes[place].first = 2u * pair + 1u;
      tree.nodes[place].count = 0;
      tree.above[pair] = place;
    }
    tree.nodes[shared.places[me]] = own;
    adopt(tree, shared.places[me]);
  }

  BC_DEVICE static Aabb box_of(const TreeletLeaf& leaf) { return {leaf.low, leaf.high}; }
};

}  // namespace ballotcast::detail::reinsertion
