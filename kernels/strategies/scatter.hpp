// Two ways in which each lane adds to a counter of its choice: with an atomic per lane, as strategy
// naive does, or with an atomic per warp and counter, as strategy warp-ballot does.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each lane with `wanted` adds 1 to sums[place] with its own atomic.
struct ScatterPerLane {
  template <class Lane>
  BC_DEVICE static void add(Lane& lane, u64* sums, u32 place, bool wanted) {
    if (wanted) lane.fetch_add(sums + place, 1u);
  }
};

/// Adds 1 to sums[place] for each lane with `wanted`. The warp votes once for each different place
/// among its lanes, and one lane adds the number of yes votes. Cost: one atomic per warp and place.
///
///   lane            0  1  2  3  4  5  6  7      (drawn with 8 of the 32 lanes)
///   place           7  7  9  .  7  9  7  .
///   1st vote: 7     x  x  .  .  x  .  x  .      lane 0: fetch_add(sums + 7, 4)
///   2nd vote: 9     .  .  x  .  .  x  .  .      lane 2: fetch_add(sums + 9, 2)
struct ScatterPerWarp {
  template <class Lane>
  BC_DEVICE static void add(Lane& lane, u64* sums, u32 place, bool wanted) {
    for (u32 left = lane.ballot(wanted); left != 0u;) {
      const u32 first = lowest_bit(left);
      const u32 chosen = lane.shuffle(place, first, kWarpSize);
      const u32 ayes = lane.ballot(wanted && place == chosen);
      if (lane.lane() == first) lane.fetch_add(sums + chosen, count_bits(ayes));
      left &= ~ayes;
    }
  }
};

}  // namespace ballotcast::detail
