// Passes until nothing is staged: what a cast keeps in the machine's memory between passes, and who
// looks at it there.
#pragma once

#include <vector>

#include "ballotcast/frame.hpp"
#include "kernels/pipelines/cast_plan.hpp"
#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// How far a cast is. Written by one thread between passes.
struct CastProgress {
  u32 passes;   // done
  u32 done;     // 1: the last pass staged nothing
  u32 live;     // what the last pass left in the counter; all rays, where nothing is counted
  u32 rays;     // of the batch
  u32 room;     // the most that a counter can hold: all rays, or what a queue has room for
  u32 limit;    // passes, where nothing is counted
  u32 excess;   // 1: a counter exceeded `room`, and the cast was given up
  u32 far;      // number of the last cast with rays from far away (geometry/far_origin.hpp)
  u64 counter;  // the sum over all passes
};

/// What a cast keeps in the machine's memory.
struct CastMemory {
  CastProgress* progress;
  u32* counters;  // two of kCounterWords words, which take turns
  u32 never;      // see CounterView
  u32 number;     // of the cast, which no other one has

  BC_HD CounterView counter(u32 pass) const {
    return {counters + pass % 2u * kCounterWords, never};
  }
};

/// Before the first pass, by one thread, while others may find rays from far away. The pass before
/// it left all rays alive.
template <class Strategy>
BC_HD inline void begin_cast(const CastMemory& memory, u32 rays, u32 room, u32 limit) {
  CastProgress& progress = *memory.progress;
  progress.passes = progress.done = progress.excess = 0u;
  progress.live = progress.rays = rays;
  progress.room = room;
  progress.limit = limit;
  progress.counter = 0u;
  clear<Strategy>(memory.counter(0));
  clear<Strategy>(memory.counter(1));
  memory.counter(1).value[0] = rays;
}

/// After the lanes of a pass have reported and before those of the next do, by one thread. A pass
/// that was launched though there was nothing left to do is not counted. A counter that can't be
/// true ends the cast: what a queue then holds is no list of rays.
template <class Strategy>
BC_HD inline void end_pass(const CastMemory& memory, u32 pass) {
  CastProgress progress = *memory.progress;
  if (progress.done == 0u) {
    const u32 value = total_of<Strategy>(memory.counter(pass));
    ++progress.passes;
    progress.counter += value;
    if (value > progress.room) {
      progress.excess = progress.done = 1u;
      progress.live = 0u;
    } else if (Strategy::info.counts == Counts::nothing) {
      progress.done = progress.passes >= progress.limit ? 1u : 0u;
    } else {
      progress.live = value;
      progress.done = value == 0u ? 1u : 0u;
    }
    *memory.progress = progress;
  }
  clear<Strategy>(memory.counter(pass + 1u));
}

/// A cast all of whose passes are done.
struct PassesDone {
  CastCounts counts;
  bool may_be_far;  // may there be rays from far away among its own?
};

/// Throws DeviceError if the counter of any pass can't be true.
template <class Machine>
PassesDone finished(Machine& machine, const CastMemory& memory, const CastProgress& progress) {
  if (progress.excess)
    machine.fail(
        "the rays still alive were counted as more than there is room for, so the cast was given "
        "up: the device's memory is damaged, or a strategy miscounts; --pipeline warp needs no "
        "count");
  return {{progress.rays, progress.passes, progress.counter}, progress.far == memory.number};
}

/// Calls pass(number, most) until nothing is left to do; `most` bounds how many rays are alive, if
/// the pipeline `shrinks`. Each pass must end with end_pass. `launch` is all that the passes'
/// launches depend on, so that equal ones can share a graph. on_pass(number, live) comes after each
/// that the host has read the counter of.
template <class Strategy, class Machine, class Launch, class Pass, class OnPass>
PassesDone repeat_passes(Machine& machine, const CastPlan& plan, const CastMemory& memory, u32 rays,
                         bool shrinks, const Launch& launch, Pass pass, OnPass on_pass) {
  if (plan.loop.who == Loop::Who::graph) {
    pass(0u, rays);
    // Smaller grids for fewer rays: a WHILE node can't change those of its kernels.
    std::vector<u32> sizes{rays};
    for (u32 size = rays / 16u; shrinks && size >= 4096u; size /= 16u) sizes.push_back(size);
    machine.repeat(launch, static_cast<const CastProgress*>(memory.progress), sizes, [&](u32 most) {
      pass(1u, most);
      pass(2u, most);
    });
    return finished(machine, memory, machine.read(memory.progress));
  }
  if (Strategy::info.counts == Counts::nothing) {
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
