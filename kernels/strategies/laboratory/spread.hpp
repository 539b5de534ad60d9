// Strategy spread: one atomic per lane, on one of many adjacent counters.
#pragma once

#include "kernels/strategies/laboratory/warp_shards.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {

/// Each lane that hits adds 1 to a pseudo-random counter, with its own atomic, as in a histogram.
/// The counters are adjacent words. Cost: up to 32 atomics per warp. With more counters, fewer
/// lanes add to the same counter.
struct Spread {
  static constexpr StrategyInfo info{"spread", Use::report, CounterMeaning::rays, AtomicsPer::lane,
                                     "one atomic per lane, on a random one of adjacent counters"};
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void report(Lane& lane, Shared&, ShardedCounter counter, bool staged) {
    const u32 choice = mix_bits(lane.id() + kOther) & (counter.shards - 1u);
    if (staged) lane.fetch_add(counter.words.value + choice, 1u);
  }

 private:
  // Makes this hash independent of the hash that decides which rays hit.
  static constexpr u32 kOther = 0x9e3779b9u;
};

}  // namespace ballotcast::detail
