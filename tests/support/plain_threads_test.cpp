// The replacement for oneTBB's threads cuts work into the same parts as oneTBB, joins their results
// in the same order, and passes errors on.
#include "support/plain_threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "support/error.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {
namespace {

TEST(PlainThreads, visit_every_index_once) {
  for (const int count : {0, 1, 2, 33, 1000}) {
    std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
    plain_threads::for_each_range(0, count, 7, [&](int begin, int end) {
      EXPECT_LE(end - begin, 7);
      for (int i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
    for (const auto& visited : visits) EXPECT_EQ(visited.load(), 1);
  }
}

TEST(PlainThreads, join_the_parts_that_oneTBB_joins) {
  const auto add = [](int begin, int end, const std::string& before) {
    return before + std::to_string(begin) + "-" + std::to_string(end);
  };
  const auto join = [](const std::string& a, const std::string& b) {
    return "(" + a + " " + b + ")";
  };
  const std::string nothing;
  for (const int count : {0, 1, 10, 64, 999}) {
    const std::string expected = reduce_ranges(0, count, 10, nothing, add, join);
    EXPECT_EQ(plain_threads::reduce(0, count, 10, nothing, add, join), expected);
  }
}

TEST(PlainThreads, are_no_more_than_allowed) {
  for (const unsigned limit : {1u, 3u}) {
    std::atomic<unsigned> at_work{0}, most{0};
    plain_threads::with_limit(limit, [&] {
      EXPECT_EQ(plain_threads::limit(), limit);
      plain_threads::for_each_range(0, 200, 1, [&](int, int) {
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
  for (const int bad : {0, 99})
    EXPECT_THROW(plain_threads::for_each_range(0, 100, 1,
                                               [&](int begin, int) {
                                                 if (begin == bad) throw UsageError("bad");
                                               }),
                 UsageError);
}

}  // namespace
}  // namespace ballotcast::detail
