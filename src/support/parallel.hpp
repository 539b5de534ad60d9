// Runs work on all threads, through oneTBB. No other file uses oneTBB.
//
// Tasks use this library's floating-point mode (support/float_environment.hpp), whatever mode their
// thread has inherited. Where values are summed, the parts and the order in which they are joined
// depend only on the sizes, not on the number of threads. Tasks end early if their caller asks for
// that (support/stop.hpp).
#pragma once

#include <cstddef>

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
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/parallel_sort.h>
#endif

namespace ballotcast::detail {

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

/// Calls body(begin, end), in parallel, for ranges that together cover [0, count). A range is about
/// `grain` long, or longer.
template <class Index, class Body>
void for_each_range(Index count, Index grain, const Body& body) {
  StopQuestion* const question = stop_question();
  const auto task = [&](Index begin, Index end) {
    const TaskScope scope(question);
    // A range may be much longer than `grain`, and then has to ask in between.
    while (question != nullptr && end - begin > grain) {
      body(begin, static_cast<Index>(begin + grain));
      begin = static_cast<Index>(begin + grain);
      check_stop();
    }
    body(begin, end);
  };
#if defined(BALLOTCAST_TSAN)
  constexpr Index kParts = 32;
  plain_threads::for_each_range<Index>(0, count, std::max(grain, count / kParts), task);
#else
  tbb::parallel_for(tbb::blocked_range<Index>(0, count, grain),
                    [&](const auto& range) { task(range.begin(), range.end()); });
#endif
  check_stop();
}

/// Calls body(i) for every i below `count`, in parallel.
template <class Index, class Body>
void for_each_index(Index count, const Body& body) {
  for_each_range<Index>(count, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) body(i);
  });
}

/// Calls add(begin, end, nothing), in parallel, for ranges of at most `grain` that together cover
/// [begin, end). Combines the results of neighbours by join. `nothing` is the value of an empty
/// range.
template <class Index, class Value, class Add, class Join>
Value reduce_ranges(Index begin, Index end, Index grain, const Value& nothing, const Add& add,
                    const Join& join) {
  StopQuestion* const question = stop_question();
  const auto task = [&](Index from, Index to, const Value& value) {
    const TaskScope scope(question);
    return add(from, to, value);
  };
  const auto join_task = [&](const Value& a, const Value& b) {
    const DefaultFloats floats;
    return join(a, b);
  };
#if defined(BALLOTCAST_TSAN)
  Value all = plain_threads::reduce(begin, end, grain, nothing, task, join_task);
#else
  Value all = tbb::parallel_deterministic_reduce(
      tbb::blocked_range<Index>(begin, end, grain), nothing,
      [&](const auto& range, const Value& value) {
        return task(range.begin(), range.end(), value);
      },
      join_task);
#endif
  check_stop();
  return all;
}

/// True if is_good(i) for every i below `count`. Asks for all of them, in parallel.
template <class IsGood>
bool all_below(std::size_t count, const IsGood& is_good) {
  return reduce_ranges<std::size_t>(
      0, count, std::size_t{1} << 16, true,
      [&](std::size_t begin, std::size_t end, bool good) {
        for (std::size_t i = begin; i < end; ++i) good &= is_good(i);
        return good;
      },
      [](bool a, bool b) { return a && b; });
}

/// Sorts integers in ascending order.
template <class Numbers>
void sort_numbers(Numbers& numbers) {
#if defined(BALLOTCAST_TSAN)
  std::sort(numbers.begin(), numbers.end());
#else
  tbb::parallel_sort(numbers.begin(), numbers.end());
#endif
  check_stop();
}

/// Calls both functions, possibly at the same time.
template <class First, class Second>
void in_parallel(const First& first, const Second& second) {
  StopQuestion* const question = stop_question();
  const auto task = [question](const auto& work) {
    return [question, &work] {
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

}  // namespace ballotcast::detail
