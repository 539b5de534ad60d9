// Strategies that only the benchmark `bench atomics` runs. No kernel that casts rays is compiled
// for them.
#pragma once

#include <type_traits>

#include "kernels/strategies/laboratory/ordered_adds.hpp"
#include "kernels/strategies/laboratory/spread.hpp"
#include "kernels/strategies/laboratory/warp_queues.hpp"
#include "kernels/strategies/laboratory/warp_shards.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using LaboratoryStrategies =
    TypeList<WarpShards, WarpQueues, WarpAtom, WarpRelease, WarpSystem, Spread>;

/// The counter that a kernel with this strategy gets. `room`: the capacity of each queue, for
/// strategies with many queues.
template <class Strategy>
BC_HD auto counter_for(CounterView counter, u32 shards, [[maybe_unused]] u32 room) {
  [[maybe_unused]] const ShardedCounter sharded{counter, shards};
  if constexpr (std::is_same_v<Strategy, WarpQueues>)
    return ManyQueues{sharded, room};
  else if constexpr (std::is_same_v<Strategy, WarpShards> || std::is_same_v<Strategy, Spread>)
    return sharded;
  else
    return counter;
}

/// The row for slots in the order of lanes. This strategy is not a single kernel: lanes note that
/// they want a slot, and two more kernels make the queue (kernels/slots/later.hpp).
struct LaterSlots {
  static constexpr StrategyInfo info{"later", Use::reserve, CounterMeaning::rays, AtomicsPer::none,
                                     "a noted ballot per warp; two more kernels make the queue"};
};

}  // namespace ballotcast::detail
