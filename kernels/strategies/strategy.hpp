// Strategies: how the lanes of a grid report to a counter in global memory that they staged a leaf.
// A ray stages a leaf by stopping its walk there; a later step tests the leaf's triangles.
//
// A strategy is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr StrategyInfo info{"name", Use::..., Counts::..., AtomicsPer::...,
//                                        "what it costs"};
//     struct Shared { ... };
//     // Every lane of the block calls this, once per launch.
//     static void report(lane, shared, counter, staged);   // Use::report: pipeline passes
//     static u32 reserve(lane, shared, counter, wanted);   // Use::reserve: pipeline queue
//   };
//
// Both expect the counter to be 0. `report` leaves in the counter what `info.counts` says.
// `reserve` gives each lane with `wanted` a slot of its own in [0, n), where n is the number of
// these lanes in the grid, and leaves n in the counter. It gives other lanes an arbitrary value.
#pragma once

#include <string_view>

#include "kernels/lane.hpp"

namespace ballotcast::detail {

/// What a strategy can do.
enum class Use {
  report,   // report that a leaf is staged
  reserve,  // reserve slots of a queue
  both,
};

/// What a strategy's `report` leaves in the counter.
enum class Counts {
  rays,     // the number of rays that staged a leaf
  blocks,   // the number of blocks in which at least one ray staged a leaf
  any,      // 1 if at least one ray staged a leaf, else 0
  nothing,  // 0; the number of passes must be known from elsewhere
};

/// How many lanes share one atomic on global memory, given that one of them has something to
/// report.
enum class AtomicsPer {
  none,  // no atomics at all
  lane,
  warp,
  block,
  varies,  // the compiler decides
};

/// A row of the table of strategies.
struct StrategyInfo {
  std::string_view name;
  Use use;
  Counts counts;
  AtomicsPer atomics_per;
  std::string_view summary;
  u32 shards = 1;  // the result is the sum of this many counters

  constexpr bool reports() const { return use != Use::reserve; }
  constexpr bool reserves() const { return use != Use::report; }
};

/// The most shards, and the distance between two shards in words: one cache line.
inline constexpr u32 kMostShards = 64;
inline constexpr u32 kShardStride = 32;
inline constexpr u32 kCounterWords = kMostShards * kShardStride;

/// The global counter: kCounterWords words. Most strategies use only the first.
struct CounterView {
  u32* value;
  u32 never;  // 0xffffffff at run time, but the compiler does not know it; see Naive
};

/// The value of the counter, summed over its shards.
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
