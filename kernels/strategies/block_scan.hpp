// Strategy block-scan: one atomic reserves the queue slots of a whole block.
#pragma once

#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// Each warp votes by ballot. The first warp adds up the yes votes of all warps, reserves that many
/// slots with one atomic, and writes where the slots of each warp begin. The slots go to the lanes
/// in the order of the block's threads. Cost: two barriers per block, and one atomic per block in
/// which a lane wants a slot.
///
///   warp             0            1            2         (drawn with 4 lanes per warp)
///   wanted      .  x  x  .   .  .  .  x   x  x  .  .
///   ayes             2            1            2         shared.words, from one ballot per warp
///   base = fetch_add(counter, 2 + 1 + 2)                 last lane of the first warp
///   first          base        base + 2     base + 3     shared.words again
///   slot - base    0  1               2   3  4           first + lower lanes of this warp that
///                                                        want one
///
/// The alternative, in which each warp adds up the votes of the warps before it, costs about 40
/// instructions more per warp in a block of 256 lanes. This is measurable where lanes have little
/// other work.
struct BlockScan {
  static constexpr StrategyInfo info{"block-scan", Use::reserve, CounterMeaning::rays,
                                     AtomicsPer::block,
                                     "a scan of ballots, and at most one atomic per block"};
  struct Shared {
    u32 words[kMostWarps];  // for each warp: first its number of yes votes, then its first slot
  };

  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared& shared, CounterView counter, bool wanted) {
    const u32 ayes = lane.ballot(wanted);
    if (lane.lane() == 0u) shared.words[lane.warp()] = count_bits(ayes);
    lane.sync_block();
    if (lane.warp() == 0u) reserve_for_warps(lane, shared, counter);
    lane.sync_block();
    return shared.words[lane.warp()] + count_bits(ayes & lane.lanes_below());
  }

 private:
  /// Replaces each warp's number of votes by that warp's first slot. The lanes of the first warp
  /// call this, lane i for warp i.
  template <class Lane>
  BC_DEVICE static void reserve_for_warps(Lane& lane, Shared& shared, CounterView counter) {
    const u32 warps = lane.block_size() / kWarpSize;
    const u32 own = lane.lane() < warps ? shared.words[lane.lane()] : 0u;
    u32 up_to = own;  // the votes of this lane's warp and of the warps before it
    for (u32 distance = 1u; distance < kWarpSize; distance *= 2u) {
      const u32 before = lane.shuffle_up(up_to, distance);
      if (lane.lane() >= distance) up_to += before;
    }
    constexpr u32 kLast = kWarpSize - 1u;  // the lane that knows the votes of all warps
    u32 base = 0u;
    if (lane.lane() == kLast && up_to != 0u) base = lane.fetch_add(counter.value, up_to);
    base = lane.shuffle(base, kLast);
    if (lane.lane() < warps) shared.words[lane.lane()] = base + up_to - own;
  }
};

}  // namespace ballotcast::detail
