// Strategies: how the lanes of a grid tell a counter in global memory that they staged a leaf.
//
// A strategy is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr StrategyInfo info{"name", Use::..., Counts::..., AtomicsPer::...,
//                                        "what it costs"};
//     struct Shared { ... };
//     // Every lane of the block calls this, once a launch.
//     static void report(lane, shared, counter, staged);   // Use::report: pipeline passes
//     static u32 reserve(lane, shared, counter, wanted);   // Use::reserve: pipeline queue
//   };
//
// `report` leaves in the counter what `info.counts` says. `reserve` gives each lane that wants one
// a slot of its own in [0, lanes that want one) and leaves that number in the counter; lanes that
// want none get any value. The counter is 0 before.
#pragma once

#include <string_view>

#include "kernels/lane.hpp"

namespace ballotcast::detail {

/// What a strategy can do.
enum class Use {
  report,   // tell that something is staged
  reserve,  // give out slots of a queue
  both,
};

/// What a strategy's `report` leaves in the counter.
enum class Counts {
  rays,     // the number of rays that staged a leaf
  blocks,   // the number of blocks in which some ray did
  any,      // 1 if some ray did
  nothing,  // 0: a run must know its number of passes from elsewhere
};

/// How many lanes share one atomic on global memory, where any of them has staged something.
enum class AtomicsPer {
  none,  // there is no atomic
  lane,
  warp,
  block,
  varies,  // as the compiler has it
};

/// A row of the table of strategies.
struct StrategyInfo {
  std::string_view name;
  Use use;
  Counts counts;
  AtomicsPer atomics_per;
  std::string_view summary;
  u32 shards = 1;  // words that the number is spread over, to be added up

  constexpr bool reports() const { return use != Use::reserve; }
  constexpr bool reserves() const { return use != Use::report; }
};

/// Shards at most, and the distance between two: a cache line each.
inline constexpr u32 kMostShards = 64;
inline constexpr u32 kShardStride = 32;
inline constexpr u32 kCounterWords = kMostShards * kShardStride;

/// The global counter: kCounterWords words, of which most strategies use the first alone.
struct CounterView {
  u32* value;
  u32 never;  // 0xffffffff, unknown to the compiler: see Naive
};

/// What the counter holds, all shards together.
template <class Strategy>
BC_HD inline u32 total_of(const CounterView& counter) {
  u32 total = 0;
  for (u32 shard = 0; shard < Strategy::info.shards; ++shard)
    total += counter.value[shard * kShardStride];
  return total;
}

/// Sets the counter to 0.
template <class Strategy>
BC_HD inline void clear(const CounterView& counter) {
  for (u32 shard = 0; shard < Strategy::info.shards; ++shard)
    counter.value[shard * kShardStride] = 0u;
}

}  // namespace ballotcast::detail
