// oneTBB runs the tasks. Only this file uses oneTBB, so that no other file has to compile its
// headers. Builds with ThreadSanitizer use plain_threads instead
// (support/threads/thread_sanitizer.hpp).
#include "support/threads/parallel.hpp"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "ballotcast/threads.hpp"
#include "support/float_environment.hpp"
#include "support/threads/stop.hpp"
#include "support/threads/thread_sanitizer.hpp"
#if !defined(BALLOTCAST_TSAN)
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_sort.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace ballotcast {

namespace {

/// True in a process that was forked from a process in which the scheduler had threads. These
/// threads do not exist in the fork, but their locks stay locked. So the fork must not use the
/// scheduler.
bool works_alone() {
  static std::atomic<bool> forked{false};
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked = true; });
  return registered == 0 && forked.load(std::memory_order_relaxed);
}

}  // namespace

void with_threads(std::uint32_t threads, const std::function<void()>& work) {
  if (threads == 0 || works_alone()) return work();
#if defined(BALLOTCAST_TSAN)
  detail::plain_threads::with_limit(threads, work);
#else
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute(work);
#endif
}

void stoppable(const std::function<bool()>& wants_stop, const std::function<void()>& work) {
  detail::StopToken token(wants_stop);
  const detail::StopScope here(&token);
  work();
}

namespace detail {

namespace {

/// Marks a task of the work to which `token` belongs.
///
/// When a task throws, oneTBB skips the child tasks of its siblings that have not started. The
/// calls that wait for the skipped tasks return as if they were done. So each call also checks for
/// a stop at its end: check_stop().
class TaskScope {
 public:
  explicit TaskScope(StopToken* token) : scope_(token) { check_stop(); }

 private:
  const DefaultFloats floats_;
  const StopScope scope_;
};

}  // namespace

unsigned thread_count() {
  if (works_alone()) return 1;
#if defined(BALLOTCAST_TSAN)
  return plain_threads::limit();
#else
  return static_cast<unsigned>(tbb::this_task_arena::max_concurrency());
#endif
}

void run_ranges(std::uint64_t count, std::uint64_t grain,
                FunctionRef<void(std::uint64_t, std::uint64_t)> body) {
  StopToken* const token = stop_token();
  const auto task = [&](std::uint64_t begin, std::uint64_t end) {
    const TaskScope scope(token);
    // A range may be much longer than `grain`. Then the loop must check for a stop in between.
    while (token != nullptr && end - begin > grain) {
      body(begin, begin + grain);
      begin += grain;
      check_stop();
    }
    body(begin, end);
  };
  // Work for a single thread runs without the scheduler, which takes longer than casting a few
  // rays.
  if (count <= grain || works_alone()) {
    if (count > 0) task(0, count);
    return check_stop();
  }
#if defined(BALLOTCAST_TSAN)
  constexpr std::uint64_t kTasks = 32;
  plain_threads::for_each_range(0, count, std::max(grain, count / kTasks), task);
#else
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, count, grain),
                    [&](const auto& range) { task(range.begin(), range.end()); });
#endif
  check_stop();
}

void in_parallel(FunctionRef<void()> first, FunctionRef<void()> second) {
  StopToken* const token = stop_token();
  const auto task = [token](FunctionRef<void()> work) {
    return [token, work] {
      const TaskScope scope(token);
      work();
    };
  };
  if (works_alone()) {
    task(first)();
    task(second)();
    return check_stop();
  }
#if defined(BALLOTCAST_TSAN)
  plain_threads::both(task(first), task(second));
#else
  tbb::parallel_invoke(task(first), task(second));
#endif
  check_stop();
}

void as_task(FunctionRef<void()> work) {
  {
    const TaskScope scope(stop_token());
    work();
  }
  check_stop();
}

void sort_numbers(std::vector<std::uint64_t>& numbers) {
#if defined(BALLOTCAST_TSAN)
  std::sort(numbers.begin(), numbers.end());
#else
  works_alone() ? std::sort(numbers.begin(), numbers.end())
                : tbb::parallel_sort(numbers.begin(), numbers.end());
#endif
  check_stop();
}

// A radix sort with eight bits per pass. Each range of the array counts its digits. A prefix sum
// over digits, then ranges, gives each range the positions to which it moves its elements.
void sort_by_key(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values,
                 unsigned bits) {
  constexpr std::size_t kRange = 1u << 16, kDigits = 256;
  const std::size_t count = keys.size(), ranges = (count + kRange - 1) / kRange;
  std::vector<std::uint64_t> moved_keys(count);
  std::vector<std::uint32_t> moved_values(count);
  std::vector<std::array<std::size_t, kDigits>> places(ranges);
  for (unsigned shift = 0; shift < bits; shift += 8) {
    const auto for_each_in = [&](std::size_t range, auto visit) {
      const std::size_t end = range + 1 < ranges ? (range + 1) * kRange : count;
      for (std::size_t i = range * kRange; i < end; ++i)
        visit(places[range][keys[i] >> shift & (kDigits - 1)], i);
    };
    for_each_index(ranges, [&](std::size_t range) {
      places[range].fill(0);
      for_each_in(range, [](std::size_t& place, std::size_t) { ++place; });
    });
    std::size_t before = 0;
    for (std::size_t digit = 0; digit < kDigits; ++digit)
      for (auto& of_part : places) {
        const std::size_t own = of_part[digit];
        of_part[digit] = before;
        before += own;
      }
    for_each_index(ranges, [&](std::size_t range) {
      for_each_in(range, [&](std::size_t& place, std::size_t i) {
        moved_keys[place] = keys[i];
        moved_values[place++] = values[i];
      });
    });
    keys.swap(moved_keys);
    values.swap(moved_values);
  }
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kGrain = std::size_t{1} << 18;
  for_each_range<std::size_t>(bytes, kGrain, [&](std::size_t begin, std::size_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                end - begin);
  });
}

}  // namespace detail
}  // namespace ballotcast
