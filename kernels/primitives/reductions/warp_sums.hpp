// Reductions in which each warp sums its own values, with shuffles or with one instruction. Then
// the first warp adds up the sums of all warps.
#pragma once

#include "kernels/primitives/reductions/reduction.hpp"

namespace ballotcast::detail {

/// The shared memory of these reductions: one word per warp, for its sum.
struct SumOfEachWarp {
  u32 sums[kMostWarps];
};

/// Returns the sum over the block to lane 0 of the block. `warp_sum(value)` must return the sum
/// over a warp to lane 0 of that warp. Cost: one barrier.
template <class Lane, class WarpSum>
BC_DEVICE inline u32 sum_by_warps(Lane& lane, SumOfEachWarp& shared, u32 value, WarpSum warp_sum) {
  const u32 own = warp_sum(value);
  if (lane.lane() == 0u) shared.sums[lane.warp()] = own;
  lane.sync_block();
  if (lane.warp() != 0u) return 0u;
  return warp_sum(lane.lane() < lane.block_size() / kWarpSize ? shared.sums[lane.lane()] : 0u);
}

/// Sums a warp by five shuffles (J. Luitjens, Faster Parallel Reductions on Kepler, 2014).
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

/// Sums a warp by one instruction. GPUs before compute capability 8.0 lack this instruction and use
/// shuffles.
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

/// ShuffleBlock, after each lane has summed its share of all values.
struct StridedShuffle : ShuffleBlock {
  static constexpr PrimitiveInfo info{"stride-shuffle",
                                      "four values per load, loads a grid apart; then shuffles"};
  static constexpr bool kStrided = true;
};

/// ReduxBlock, after each lane has summed its share of all values.
struct StridedRedux : ReduxBlock {
  static constexpr PrimitiveInfo info{"stride-redux",
                                      "four values per load, loads a grid apart; then redux"};
  static constexpr bool kStrided = true;
};

}  // namespace ballotcast::detail
