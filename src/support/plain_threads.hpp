// Divides work among threads of the standard library. Builds under ThreadSanitizer take this in
// oneTBB's place: that is not built with the sanitizer, which then can't know what it orders.
// Ranges are halved as oneTBB halves them, so sums come out the same.
#pragma once

#include <algorithm>
#include <functional>

namespace ballotcast::detail::plain_threads {

/// Runs `work` with at most `threads` threads, this one among them.
void with_limit(unsigned threads, const std::function<void()>& work);

/// The most threads that share work given out here.
unsigned limit();

/// Calls both, the second on a thread of its own where the limit allows one more. Then throws what
/// the first has thrown, or else the second.
void both(const std::function<void()>& first, const std::function<void()>& second);

template <class Index>
Index middle_of(Index begin, Index end) {
  return begin + (end - begin) / 2;
}

/// Calls body(begin, end) for ranges of at most `most` that make up the one given.
template <class Index, class Body>
void for_each_range(Index begin, Index end, Index most, const Body& body) {
  if (begin >= end) return;
  if (end - begin <= most) return body(begin, end);
  const Index middle = middle_of(begin, end);
  both([&] { for_each_range(begin, middle, most, body); },
       [&] { for_each_range(middle, end, most, body); });
}

/// join(...) of what add(begin, end, nothing) returns for ranges of at most `grain`.
template <class Index, class Value, class Add, class Join>
Value reduce(Index begin, Index end, Index grain, const Value& nothing, const Add& add,
             const Join& join) {
  if (begin >= end) return nothing;
  if (end - begin <= grain) return add(begin, end, nothing);
  const Index middle = middle_of(begin, end);
  Value left = nothing, right = nothing;
  both([&] { left = reduce(begin, middle, grain, nothing, add, join); },
       [&] { right = reduce(middle, end, grain, nothing, add, join); });
  return join(left, right);
}

}  // namespace ballotcast::detail::plain_threads
