// Runs work on all threads.
//
// Tasks use this library's floating-point mode (support/float_environment.hpp), even if their
// thread has inherited another mode. Where values are added up, the ranges and the order in which
// their sums are combined depend only on the sizes, not on the number of threads. Tasks end early
// if their caller asks for that (support/threads/stop.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// The number of threads that may share the work of the calling thread.
unsigned thread_count();

#pragma GCC visibility push(default)  // exported for the Python module
/// Calls body(begin, end), in parallel, for ranges that together cover [0, count). A range has
/// about `grain` elements, or more: so many that the work on them takes far longer than starting a
/// task.
void run_ranges(std::uint64_t count, std::uint64_t grain,
                FunctionRef<void(std::uint64_t begin, std::uint64_t end)> body);
#pragma GCC visibility pop

/// As run_ranges, for any integer type.
template <class Index, class Body>
void for_each_range(Index count, Index grain, const Body& body) {
  run_ranges(static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(grain),
             [&](std::uint64_t begin, std::uint64_t end) {
               body(static_cast<Index>(begin), static_cast<Index>(end));
             });
}

/// Calls body(i) for every i below `count`, in parallel.
template <class Index, class Body>
void for_each_index(Index count, const Body& body) {
  for_each_range<Index>(count, 1, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) body(i);
  });
}

#pragma GCC visibility push(default)  // exported for the Python module
/// Calls both functions, possibly in parallel.
void in_parallel(FunctionRef<void()> first, FunctionRef<void()> second);

/// Calls work() as a task, on this thread.
void as_task(FunctionRef<void()> work);
#pragma GCC visibility pop

/// The recursive part of reduce_ranges, which runs inside a task.
template <class Index, class Value, class Add, class Join>
Value reduce_halves(Index begin, Index end, Index grain, const Value& nothing, const Add& add,
                    const Join& join) {
  if (begin >= end) return nothing;
  if (end - begin <= grain) return add(begin, end, nothing);
  const auto middle = static_cast<Index>(begin + (end - begin) / 2);
  Value left = nothing, right = nothing;
  in_parallel([&] { left = reduce_halves(begin, middle, grain, nothing, add, join); },
              [&] { right = reduce_halves(middle, end, grain, nothing, add, join); });
  return join(left, right);
}

/// Calls add(begin, end, nothing), in parallel, for ranges of at most `grain` elements that
/// together cover [begin, end). Combines the results of neighbouring ranges by `join`. `nothing` is
/// the value of an empty range.
template <class Index, class Value, class Add, class Join>
Value reduce_ranges(Index begin, Index end, Index grain, const Value& nothing, const Add& add,
                    const Join& join) {
  Value all = nothing;
  as_task([&] { all = reduce_halves(begin, end, grain, nothing, add, join); });
  return all;
}

/// True if is_good(i) for every i below `count`. Calls is_good for all of them, in parallel.
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
void sort_numbers(std::vector<std::uint64_t>& numbers);

/// Sorts `keys` in ascending order by their lowest `bits` bits (a multiple of 8); the other bits
/// must be 0. `values`, one per key, are permuted in the same way. Equal keys keep their order.
void sort_by_key(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values,
                 unsigned bits);

/// As std::memcpy, but on several threads, because one thread alone does not reach the memory
/// bandwidth.
void copy_bytes(void* to, const void* from, std::size_t bytes);

}  // namespace ballotcast::detail
