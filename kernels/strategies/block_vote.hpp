// Strategy block-vote, the default of pipelines passes and queue: a barrier collects the votes of
// the block's lanes; at most one atomic per block.
#pragma once

#include "kernels/strategies/block_scan.hpp"

namespace ballotcast::detail {

/// The barrier itself carries the vote (__syncthreads_or), so there is no shared flag to clear.
/// Slots are reserved by BlockScan, unless no lane of the block wants a slot. Cost: one barrier and
/// at most one atomic per block; BlockScan needs two more barriers.
struct BlockVote {
  static constexpr StrategyInfo info{"block-vote", Use::both, CounterMeaning::blocks,
                                     AtomicsPer::block,
                                     "a barrier that votes, and at most one atomic per block"};
  using Shared = BlockScan::Shared;

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, CounterView counter, bool staged) {
    const bool any = lane.block_or(staged);
    if (any && lane.thread() == 0u) lane.fetch_add(counter.value, 1u);
  }

  template <class Lane>
  BC_DEVICE static u32 reserve(Lane& lane, Shared& shared, CounterView counter, bool wanted) {
    // All lanes of the block get the same vote, so all of them run the block scan or none does.
    return lane.block_or(wanted) ? BlockScan::reserve(lane, shared, counter, wanted) : 0u;
  }
};

}  // namespace ballotcast::detail
