// Rebuilds treelets on a machine: a warp per treelet, a lane per subtree. The twin is
// bvh/reinsertion/host_treelets.cpp; bvh/reinsertion/treelets.hpp says what treelets are.
#pragma once

#include "bvh/reinsertion/treelets.hpp"
#include "kernels/lane.hpp"

namespace ballotcast::detail::reinsertion {

/// Each warp looks at 32 pairs, and rebuilds the treelets that begin there.
struct RebuildTreelets {
  static constexpr u32 kBlockSize = 128;
  static_assert(kTreeletLeaves == kWarpSize);

  /// What a lane tells the others.
  struct alignas(16) Told {
    float low_x, low_y, low_z;
    u32 from;  // its segment: see `split`
    float high_x, high_y, high_z;
    u32 left_count;  // of the best split whose pivot is this lane
    u64 key;         // of that split
  };

  struct OfWarp {
    Told told[kWarpSize];
    u32 pairs[kWarpSize];    // free; pair i is for the split at boundary i + 1
    u32 parents[kWarpSize];  // per boundary: where the inner node goes
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
  /// The place of the root, which stays as it is.
  static constexpr u32 kNoPlace = 0xffffffffu;

  /// The subtree of a lane: where it was found, and where it goes.
  struct Subtree {
    Node2 node;
    u32 place = kNoPlace;
    u32 from = 0, to = 0;  // its segment
  };

  template <class Lane>
  BC_DEVICE static void rebuild(Lane& lane, OfWarp& shared, const LooseTree& tree, u32 pair,
                                u32 shift) {
    Subtree own;
    own.node = tree.nodes[2u * pair + 1u + (lane.lane() == 1u ? 1u : 0u)];
    const Aabb root = box_round(tree.nodes[2u * pair + 1u].box, tree.nodes[2u * pair + 2u].box);
    const Scores scores(half_area_of(root));
    if (!scores.valid()) return;
    u32 old_score = 0;
    const u32 count =
        open(lane, shared, tree, pair, shift, half_area_of(root), scores, own, old_score);
    if (count < kFewestTreeletLeaves) return;
    own.to = lane.lane() < count ? count : 0u;
    u32 score = 0;
    bool at_root = true;
    while (lane.any(own.to - own.from > 1u)) {
      split(lane, shared, own, at_root, scores, score);
      at_root = false;
    }
    if (is_better(lane.reduce_add(score), old_score)) store(lane, shared, tree, own, count);
    lane.sync_warp();
  }

  /// Finds the subtrees, and the pairs that are free for new inner nodes. Returns the number of
  /// subtrees.
  template <class Lane>
  BC_DEVICE static u32 open(Lane& lane, OfWarp& shared, const LooseTree& tree, u32 pair, u32 shift,
                            float root_area, const Scores& scores, Subtree& own, u32& old_score) {
    const u32 root_class = class_of(root_area, shift);
    u32 count = 2, pair_of_boundary = pair;  // of boundary lane + 1
    for (; count < kTreeletLeaves; ++count) {
      const float area = half_area_of(own.node.box);
      const bool opens =
          lane.lane() < count && own.node.count == 0 && class_of(area, shift) == root_class;
      const u32 rank = opens ? bits_of(area) + 1u : 0u;
      u32 largest = rank;
      for (u32 mask = kWarpSize / 2; mask > 0; mask /= 2) {
        const u32 other = lane.shuffle_xor(largest, mask);
        largest = largest > other ? largest : other;
      }
      if (largest == 0u) break;
      old_score += scores.of(float_of(largest - 1u));
      const u32 who = lowest_bit(lane.ballot(rank == largest));
      const u32 first = lane.shuffle(own.node.first, who);
      if (lane.lane() == count - 1u) pair_of_boundary = pair_of(first);
      if (lane.lane() == who) own.node = tree.nodes[first];
      if (lane.lane() == count) own.node = tree.nodes[first + 1u];
    }
    shared.pairs[lane.lane()] = pair_of_boundary;
    lane.sync_warp();
    return count;
  }

  /// Splits all segments that have more than one subtree. A segment is a range [from, to) of the
  /// final order; its subtrees are in any lanes.
  template <class Lane>
  BC_DEVICE static void split(Lane& lane, OfWarp& shared, Subtree& own, bool at_root,
                              const Scores& scores, u32& score) {
    const u32 me = lane.lane();
    Told& mine = shared.told[me];
    const vec3 low = own.node.box.low, high = own.node.box.high;
    mine.low_x = low.x, mine.low_y = low.y, mine.low_z = low.z;
    mine.high_x = high.x, mine.high_y = high.y, mine.high_z = high.z;
    const u32 size = own.to - own.from;
    mine.from = size > 1u ? own.from : kNoPlace;
    lane.sync_warp();
    Best best;
    if (size > 1u) best = best_split(shared, own, me);
    mine.key = best.key;
    mine.left_count = best.left_count;
    lane.sync_warp();
    if (size > 1u) {
      u64 key = ~u64{0};
      for (u32 j = 0; j < kWarpSize; ++j)
        if (shared.told[j].from == own.from && shared.told[j].key < key) key = shared.told[j].key;
      const u32 pivot = static_cast<u32>(key) & 0xffu, axis = static_cast<u32>(key) >> 8;
      const Aabb box = box_of(shared.told[pivot]);
      const u32 boundary = own.from + shared.told[pivot].left_count;
      if (at_root && me == pivot) {  // the root keeps its pair
        const u32 first = shared.pairs[0];
        shared.pairs[0] = shared.pairs[boundary - 1u];
        shared.pairs[boundary - 1u] = first;
      }
      const bool left = comes_first(place_of(own.node.box, axis), me, place_of(box, axis), pivot);
      if (me == pivot) {
        shared.parents[boundary] = own.place;
        if (!at_root) score += scores.of(best.area);
      }
      (left ? own.to : own.from) = boundary;
      own.place = boundary << 1 | (left ? 0u : 1u);
    }
    lane.sync_warp();
    // The pairs are final only now.
    if (size > 1u) own.place = 2u * shared.pairs[(own.place >> 1) - 1u] + 1u + (own.place & 1u);
  }

  /// The best split whose pivot is this lane.
  struct Best {
    u64 key = ~u64{0};
    u32 left_count = 0;
    float area = 0.0f;  // of the box round the segment
  };

  BC_DEVICE static Best best_split(const OfWarp& shared, const Subtree& own, u32 me) {
    constexpr float kFar = 3.402823466e38f;
    const float place[3] = {place_of(own.node.box, 0), place_of(own.node.box, 1),
                            place_of(own.node.box, 2)};
    Aabb left[3], right[3];
    u32 left_count[3] = {};
    BC_UNROLL
    for (u32 axis = 0; axis < 3; ++axis) left[axis] = right[axis] = {vec3(kFar), vec3(-kFar)};
    BC_NO_UNROLL
    for (u32 j = 0; j < kWarpSize; ++j) {
      if (shared.told[j].from != own.from) continue;
      const Aabb box = box_of(shared.told[j]);
      BC_UNROLL
      for (u32 axis = 0; axis < 3; ++axis) {
        const bool is_left = comes_first(place_of(box, axis), j, place[axis], me);
        left_count[axis] += is_left;
        if (is_left)
          left[axis] = box_round(left[axis], box);
        else
          right[axis] = box_round(right[axis], box);
      }
    }
    Best best;
    const u32 size = own.to - own.from;
    best.area = half_area_of(box_round(left[0], right[0]));
    BC_UNROLL
    for (u32 axis = 0; axis < 3; ++axis) {
      if (left_count[axis] == size) continue;
      const float cost = split_cost(half_area_of(left[axis]), left_count[axis],
                                    half_area_of(right[axis]), size - left_count[axis]);
      const u64 key = split_key(cost, axis, me);
      if (key >= best.key) continue;
      best.key = key;
      best.left_count = left_count[axis];
    }
    return best;
  }

  template <class Lane>
  BC_DEVICE static void store(Lane& lane, const OfWarp& shared, const LooseTree& tree,
                              const Subtree& own, u32 count) {
    const u32 boundary = lane.lane();
    if (boundary >= count) return;
    if (boundary > 0 && shared.parents[boundary] != kNoPlace) {
      const u32 pair = shared.pairs[boundary - 1u], place = shared.parents[boundary];
      tree.nodes[place].first = 2u * pair + 1u;
      tree.nodes[place].count = 0;
      tree.above[pair] = place;
    }
    tree.nodes[own.place] = own.node;
    adopt(tree, own.place);
  }

  BC_DEVICE static Aabb box_of(const Told& told) {
    return {{told.low_x, told.low_y, told.low_z}, {told.high_x, told.high_y, told.high_z}};
  }
};

}  // namespace ballotcast::detail::reinsertion
