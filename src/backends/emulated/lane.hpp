// A lane of the emulated machine: a fiber of a BlockRunner. kernels/lane.hpp says what each member
// must do.
#pragma once

#include <atomic>

#include "backends/emulated/block.hpp"

namespace ballotcast::detail {

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
  // With acquire and release, so that tools that check for data races need not understand fences.
  u32 exchange(u32* address, u32 value) {
    return std::atomic_ref<u32>(*address).exchange(value, std::memory_order_acq_rel);
  }
  u32 ticks() const { return 0u; }
  void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  u32 fetch_or(u32* address, u32 value) {
    return std::atomic_ref<u32>(*address).fetch_or(value, std::memory_order_relaxed);
  }
  u32 fetch_add_same(u32* address, u32 value) { return fetch_add(address, value); }
  bool issues_merged_atomic() const { return true; }  // no compiler merges the atomics of fibers
  u32 load(const u32* address) const {
    return std::atomic_ref<u32>(const_cast<u32&>(*address)).load(std::memory_order_relaxed);
  }
  void store(u32* address, u32 value) {
    std::atomic_ref<u32>(*address).store(value, std::memory_order_relaxed);
  }

 private:
  static constexpr u32 kAll = 0xffffffffu;

  /// The first lane of this lane's segment of `width` lanes.
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

}  // namespace ballotcast::detail
