// The common part of all machines in host memory: buffers, loops, timers.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/frame/stage_times.hpp"
#include "math/portable.hpp"
#include "support/array.hpp"
#include "support/processes/processes.hpp"
#include "support/profile.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// Adds up the wall-clock time of each stage.
class StageTimer {
 public:
  /// Ends the current stage, if there is one, and starts stage `name`.
  void stage(const char* name) {
    stop();
    running_ = name;
    start_ = Clock::now();
  }

  /// Ends the current stage. Returns the times of all stages, in the order of their first start.
  std::vector<StageTime> finish() {
    stop();
    return std::exchange(times_, {});
  }

 private:
  using Clock = ProfileClock;

  void stop() {
    if (!running_) return;
    const auto end = Clock::now();
    add_time(running_, std::chrono::duration<double, std::milli>(end - start_).count(), times_);
    if (is_profiled()) keep_span(running_, start_, end, "device");
    running_ = nullptr;
  }

  const char* running_ = nullptr;
  Clock::time_point start_;
  std::vector<StageTime> times_;
};

/// The members of a Machine (kernels/pipelines/machine.hpp) that need no lanes, in host memory. It
/// can't run kernels with collective operations.
class HostMachine {
 public:
  static constexpr bool kHasLanes = false;

  /// Allocates an array whose elements have arbitrary values.
  template <class T>
  Array<T> make(std::size_t count) {
    return Array<T>::unset(count);
  }

  template <class T>
  std::vector<T> upload(const T* from, std::size_t count) {
    return std::vector<T>(from, from + count);
  }
  template <class T>
  void copy_in(T* to, const T* from, std::size_t count) {
    std::copy_n(from, count, to);
  }
  template <class T>
  void download(T* to, const T* from, std::size_t count) {
    std::copy_n(from, count, to);
  }

  /// Returns the number of items that one task of a parallel loop processes: the number that the
  /// kernel defines if its items take long, else a large number.
  template <class Kernel, class... Views>
  static auto grain_of(int, const Views&... views) -> decltype(Kernel::at_once(views...)) {
    return Kernel::at_once(views...);
  }
  template <class Kernel, class... Views>
  static u32 grain_of(long, const Views&...) {
    return 1024;
  }

  /// Runs Kernel::item(i, views...) for every i below `count`, on all threads.
  template <class Kernel, class... Views>
  void each(const char*, u32 count, const Views&... views) {
    const u32 grain = grain_of<Kernel>(0, views...);
    for_each_range<u32>(count, grain, [&](u32 begin, u32 end) BC_FLATTEN {
      for (u32 i = begin; i < end; ++i) Kernel::item(i, views...);
    });
  }

  void release_scratch() {}
  void wait() {}
  template <class T>
  void gather(T* to, const T* from, std::size_t count) {
    copy_bytes(to, from, count * sizeof(T));
  }

  LentMemory lend(const void* memory) { return lend_host_memory(memory); }
  /// Calls use(memory) with a copy of `count` elements in the memory of another process. Throws
  /// LentMemoryLost if that memory can't be read.
  struct Taken {};
  template <class T, class Use>
  [[nodiscard]] Taken take(const LentMemory& from, std::size_t count, const Use& use) {
    auto here = Array<T>::unset(count);
    read_lent_host_memory(from, here.data(), count * sizeof(T));
    use(here.data());
    return {};
  }

  void stage(const char* name) { timer_.stage(name); }
  std::vector<StageTime> finish_stages() { return timer_.finish(); }

 private:
  StageTimer timer_;
};

}  // namespace ballotcast::detail
