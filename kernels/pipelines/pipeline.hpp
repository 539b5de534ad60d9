// Pipelines: how walking and testing take turns. Each is one file here and one row in table.hpp:
//
//   struct Name {
//     static constexpr PipelineInfo info{"name", "how it goes"};
//     template <class Layout, class Strategy, class Machine>
//     static CastCounts run(Machine&, const TraceView<Layout>&, const RayBatch<Layout>&, u32
//     block_size); static u64 counter_of(...)   // what `run` counts, worked out from leaf visits
//     alone
//   };
//
// `run` is host code over a Machine (backends/emulated, backends/cuda), which offers:
//   launch<Kernel>(description, blocks, block_size, views...)   a kernel with collectives
//   each<Kernel>(description, count, views...)                  one without
//   make<T>(count) -> a buffer with data() and size()
//   clear_counter(), counter_address(), read_counter()          the global counter
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
  u64 rays = 0;
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
