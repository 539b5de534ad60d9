// Strategies: how lanes report to a counter in global memory that their rays staged a leaf. A ray
// stages a leaf by stopping its walk there; a later step tests the leaf's triangles.
//
// A strategy is one file here and one row in strategies.hpp:
//
//   struct Name {
//     static constexpr StrategyInfo info{"name", Use::..., CounterMeaning::..., AtomicsPer::...,
//                                        "what it costs"};
//     struct Shared { ... };
//     // Every lane of the block calls this, once per launch.
//     static void report(lane, shared, counter, staged);   // Use::report: pipeline passes
//     static u32 reserve(lane, shared, counter, wanted);   // Use::reserve: pipeline queue
//   };
//
// Both functions expect the counter to be 0. After `report`, the counter holds what `info.counter`
// says. `reserve` returns a different slot to each lane that passes wanted = true. If n lanes of
// the grid want a slot, their slots are 0 to n - 1, and the counter becomes n. Other lanes get an
// arbitrary value.
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

/// What the counter holds after a strategy's `report`.
enum class CounterMeaning {
  rays,     // the number of rays that staged a leaf
  blocks,   // the number of blocks in which at least one ray staged a leaf
  any,      // 1 if at least one ray staged a leaf, else 0
  nothing,  // 0; the number of passes must be known from elsewhere
};

/// Which group of lanes shares one atomic on global memory. A group in which no lane has anything
/// to report issues no atomic.
enum class AtomicsPer {
  none,  // no atomics at all
  lane,
  warp,
  block,
  cluster,  // a cluster of blocks: kernels/strategies/laboratory/block_cluster.hpp
  varies,   // no fixed group; for example, the compiler decides
};

/// A row of the table of strategies.
struct StrategyInfo {
  std::string_view name;
  Use use;
  CounterMeaning counter;
  AtomicsPer atomics_per;
  std::string_view summary;
  u32 shards = 1;      // the result is the sum of this many counters
  u32 capability = 0;  // the oldest compute capability that has it, times 10; 0: any GPU

  constexpr bool reports() const { return use != Use::reserve; }
  constexpr bool reserves() const { return use != Use::report; }
};

/// The counter consists of one or more shards, which are added up. Neighbouring shards are
/// kShardStride words apart, which is one cache line.
inline constexpr u32 kMostShards = 64;
inline constexpr u32 kShardStride = 32;
inline constexpr u32 kCounterWords = kMostShards * kShardStride;

/// The counter: kCounterWords words in global memory. Most strategies use only the first word.
struct CounterView {
  u32* value;
  u32 never;  // 0xffffffff at run time, but the compiler does not know it; see Naive
};

/// The value of the counter, summed over its shards.
BC_HD inline u32 total_of(const CounterView& counter, u32 shards) {
  u32 total = 0;
  for (u32 shard = 0; shard < shards; ++shard) total += counter.value[shard * kShardStride];
  return total;
}

/// Sets the counter to 0.
BC_HD inline void clear(const CounterView& counter, u32 shards) {
  for (u32 shard = 0; shard < shards; ++shard) counter.value[shard * kShardStride] = 0u;
}

}  // namespace ballotcast::detail
