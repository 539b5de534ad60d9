// Work on all threads, through oneTBB, which nothing else calls.
//
// Tasks see floats as this library wants them (support/float_environment.hpp), whatever settings
// oneTBB's threads have taken over from the program around. Where sums are made, parts and the
// order in which they are joined depend on the sizes alone.
#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/parallel_reduce.h>

#include "support/float_environment.hpp"
#include "support/thread_sanitizer.hpp"

namespace ballotcast {

/// Inside a task: a part of the work that a Fork is.
class TaskScope {
 public:
  explicit TaskScope(Fork& fork) : fork_(fork) { fork_.task_begins(); }
  ~TaskScope() { fork_.task_ends(); }
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

 private:
  Fork& fork_;
  DefaultFloats floats_;
};

/// Calls body(begin, end) for ranges that make up [0, count), of at least about `grain`.
template <class Index, class Body>
void for_each_range(Index count, Index grain, const Body& body) {
  Fork fork;
  tbb::parallel_for(tbb::blocked_range<Index>(0, count, grain), [&](const auto& range) {
    const TaskScope scope(fork);
    body(range.begin(), range.end());
  });
}

/// Calls body(i) for every i below `count`.
template <class Index, class Body>
void for_each_index(Index count, const Body& body) {
  for_each_range<Index>(count, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) body(i);
  });
}

/// Joins what add(begin, end, value) returns for ranges that make up [begin, end), of at most
/// `grain`; `value` is what came of ranges before, first of all `nothing`.
template <class Index, class Value, class Add, class Join>
Value reduce_ranges(Index begin, Index end, Index grain, const Value& nothing, const Add& add,
                    const Join& join) {
  Fork fork;
  return tbb::parallel_deterministic_reduce(
      tbb::blocked_range<Index>(begin, end, grain), nothing,
      [&](const auto& range, const Value& value) {
        const TaskScope scope(fork);
        return add(range.begin(), range.end(), value);
      },
      [&](const Value& a, const Value& b) {
        fork.join_begins();
        const TaskScope scope(fork);
        return join(a, b);
      });
}

/// Calls both, maybe at the same time.
template <class First, class Second>
void in_parallel(const First& first, const Second& second) {
  Fork fork;
  tbb::parallel_invoke(
      [&] {
        const TaskScope scope(fork);
        first();
      },
      [&] {
        const TaskScope scope(fork);
        second();
      });
}

}  // namespace ballotcast
