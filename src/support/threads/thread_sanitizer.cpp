#include "support/threads/thread_sanitizer.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace ballotcast::detail::plain_threads {

namespace {

/// A limit on the number of threads, and the number of threads that currently count against it.
struct Arena {
  unsigned limit;
  std::atomic<unsigned> others{0};  // number of working threads besides the first one

  bool take_thread() {
    if (others.fetch_add(1) + 1 < limit) return true;
    --others;
    return false;
  }
};

/// The limit for all work outside of with_limit: at least 4 threads, also on a computer with fewer
/// cores, so that races can happen.
Arena& everything() {
  static Arena arena{std::max(4u, std::thread::hardware_concurrency())};
  return arena;
}

thread_local Arena* current = nullptr;

Arena& here() { return current != nullptr ? *current : everything(); }

/// While an object of this class exists, this thread belongs to `arena`.
class Inside {
 public:
  explicit Inside(Arena& arena) : before_(current) { current = &arena; }
  ~Inside() { current = before_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  Arena* before_;
};

template <class Work>
std::exception_ptr thrown_by(const Work& work) {
  try {
    work();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

}  // namespace

void with_limit(unsigned threads, const std::function<void()>& work) {
  Arena arena{threads};
  const Inside inside(arena);
  work();
}

unsigned limit() { return here().limit; }

void both(FunctionRef<void()> first, FunctionRef<void()> second) {
  Arena& arena = here();
  if (!arena.take_thread()) {
    first();
    return second();
  }
  std::exception_ptr error;
  std::thread other([&] {
    const Inside inside(arena);
    error = thrown_by(second);
    --arena.others;
  });
  const std::exception_ptr mine = thrown_by(first);
  other.join();
  if (mine) std::rethrow_exception(mine);
  if (error) std::rethrow_exception(error);
}

void for_each_range(std::uint64_t begin, std::uint64_t end, std::uint64_t most,
                    FunctionRef<void(std::uint64_t, std::uint64_t)> body) {
  if (begin >= end) return;
  if (end - begin <= most) return body(begin, end);
  const std::uint64_t middle = begin + (end - begin) / 2;
  both([&] { for_each_range(begin, middle, most, body); },
       [&] { for_each_range(middle, end, most, body); });
}

}  // namespace ballotcast::detail::plain_threads
