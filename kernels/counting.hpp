// Counts the atomic operations that kernels issue. Three wrappers do this: for a lane, for a kernel
// and for a machine.
#pragma once

#include "kernels/pipelines/machine.hpp"
#include "kernels/pipelines/warp/policy.hpp"

namespace ballotcast::detail {

/// A lane that forwards everything to `Lane`, and adds 1 to *atomics for each atomic operation that
/// it issues.
template <class Lane>
class CountingLane : public Lane {
 public:
  BC_DEVICE CountingLane(const Lane& lane, u64* atomics) : Lane(lane), atomics_(atomics) {}

  /// Calls f(args...). Not inlined, so that it is compiled once. It may be slow, because time is
  /// never measured while atomics are counted.
  template <class F, class... Args>
  BC_DEVICE BC_NOINLINE static auto call(F f, const Args&... args) {
    return f(args...);
  }

  template <class Word>
  BC_DEVICE Word fetch_add(Word* address, u32 value) {
    Lane::fetch_add(atomics_, 1u);
    return Lane::fetch_add(address, value);
  }

  BC_DEVICE u32 fetch_add_same(u32* address, u32 value) {
    if (Lane::issues_merged_atomic()) Lane::fetch_add(atomics_, 1u);
    return Lane::fetch_add_same(address, value);
  }

 private:
  u64* atomics_;
};

/// `Kernel`, run on lanes that count their atomics.
template <class Kernel>
struct Counted {
  using Shared = typename Kernel::Shared;

  template <class Lane, class... Views>
  BC_DEVICE static void run(Lane& lane, Shared& shared, u64* atomics, Views... views) {
    CountingLane<Lane> counting(lane, atomics);
    Kernel::run(counting, shared, views...);
  }
};

/// `Counted` for a kernel that launch_with_words launches: it has the constants kBlockSize and
/// kBlocksAtOnce.
template <class Kernel>
struct CountedWithWords : Counted<Kernel> {
  static constexpr u32 kBlockSize = Kernel::kBlockSize;
  static constexpr u32 kBlocksAtOnce = Kernel::kBlocksAtOnce;
};

/// A Machine (pipelines/machine.hpp) that forwards to another machine and counts the atomics of
/// every kernel with collectives. The other kernels issue no atomics that are counted.
template <class Machine>
class CountingMachine {
 public:
  /// `atomics` points into the machine's memory.
  CountingMachine(Machine& machine, u64* atomics) : machine_(machine), atomics_(atomics) {}

  template <class Kernel, class... Views>
  void launch(const char* description, u32 blocks, u32 block_size, const Views&... views) {
    machine_.template launch<Counted<Kernel>>(description, blocks, block_size, atomics_, views...);
  }
  template <class Kernel, class... Views>
  void launch_in_clusters(const char* description, u32 blocks, u32 block_size,
                          const Views&... views) {
    machine_.template launch_in_clusters<Counted<Kernel>>(description, blocks, block_size, atomics_,
                                                          views...);
  }
  template <class Kernel, class... Views>
  void launch_with_words(const char* description, u32 blocks, u32 words, const Views&... views) {
    machine_.template launch_with_words<CountedWithWords<Kernel>>(description, blocks, words,
                                                                  atomics_, views...);
  }
  template <class Kernel, class... Views>
  u32 blocks_at_once(u32 words) {
    return machine_.template blocks_at_once<CountedWithWords<Kernel>, u64*, Views...>(words);
  }
  template <class Kernel, class... Views>
  void each(const char* description, u32 count, const Views&... views) {
    machine_.template each<Kernel>(description, count, views...);
  }
  template <class Launch, class Body>
  void repeat(const Launch& launch, const CastProgress* progress, const std::vector<u32>& sizes,
              Body body) {
    // A machine keeps one CUDA graph per type of launch. CountedLaunch is a type of its own, so
    // that the graph without counting is not reused.
    machine_.repeat(CountedLaunch<Launch>{launch, atomics_}, progress, sizes, body);
  }
  template <class T>
  void download(T* to, const T* from, std::size_t count) {
    machine_.download(to, from, count);
  }
  WarpChoice* warp_choice() { return machine_.warp_choice(); }
  WarpPolicy& warp_policy() { return machine_.warp_policy(); }
  bool may_wait() const { return machine_.may_wait(); }
  void ask(const WarpChoice* choice) { machine_.ask(choice); }
  const WarpFindings* answer() const { return machine_.answer(); }
  bool may_ask() const { return machine_.may_ask(); }
  u32 take_report() { return machine_.take_report(); }
  CastMemory cast_memory() { return machine_.cast_memory(); }
  CastProgress read(const CastProgress* progress) { return machine_.read(progress); }
  RayQueue queue(u32 index, u32 count) { return machine_.queue(index, count); }
  [[noreturn]] void fail(const char* what) const { machine_.fail(what); }

 private:
  template <class Launch>
  struct CountedLaunch {
    Launch launch;
    u64* atomics;
  };

  Machine& machine_;
  u64* atomics_;
};

}  // namespace ballotcast::detail
