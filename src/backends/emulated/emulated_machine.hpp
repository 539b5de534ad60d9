// The emulated machine: runs the GPU's kernels in host memory, lane by lane. One thread runs a
// block. The block's lanes are fibers, which stop at collective operations.
#pragma once

#include <array>
#include <atomic>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "backends/host/host_machine.hpp"
#include "ballotcast/error.hpp"
#include "kernels/lane.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/pipelines/warp/policy.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// What a lane is waiting for: nothing (it can run), its warp, or its block. `returned`: the lane
/// has ended.
enum class Wait : u8 { nothing, warp, block, returned };

/// The collective operation that a lane has reached.
enum class Collective : u8 { sync, ballot, shuffle, sum, bits, least, most, any, all, count };

/// Runs blocks, one after the other. Two threads must not use the same runner at the same time.
///
/// A lane that reaches a warp collective passes a mask of members, the lanes of its warp that take
/// part (usually all 32). The members continue when all of them wait at the same collective with
/// the same mask. The lanes of a block continue when all of them wait at the same block collective.
/// If lanes remain but none can continue, the kernel has diverged at a collective. Then a
/// DeviceError states how many lanes wait at which collective.
///
/// Lanes that can run do so in the order of their index. With a nonzero seed, the order depends on
/// seed, block and round, and about half of the warps pause in each round.
class BlockRunner {
 public:
  BlockRunner();

  /// Calls body(thread) for each lane of block `block`. Rethrows the first exception of a lane.
  /// Throws DeviceError if lanes wait for ever.
  void run(u32 block, u32 block_size, u64 seed, FunctionRef<void(u32 thread)> body);

  /// Called by a lane. Waits until `members` of the lane's warp, or the whole block, have reached
  /// the same collective. Returns the result for this lane.
  u32 wait(u32 thread, Wait scope, Collective what, u32 operand, u32 source_lane = 0,
           u32 members = 0xffffffffu);

 private:
  struct Lane {
    boost::context::fiber fiber;  // the state in which the lane continues; empty while it runs
    // The state in which the scheduler continues; empty while it runs
    boost::context::fiber scheduler;
    Wait wait = Wait::nothing;
    Collective what = Collective::sync;
    u32 operand = 0;  // the lane's operand of the collective
    u32 source = 0;
    u32 members = 0;
    u32 result = 0;              // the lane's result of the collective
    void* fake_stack = nullptr;  // for AddressSanitizer
    const void* stack_bottom = nullptr;
    std::size_t stack_size = 0;
  };

  void start(u32 thread, FunctionRef<void(u32 thread)> body);
  void resume(Lane& lane);
  /// Ends all lanes by resuming each lane once more. Destroying their fibers would also end them,
  /// but sanitizers would not notice these switches of stacks.
  void end_lanes();
  bool release_warp(u32 warp);
  bool release_members(Lane* lanes, u32 members);
  bool release_block();
  [[noreturn]] void give_up(u32 block);

  boost::context::pooled_fixedsize_stack stacks_;
  std::vector<Lane> lanes_;
  std::vector<u32> order_;
  u32 block_size_ = 0;
  std::exception_ptr error_;
  bool ending_ = false;
  void* fake_stack_ = nullptr;  // for AddressSanitizer: the stack of the scheduler
  const void* stack_bottom_ = nullptr;
  std::size_t stack_size_ = 0;
};

/// Lends runners to callers and keeps them for later use, because their stacks are expensive to
/// create. Several threads may call it at the same time.
class BlockRunners {
 public:
  /// Calls work(runner) with a runner that no other thread uses at the same time.
  template <class Work>
  void lend(const Work& work) {
    std::unique_ptr<BlockRunner> runner = take();
    work(*runner);
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(runner));
  }

 private:
  std::unique_ptr<BlockRunner> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<BlockRunner>();
    std::unique_ptr<BlockRunner> runner = std::move(idle_.back());
    idle_.pop_back();
    return runner;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<BlockRunner>> idle_;
};

/// A lane of the emulated machine: a fiber of a BlockRunner. kernels/lane.hpp specifies the
/// members.
class EmulatedLane {
 public:
  EmulatedLane(BlockRunner& runner, u32 thread, u32 block, u32 block_size, u32 blocks)
      : runner_(&runner),
        thread_(thread),
        block_(block),
        block_size_(block_size),
        blocks_(blocks) {}

  u32 thread() const { return thread_; }
  u32 block() const { return block_; }
  u32 block_size() const { return block_size_; }
  u32 grid_size() const { return blocks_ * block_size_; }
  u32 id() const { return block_ * block_size_ + thread_; }
  u32 lane() const { return thread_ % kWarpSize; }
  u32 warp() const { return thread_ / kWarpSize; }
  u32 lanes_below() const { return (1u << lane()) - 1u; }

  template <class F, class... Args>
  static auto call(F f, const Args&... args) {
    return f(args...);
  }

  void sync_warp() { sync_among(kAll); }
  u32 ballot(bool p) { return ballot_among(kAll, p); }
  bool any(bool p) { return any_among(kAll, p); }
  bool all(bool p) { return all_among(kAll, p); }
  u32 reduce_add(u32 value) { return at_warp(Collective::sum, value); }
  u32 reduce_or(u32 value) { return at_warp(Collective::bits, value); }
  i32 reduce_min(i32 value) {
    return static_cast<i32>(at_warp(Collective::least, static_cast<u32>(value)));
  }
  i32 reduce_max(i32 value) {
    return static_cast<i32>(at_warp(Collective::most, static_cast<u32>(value)));
  }
  u32 shuffle(u32 value, u32 source, u32 width = kWarpSize) {
    return from(value, segment(width) + source % width);
  }
  u32 shuffle_up(u32 value, u32 distance, u32 width = kWarpSize) {
    return from(value, lane() - segment(width) >= distance ? lane() - distance : lane());
  }
  u32 shuffle_down(u32 value, u32 distance, u32 width = kWarpSize) {
    const u32 place = lane() - segment(width);
    return from(value, place < width && distance < width - place ? lane() + distance : lane());
  }
  u32 shuffle_xor(u32 value, u32 mask, u32 width = kWarpSize) {
    const u32 source = lane() ^ mask;
    return from(value, source < segment(width) + width ? source : lane());
  }

  void sync_among(u32 members) { at_warp(Collective::sync, 0, 0, members); }
  u32 ballot_among(u32 members, bool p) {
    return at_warp(Collective::ballot, p ? 1u : 0u, 0, members);
  }
  bool any_among(u32 members, bool p) {
    return at_warp(Collective::any, p ? 1u : 0u, 0, members) != 0u;
  }
  bool all_among(u32 members, bool p) {
    return at_warp(Collective::all, p ? 1u : 0u, 0, members) == members;
  }

  void sync_block() { at_block(Collective::sync, false); }
  bool block_or(bool p) { return at_block(Collective::any, p) != 0u; }
  u32 block_count(bool p) { return at_block(Collective::count, p); }

  template <class Word>
  Word fetch_add(Word* address, u32 value) {
    return std::atomic_ref<Word>(*address).fetch_add(value, std::memory_order_relaxed);
  }
  template <class Word>
  Word fetch_max(Word* address, Word value) {
    const std::atomic_ref<Word> word(*address);
    Word before = word.load(std::memory_order_relaxed);
    while (before < value &&
           !word.compare_exchange_weak(before, value, std::memory_order_relaxed)) {
    }
    return before;
  }
  // With acquire and release order, tools that check for data races need not understand fences.
  u32 exchange(u32* address, u32 value) {
    return std::atomic_ref<u32>(*address).exchange(value, std::memory_order_acq_rel);
  }
  u32 ticks() const { return 0u; }
  void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  u32 fetch_or(u32* address, u32 value) {
    return std::atomic_ref<u32>(*address).fetch_or(value, std::memory_order_relaxed);
  }
  u32 fetch_add_same(u32* address, u32 value) { return fetch_add(address, value); }
  // True, because no compiler merges the atomics of fibers
  bool issues_merged_atomic() const { return true; }
  u32 load(const u32* address) const {
    return std::atomic_ref<u32>(const_cast<u32&>(*address)).load(std::memory_order_relaxed);
  }
  void store(u32* address, u32 value) {
    std::atomic_ref<u32>(*address).store(value, std::memory_order_relaxed);
  }

 private:
  static constexpr u32 kAll = 0xffffffffu;

  /// The index of the first lane of this lane's segment of `width` lanes.
  u32 segment(u32 width) const { return lane() / width * width; }
  u32 from(u32 value, u32 source_lane) { return at_warp(Collective::shuffle, value, source_lane); }
  u32 at_warp(Collective what, u32 operand, u32 source_lane = 0, u32 members = kAll) {
    return runner_->wait(thread_, Wait::warp, what, operand, source_lane, members);
  }
  u32 at_block(Collective what, bool p) {
    return runner_->wait(thread_, Wait::block, what, p ? 1u : 0u);
  }

  BlockRunner* runner_;
  u32 thread_, block_, block_size_, blocks_;
};

/// A Machine (kernels/pipelines/machine.hpp). Blocks run on all threads; each block runs on one
/// thread.
class EmulatedMachine : public HostMachine {
 public:
  static constexpr bool kHasLanes = true;

  /// With a nonzero seed, lanes run in shuffled order; see BlockRunner.
  explicit EmulatedMachine(u64 seed = 0) : seed_(seed) {}
  /// Changes the order of lanes. Creating a new machine instead would create new stacks, which
  /// takes longer than small launches.
  void shuffle(u64 seed) { seed_ = seed; }

  /// Runs Kernel on blocks * block_size lanes. Shared memory contains arbitrary values at the
  /// start, as on a GPU.
  template <class Kernel, class... Views>
  void launch(const char* description, u32 blocks, u32 block_size, const Views&... views) {
    using Shared = typename Kernel::Shared;
    static_assert(alignof(Shared) <= alignof(std::max_align_t));
    run_blocks(description, blocks, block_size, sizeof(Shared),
               [&](EmulatedLane& lane, void* shared) {
                 Kernel::run(lane, *static_cast<Shared*>(shared), views...);
               });
  }

  /// Runs Kernel in clusters of one block: blocks have no way to reach each other here.
  template <class Kernel, class... Views>
  void launch_in_clusters(const char* description, u32 blocks, u32 block_size,
                          const Views&... views) {
    launch<Kernel>(description, blocks, block_size, views...);
  }

  /// Calls body(lane, shared) for each lane of all blocks. Each block has `shared_bytes` of shared
  /// memory. This is not a template, so that it is compiled once and not per kernel.
  void run_blocks(const char* description, u32 blocks, u32 block_size, std::size_t shared_bytes,
                  FunctionRef<void(EmulatedLane& lane, void* shared)> body);

  /// Runs Kernel with `words` words of shared memory per lane.
  template <class Kernel, class... Views>
  void launch_with_words(const char* description, u32 blocks, u32 words, const Views&... views) {
    run_blocks(description, blocks, Kernel::kBlockSize,
               std::size_t{words} * Kernel::kBlockSize * sizeof(u32),
               [&](EmulatedLane& lane, void* shared) {
                 u32* words_here = static_cast<u32*>(shared);
                 Kernel::run(lane, words_here, views...);
               });
  }

  /// The number of blocks that run at once. It is small, so that warps fetch rays repeatedly even
  /// in small tests.
  template <class Kernel, class... Views>
  u32 blocks_at_once(u32) const {
    return 4;
  }

  WarpChoice* warp_choice() {
    choice_.report = &report_;
    return &choice_;
  }
  WarpPolicy& warp_policy() { return policy_; }
  bool may_wait() const { return true; }
  void ask(const WarpChoice* choice) { asked_ = *choice; }
  const WarpFindings* answer() const { return &asked_; }
  bool may_ask() const { return true; }
  u32 take_report() { return std::exchange(report_, kNoReport); }

  CastMemory cast_memory() { return {&progress_, counters_.data(), 0xffffffffu, ++casts_}; }
  CastProgress read(const CastProgress* progress) const { return *progress; }

  /// Repeats launches, as a graph does on the GPU.
  template <class Launch, class Body>
  void repeat(const Launch&, const CastProgress* progress, const std::vector<u32>& sizes,
              Body body) {
    for (std::size_t i = 0; i < sizes.size(); ++i)
      while (!progress->done && progress->live > (i + 1 < sizes.size() ? sizes[i + 1] : 0u))
        body(sizes[i]);
  }

  /// Returns memory for `count` words. Index 0 and 1 are the two queues of ray ids. Index 2 is for
  /// the ballots of lanes that need a slot (kernels/slots/later.hpp). The same index always gives
  /// the same memory.
  RayQueue queue(u32 index, u32 count) {
    std::vector<u32>& ids = queues_[index];
    if (ids.size() < count) ids.resize(count);
    return {ids.data(), count};
  }

  /// Frees the queues, because the next batches may need less memory.
  void release_scratch() { queues_ = {}; }

  [[noreturn]] void fail(const char* what) const { throw DeviceError(what); }

 private:
  u64 seed_;
  WarpChoice choice_{};
  WarpFindings asked_{};
  u32 report_ = kNoReport;
  WarpPolicy policy_{kWarpTunings[0]};
  u32 casts_ = 0;
  CastProgress progress_{};
  std::vector<u32> counters_ = std::vector<u32>(2 * kCounterWords);
  std::array<std::vector<u32>, 3> queues_;
  BlockRunners runners_;
};

}  // namespace ballotcast::detail
