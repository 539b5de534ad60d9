// The emulated machine: runs the GPU's kernels, lane by lane, in host memory.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "backends/emulated/lane.hpp"
#include "backends/emulated/runners.hpp"
#include "backends/host/host_machine.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/pipelines/warp/policy.hpp"
#include "support/error.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// A Machine (kernels/pipelines/machine.hpp). Blocks run on all threads; each block runs on one
/// thread.
class EmulatedMachine : public HostMachine {
 public:
  static constexpr bool kHasLanes = true;

  /// With a nonzero seed, lanes run in shuffled order; see BlockRunner.
  explicit EmulatedMachine(u64 seed = 0) : seed_(seed) {}

  /// Runs Kernel on blocks * block_size lanes. Shared memory starts with arbitrary values, as on a
  /// GPU.
  template <class Kernel, class... Views>
  void launch(const char* description, u32 blocks, u32 block_size, const Views&... views) {
    using Shared = typename Kernel::Shared;
    static_assert(alignof(Shared) <= alignof(std::max_align_t));
    run_blocks(description, blocks, block_size, sizeof(Shared),
               [&](EmulatedLane& lane, void* shared) {
                 Kernel::run(lane, *static_cast<Shared*>(shared), views...);
               });
  }

  /// Runs Kernel with `words` words of shared memory per lane.
  template <class Kernel, class... Views>
  void launch_with_words(const char* description, u32 blocks, u32 words, const Views&... views) {
    run_blocks(description, blocks, Kernel::kBlockSize,
               std::size_t{words} * Kernel::kBlockSize * sizeof(u32),
               [&](EmulatedLane& lane, void* shared) {
                 u32* given = static_cast<u32*>(shared);
                 Kernel::run(lane, given, views...);
               });
  }

  /// A small number, so that warps fetch rays repeatedly even in small tests.
  template <class Kernel, class... Views>
  u32 blocks_at_once(u32) const {
    return 4;
  }

  WarpChoice* warp_choice() {
    choice_.told = &told_;
    return &choice_;
  }
  WarpPolicy& warp_policy() { return policy_; }
  bool may_wait() const { return true; }
  void ask(const WarpChoice* choice) { asked_ = *choice; }
  const WarpFindings* answer() const { return &asked_; }
  bool may_ask() const { return true; }
  u32 take_told() { return std::exchange(told_, kNothingTold); }

  CastMemory cast_memory() { return {&progress_, counters_.data(), 0xffffffffu, ++casts_}; }
  CastProgress read(const CastProgress* progress) const { return *progress; }

  /// Does the same as a graph on the GPU.
  template <class Launch, class Body>
  void repeat(const Launch&, const CastProgress* progress, const std::vector<u32>& sizes,
              Body body) {
    for (std::size_t i = 0; i < sizes.size(); ++i)
      while (!progress->done && progress->live > (i + 1 < sizes.size() ? sizes[i + 1] : 0u))
        body(sizes[i]);
  }

  /// Memory for `count` ray ids. There are two queues, with index 0 and 1; the same index always
  /// gives the same memory.
  RayQueue queue(u32 index, u32 count) {
    std::vector<u32>& ids = queues_[index];
    if (ids.size() < count) ids.resize(count);
    return {ids.data(), count};
  }

  /// Frees the queues, whose memory may be for larger batches than are used from now on.
  void release_scratch() { queues_ = {}; }

  [[noreturn]] void fail(const char* what) const { throw DeviceError(what); }

 private:
  /// Calls body(lane, shared) for each lane of all blocks. Each block has `shared_bytes` of shared
  /// memory. Not a template, so that it is compiled once and not per kernel.
  void run_blocks(const char* description, u32 blocks, u32 block_size, std::size_t shared_bytes,
                  FunctionRef<void(EmulatedLane& lane, void* shared)> body);

  u64 seed_;
  WarpChoice choice_{};
  WarpFindings asked_{};
  u32 told_ = kNothingTold;
  WarpPolicy policy_{kWarpTunings[0]};
  u32 casts_ = 0;
  CastProgress progress_{};
  std::vector<u32> counters_ = std::vector<u32>(2 * kCounterWords);
  std::array<std::vector<u32>, 2> queues_;
  BlockRunners runners_;
};

}  // namespace ballotcast::detail
