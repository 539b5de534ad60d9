// The loop that repeats passes until no ray stages a leaf (reaches a leaf to be tested), and the
// data that a cast keeps in the machine's memory between two passes.
#pragma once

#include <vector>

#include "ballotcast/frame.hpp"
#include "kernels/pipelines/cast_plan.hpp"
#include "kernels/strategies/strategy.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// The progress of a cast. One thread writes it between passes.
struct CastProgress {
  u32 passes;   // passes done
  u32 done;     // 1: in the last pass no ray staged a leaf
  u32 live;     // counter of the last pass; the number of all rays if the strategy counts nothing
  u32 rays;     // rays in the batch
  u32 room;     // the largest value that a counter may have: all rays, or the queue's capacity
  u32 limit;    // number of passes to do, if the strategy counts nothing
  u32 excess;   // 1: a counter exceeded `room` and the cast was stopped
  u32 far;      // number of the last cast with rays from far origins (geometry/far_origin.hpp)
  u64 counter;  // sum of the counter over all passes
};

/// The data that a cast keeps in the machine's memory, and facts about the counter of its strategy.
/// The facts are numbers, not template arguments, so that the kernel that ends a pass is compiled
/// once for all strategies.
struct CastMemory {
  CastProgress* progress;
  // Two counters of kCounterWords words each: even passes use the first, odd passes the second.
  u32* counters;
  u32 never;                // 0xffffffff; see CounterView
  u32 number;               // number of the cast, unique among casts
  u32 shards = 1;           // StrategyInfo::shards
  bool is_counted = false;  // false: the strategy counts nothing

  BC_HD CounterView counter(u32 pass) const {
    return {counters + pass % 2u * kCounterWords, never};
  }
};

/// The memory of a cast with a strategy.
template <class Machine>
CastMemory cast_memory(Machine& machine, const StrategyInfo& strategy) {
  CastMemory memory = machine.cast_memory();
  memory.shards = strategy.shards;
  memory.is_counted = strategy.counter != CounterMeaning::nothing;
  return memory;
}

/// Prepares a cast. One thread calls it before the first pass. It does not write progress.far,
/// because other threads may set progress.far at the same time (StartRay). The first pass reads the
/// number of live rays from the counter of odd passes, so that counter starts as the number of all
/// rays.
BC_HD inline void begin_cast(const CastMemory& memory, u32 rays, u32 room, u32 limit) {
  CastProgress& progress = *memory.progress;
  progress.passes = progress.done = progress.excess = 0u;
  progress.live = progress.rays = rays;
  progress.room = room;
  progress.limit = limit;
  progress.counter = 0u;
  clear(memory.counter(0), memory.shards);
  clear(memory.counter(1), memory.shards);
  memory.counter(1).value[0] = rays;
}

/// Ends a pass: updates the progress and clears the counter of the next pass. One thread calls it
/// after all lanes of the pass have reported and before any lane of the next pass reports. A pass
/// that was launched after the cast was done is not counted. If a counter is larger than `room`,
/// the cast ends, because the queue then holds no valid list of rays.
BC_HD inline void end_pass(const CastMemory& memory, u32 pass) {
  CastProgress progress = *memory.progress;
  if (progress.done == 0u) {
    const u32 value = total_of(memory.counter(pass), memory.shards);
    ++progress.passes;
    progress.counter += value;
    if (value > progress.room) {
      progress.excess = progress.done = 1u;
      progress.live = 0u;
    } else if (!memory.is_counted) {
      progress.done = progress.passes >= progress.limit ? 1u : 0u;
    } else {
      progress.live = value;
      progress.done = value == 0u ? 1u : 0u;
    }
    *memory.progress = progress;
  }
  clear(memory.counter(pass + 1u), memory.shards);
}

/// The result of a cast after its last pass.
struct PassesDone {
  CastCounts counts;
  bool may_be_far;  // true if some rays may start far away (geometry/far_origin.hpp)
};

/// The counts of a finished cast. Throws DeviceError if the counter of a pass exceeded `room`.
template <class Machine>
PassesDone finished(Machine& machine, const CastMemory& memory, const CastProgress& progress) {
  if (progress.excess)
    machine.fail(
        "the rays still alive were counted as more than there is room for, so the cast was given "
        "up: the device's memory is damaged, or a strategy miscounts; pipeline warp needs no "
        "count");
  return {{progress.rays, progress.passes, progress.counter}, progress.far == memory.number};
}

/// Calls pass(number, most) until the cast is done. `most` is an upper bound on the number of live
/// rays; it becomes smaller during the cast only if `shrinks` is true. Each pass must end with
/// end_pass. With Loop::Who::graph, all passes after pass 0 have number 1 or 2, so a pass may
/// depend only on whether its number is 0, odd or even. `launch` holds everything on which the
/// launches of a pass depend, so casts with an equal `launch` can share a graph. With
/// Loop::Who::host, on_pass(number, live) is called after each pass whose counter the host has
/// read.
template <class Machine, class Launch>
PassesDone repeat_passes(Machine& machine, const CastPlan& plan, const CastMemory& memory, u32 rays,
                         bool shrinks, const Launch& launch,
                         FunctionRef<void(u32 number, u32 most)> pass,
                         FunctionRef<void(u32 number, u32 live)> on_pass) {
  if (plan.loop.who == Loop::Who::graph) {
    pass(0u, rays);
    // A loop of a CUDA graph can't change the grid sizes of its kernels. So there are several
    // loops, each with a grid 16 times smaller than the one before. Below 4096 lanes there is no
    // further loop: such a grid is a small part of a GPU.
    std::vector<u32> sizes{rays};
    for (u32 size = rays / 16u; shrinks && size >= 4096u; size /= 16u) sizes.push_back(size);
    machine.repeat(launch, static_cast<const CastProgress*>(memory.progress), sizes, [&](u32 most) {
      pass(1u, most);
      pass(2u, most);
    });
    return finished(machine, memory, machine.read(memory.progress));
  }
  if (!memory.is_counted) {
    for (u32 number = 0; number < plan.passes; ++number) pass(number, rays);
    return {{rays, plan.passes, 0}, true};
  }
  u32 most = rays;
  for (u32 number = 0;;) {
    for (u32 k = 0; k < plan.loop.every; ++k) pass(number++, most);
    const CastProgress progress = machine.read(memory.progress);
    on_pass(number - 1u, progress.live);
    if (progress.done) return finished(machine, memory, progress);
    if (shrinks) most = progress.live;
  }
}

}  // namespace ballotcast::detail
