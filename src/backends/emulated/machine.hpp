// The emulated machine: the GPU's kernels, lane by lane, in host memory.
#pragma once

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <array>
#include <vector>

#include "backends/emulated/lane.hpp"
#include "backends/host/host_machine.hpp"
#include "kernels/pipelines/loop.hpp"
#include "support/error.hpp"

namespace ballotcast {

/// A Machine (kernels/pipelines/pipeline.hpp). Blocks run on all threads, each on one.
class EmulatedMachine : public HostMachine {
 public:
  /// With a nonzero seed, lanes run in shuffled order: see BlockRunner.
  explicit EmulatedMachine(u64 seed = 0) : seed_(seed) {}

  /// Runs Kernel on blocks * block_size lanes. Shared memory starts as rubbish, as on a GPU.
  template <class Kernel, class... Views>
  void launch(const char* description, u32 blocks, u32 block_size, const Views&... views) {
    using Shared = typename Kernel::Shared;
    const auto run_block = [&](u32 block) {
      alignas(Shared) std::byte memory[sizeof(Shared)];
      std::memset(memory, 0xcd, sizeof memory);
      Shared& shared = *reinterpret_cast<Shared*>(memory);
      BlockRunner& runner = runners_.local();
      runner.run(block, block_size, seed_, [&](u32 thread) {
        EmulatedLane lane(runner, thread, block, block_size, blocks);
        Kernel::run(lane, shared, views...);
      });
    };
    try {
      tbb::parallel_for(0u, blocks, run_block);
    } catch (const DeviceError& error) {
      throw DeviceError(std::string(description) + ": " + error.what());
    }
  }

  CastMemory cast_memory() { return {&progress_, counters_.data(), 0xffffffffu}; }
  CastProgress read(const CastProgress* progress) const { return *progress; }

  /// As a graph of the GPU would.
  template <class Launch, class Body>
  void repeat(const Launch&, const CastProgress* progress, const std::vector<u32>& sizes,
              Body body) {
    for (std::size_t i = 0; i < sizes.size(); ++i)
      while (!progress->done && progress->live > (i + 1 < sizes.size() ? sizes[i + 1] : 0u))
        body(sizes[i]);
  }

  /// Memory for `count` ray ids; the same for the same index, so pipelines may use two at once.
  u32* queue(u32 index, u32 count) {
    std::vector<u32>& ids = queues_[index];
    if (ids.size() < count) ids.resize(count);
    return ids.data();
  }

  [[noreturn]] void fail(const char* what) const { throw DeviceError(what); }

 private:
  u64 seed_;
  CastProgress progress_{};
  std::vector<u32> counters_ = std::vector<u32>(2 * kCounterWords);
  std::array<std::vector<u32>, 2> queues_;
  tbb::enumerable_thread_specific<BlockRunner> runners_;
};

}  // namespace ballotcast
