// Runs work on all threads, through oneTBB. No other file uses oneTBB.
//
// Tasks use this library's floating-point mode (support/float_environment.hpp), whatever mode their
// thread has inherited. Where values are summed, the parts and the order in which they are joined
// depend only on the sizes, not on the number of threads.
#pragma once

#include <cstddef>

#include "support/float_environment.hpp"
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

/// Calls body(begin, end), in parallel, for ranges that together cover [0, count). A range is about
/// `grain` long, or longer.
template <class Index, class Body>
void for_each_range(Index count, Index grain, const Body& body) {
  const auto task = [&](Index begin, Index end) {
    const DefaultFloats floats;
    body(begin, end);
  };
#if defined(BALLOTCAST_TSAN)
  constexpr Index kParts = 32;
  plain_threads::for_each_range<Index>(0, count, std::max(grain, count / kParts), task);
#else
  tbb::parallel_for(tbb::blocked_range<Index>(0, count, grain),
                    [&](const auto& range) { task(range.begin(), range.end()); });
#endif
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
  const auto task = [&](Index from, Index to, const Value& value) {
    const DefaultFloats floats;
    return add(from, to, value);
  };
  const auto join_task = [&](const Value& a, const Value& b) {
    const DefaultFloats floats;
    return join(a, b);
  };
#if defined(BALLOTCAST_TSAN)
  return plain_threads::reduce(begin, end, grain, nothing, task, join_task);
#else
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<Index>(begin, end, grain), nothing,
      [&](const auto& range, const Value& value) {
        return task(range.begin(), range.end(), value);
      },
      join_task);
#endif
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
}

/// Calls both functions, possibly at the same time.
template <class First, class Second>
void in_parallel(const First& first, const Second& second) {
  const auto task = [](const auto& work) {
    return [&work] {
      const DefaultFloats floats;
      work();
    };
  };
#if defined(BALLOTCAST_TSAN)
  plain_threads::both(task(first), task(second));
#else
  tbb::parallel_invoke(task(first), task(second));
#endif
}

}  // namespace ballotcast::detail
