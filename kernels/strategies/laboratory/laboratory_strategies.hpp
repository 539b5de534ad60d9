// The laboratory: strategies that only the benchmark `bench atomics` runs. No kernel that casts
// rays is compiled with them.
#pragma once

#include <type_traits>

#include "kernels/strategies/laboratory/bin_atomics.hpp"
#include "kernels/strategies/laboratory/block_cluster.hpp"
#include "kernels/strategies/laboratory/ordered_adds.hpp"
#include "kernels/strategies/laboratory/spread.hpp"
#include "kernels/strategies/laboratory/warp_queues.hpp"
#include "kernels/strategies/laboratory/warp_shards.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using LaboratoryStrategies = TypeList<WarpShards, WarpQueues, ClusterCount, RedAsync, WarpAtom,
                                      WarpRelease, WarpSystem, Spread, BinAtomics>;

/// True if the kernels of `Strategy` are launched in clusters of blocks.
template <class Strategy>
inline constexpr bool kInClusters = Strategy::info.atomics_per == AtomicsPer::cluster;

/// The argument `counter` of a kernel with this strategy. `shards`: the number of counters, for
/// strategies with many counters. `room`: the capacity of each queue, for strategies with many
/// queues.
template <class Strategy>
BC_HD auto counter_for(CounterView counter, u32 shards, [[maybe_unused]] u32 room) {
  [[maybe_unused]] const ShardedCounter sharded{counter, shards};
  if constexpr (std::is_same_v<Strategy, WarpQueues> || std::is_same_v<Strategy, BinAtomics>)
    return ManyQueues{sharded, room};
  else if constexpr (std::is_same_v<Strategy, WarpShards> || std::is_same_v<Strategy, Spread>)
    return sharded;
  else
    return counter;
}

/// The row of strategy later: slots in the order of lanes. It is not a single kernel: one kernel
/// stores which lanes want a slot, and two more kernels make the queue (kernels/slots/later.hpp).
struct LaterSlots {
  static constexpr StrategyInfo info{"later", Use::reserve, CounterMeaning::rays, AtomicsPer::none,
                                     "a noted ballot per warp; two more kernels make the queue"};
};

/// The row of strategy bins: slots in several queues, in the order of lanes. One kernel stores the
/// bin of each lane by ballots, and three more kernels make the queues (kernels/slots/bins.hpp).
struct BinSlots {
  static constexpr StrategyInfo info{"bins", Use::reserve, CounterMeaning::rays, AtomicsPer::none,
                                     "noted bins; three more kernels make the queue of each"};
};

/// The row of strategy bin-sort: the queues of BinSlots, made by a sort of pairs, which on GPUs is
/// CUB's radix sort. Atomics within CUB are not counted.
struct BinSort {
  static constexpr StrategyInfo info{"bin-sort", Use::reserve, CounterMeaning::rays,
                                     AtomicsPer::varies,
                                     "pairs of bin and id, sorted by cub::DeviceRadixSort"};
};

}  // namespace ballotcast::detail
