// oneTBB runs the tasks. Only this file and threads.cpp use it, so that nothing else has to compile
// its headers. Builds with ThreadSanitizer use plain_threads instead.
#include "support/parallel.hpp"

#include "support/float_environment.hpp"
#include "support/stop.hpp"
#include "support/thread_sanitizer.hpp"
#if defined(BALLOTCAST_TSAN)
#include <algorithm>

#include "support/plain_threads.hpp"
#else
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_sort.h>
#endif

namespace ballotcast::detail {

namespace {

/// A task of the work that `question` belongs to.
///
/// When a task throws, oneTBB leaves out the tasks below its siblings that have not begun, and the
/// calls that wait for these return as if they were done. So each call looks for a stop at its end,
/// too: check_stop().
class TaskScope {
 public:
  explicit TaskScope(StopQuestion* question) : works_for_(question) { check_stop(); }

 private:
  const DefaultFloats floats_;
  const WorksFor works_for_;
};

}  // namespace

void run_ranges(std::uint64_t count, std::uint64_t grain,
                FunctionRef<void(std::uint64_t, std::uint64_t)> body) {
  StopQuestion* const question = stop_question();
  const auto task = [&](std::uint64_t begin, std::uint64_t end) {
    const TaskScope scope(question);
    // A range may be much longer than `grain`, and then has to ask in between.
    while (question != nullptr && end - begin > grain) {
      body(begin, begin + grain);
      begin += grain;
      check_stop();
    }
    body(begin, end);
  };
#if defined(BALLOTCAST_TSAN)
  constexpr std::uint64_t kParts = 32;
  plain_threads::for_each_range(0, count, std::max(grain, count / kParts), task);
#else
  tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, count, grain),
                    [&](const auto& range) { task(range.begin(), range.end()); });
#endif
  check_stop();
}

void in_parallel(FunctionRef<void()> first, FunctionRef<void()> second) {
  StopQuestion* const question = stop_question();
  const auto task = [question](FunctionRef<void()> work) {
    return [question, work] {
      const TaskScope scope(question);
      work();
    };
  };
#if defined(BALLOTCAST_TSAN)
  plain_threads::both(task(first), task(second));
#else
  tbb::parallel_invoke(task(first), task(second));
#endif
  check_stop();
}

void as_task(FunctionRef<void()> work) {
  {
    const TaskScope scope(stop_question());
    work();
  }
  check_stop();
}

void sort_numbers(std::vector<std::uint64_t>& numbers) {
#if defined(BALLOTCAST_TSAN)
  std::sort(numbers.begin(), numbers.end());
#else
  tbb::parallel_sort(numbers.begin(), numbers.end());
#endif
  check_stop();
}

}  // namespace ballotcast::detail
