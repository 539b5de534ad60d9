// Tests the replacement for oneTBB's threads: it does all of the work, with no more threads than
// are allowed, and passes errors on.
#include "support/threads/thread_sanitizer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {
namespace thread_sanitizer_test {

using u64 = std::uint64_t;

TEST(PlainThreads, visit_every_index_once) {
  for (const u64 count : {0u, 1u, 2u, 33u, 1000u}) {
    std::vector<std::atomic<int>> visits(count);
    plain_threads::for_each_range(0, count, 7, [&](u64 begin, u64 end) {
      EXPECT_LE(end - begin, 7u);
      for (u64 i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& visited : visits) EXPECT_EQ(visited.load(), 1);
  }
}

TEST(PlainThreads, are_no_more_than_allowed) {
  for (const unsigned limit : {1u, 3u}) {
    std::atomic<unsigned> at_work{0}, most{0};
    plain_threads::with_limit(limit, [&] {
      EXPECT_EQ(plain_threads::limit(), limit);
      plain_threads::for_each_range(0, 200, 1, [&](u64, u64) {
        EXPECT_EQ(plain_threads::limit(), limit);
        const unsigned now = ++at_work;
        for (unsigned seen = most; seen < now && !most.compare_exchange_weak(seen, now);) continue;
        --at_work;
      });
    });
    EXPECT_GE(most.load(), 1u);
    EXPECT_LE(most.load(), limit);
  }
}

TEST(PlainThreads, pass_errors_on) {
  for (const u64 bad : {0u, 99u})
    EXPECT_THROW(plain_threads::for_each_range(0, 100, 1,
                                               [&](u64 begin, u64) {
                                                 if (begin == bad) throw UsageError("bad");
                                               }),
                 UsageError);
}

}  // namespace thread_sanitizer_test
}  // namespace ballotcast::detail
