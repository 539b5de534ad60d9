// Divides work among threads of the standard library. Builds with ThreadSanitizer use this instead
// of oneTBB: oneTBB is not built with the sanitizer, which would not see its synchronisation.
// Ranges are halved as oneTBB halves them, so sums have the same bits.
#pragma once

#include <algorithm>
#include <functional>

namespace ballotcast::detail::plain_threads {

/// Runs `work` with at most `threads` threads, including the calling thread.
void with_limit(unsigned threads, const std::function<void()>& work);

/// The most threads that may share the work that the calling thread gives out.
unsigned limit();

/// Calls both functions; the second on a thread of its own if the limit allows one more. If a
/// function throws, so does this call. If both throw, the exception is that of the first.
void both(const std::function<void()>& first, const std::function<void()>& second);

template <class Index>
Index middle_of(Index begin, Index end) {
  return begin + (end - begin) / 2;
}

/// Calls body(begin, end) for ranges of at most `most` that together cover [begin, end), with as
/// many threads as the limit allows.
template <class Index, class Body>
void for_each_range(Index begin, Index end, Index most, const Body& body) {
  if (begin >= end) return;
  if (end - begin <= most) return body(begin, end);
  const Index middle = middle_of(begin, end);
  both([&] { for_each_range(begin, middle, most, body); },
       [&] { for_each_range(middle, end, most, body); });
}

/// Calls add(begin, end, nothing) for ranges of at most `grain` that together cover [begin, end),
/// with as many threads as the limit allows. Combines the results of neighbours by join.
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
