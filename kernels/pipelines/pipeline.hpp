// Pipelines: how walking and testing take turns. Each is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr PipelineInfo info{"name", "how it goes"};
//     // Casts a batch.
//     template <class Layout, class Strategy, class Machine>
//     static CastCounts run(machine, view, batch, block_size);
//     // What one block's rays add to the counter, worked out from their leaf visits alone.
//     static u64 block_counter(counts, visits_sum, visits_max);
//   };
//
// `run` is host code over a Machine (backends/emulated, backends/cuda), which offers:
//   launch<Kernel>(description, blocks, block_size, views...)   a kernel with collectives
//   each<Kernel>(description, count, views...)                  one without
//   clear_counter() -> CounterView, read_counter()              the global counter
//   queue(0 or 1, count) -> u32*                                memory for ray ids
//   fail(what)                                                  throws DeviceError
// and to frames (kernels/frame.hpp) also:
//   make<T>(count) -> a buffer with data() and size()
//   download(to, from, count), stage(name), finish_stages()
#pragma once

#include <string_view>

#include "kernels/strategies/strategy.hpp"
#include "kernels/trace.hpp"

namespace ballotcast {

/// A row of the table of pipelines.
struct PipelineInfo {
  std::string_view name;
  std::string_view summary;
};

/// What a cast did, the same on every machine.
struct CastCounts {
  u64 rays = 0;     // of a frame: those that were cast, not slots that had nothing to ask
  u64 passes = 0;   // counter readings
  u64 counter = 0;  // their sum

  void add(const CastCounts& other) {
    rays += other.rays;
    passes += other.passes;
    counter += other.counter;
  }
};

/// Blocks that hold `count` lanes.
inline u32 blocks_for(u32 count, u32 block_size) { return (count + block_size - 1) / block_size; }

}  // namespace ballotcast
