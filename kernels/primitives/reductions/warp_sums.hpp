// Reductions in which each warp sums its own values; then the first warp sums the warps' sums. A
// warp sums with shuffles or with one instruction.
#pragma once

#include "kernels/primitives/reductions/reduction.hpp"

namespace ballotcast::detail {

/// One shared word per warp, for its sum.
struct SumOfEachWarp {
  u32 sums[kMostWarps];
};

/// The sum over the block, for lane 0 of the block. `warp_sum(value)` must return the sum over the
/// warp to the warp's lane 0. Cost: one barrier.
template <class Lane, class WarpSum>
BC_DEVICE inline u32 sum_by_warps(Lane& lane, SumOfEachWarp& shared, u32 value, WarpSum warp_sum) {
  const u32 own = warp_sum(value);
  if (lane.lane() == 0u) shared.sums[lane.warp()] = own;
  lane.sync_block();
  if (lane.warp() != 0u) return 0u;
  return warp_sum(lane.lane() < lane.block_size() / kWarpSize ? shared.sums[lane.lane()] : 0u);
}

/// Five shuffles per warp (J. Luitjens, Faster Parallel Reductions on Kepler, 2014).
struct ShuffleBlock {
  static constexpr PrimitiveInfo info{"shuffle",
                                      "five shuffles per warp, then over the warps' sums"};
  static constexpr bool kStrided = false;
  using Shared = SumOfEachWarp;

  template <class Lane>
  BC_DEVICE static u32 sum(Lane& lane, Shared& shared, u32 value) {
    return sum_by_warps(lane, shared, value, [&](u32 v) {
      for (u32 distance = kWarpSize / 2u; distance > 0u; distance /= 2u)
        v += lane.shuffle_down(v, distance);
      return v;
    });
  }
};

/// One instruction per warp. GPUs before compute capability 8.0 lack it and use shuffles.
struct ReduxBlock {
  static constexpr PrimitiveInfo info{"redux",
                                      "one instruction per warp, then over the warps' sums"};
  static constexpr bool kStrided = false;
  using Shared = SumOfEachWarp;

  template <class Lane>
  BC_DEVICE static u32 sum(Lane& lane, Shared& shared, u32 value) {
    return sum_by_warps(lane, shared, value, [&](u32 v) { return lane.reduce_add(v); });
  }
};

/// As ShuffleBlock, after each lane has summed its share of all values.
struct StridedShuffle : ShuffleBlock {
  static constexpr PrimitiveInfo info{"stride-shuffle",
                                      "four values per load, loads a grid apart; then shuffles"};
  static constexpr bool kStrided = true;
};

/// As ReduxBlock, after each lane has summed its share of all values.
struct StridedRedux : ReduxBlock {
  static constexpr PrimitiveInfo info{"stride-redux",
                                      "four values per load, loads a grid apart; then redux"};
  static constexpr bool kStrided = true;
};

}  // namespace ballotcast::detail
