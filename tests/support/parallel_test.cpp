// Tests work on all threads: every part is done once, and results are joined in a fixed order.
#include "support/threads/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "ballotcast/threads.hpp"

namespace ballotcast::detail {
namespace parallel_test {

using u64 = std::uint64_t;

TEST(Parallel, visits_every_index_once) {
  for (const u64 count : {0u, 1u, 2u, 33u, 100000u}) {
    std::vector<std::atomic<int>> visits(count);
    for_each_range<u64>(count, 7, [&](u64 begin, u64 end) {
      EXPECT_LT(begin, end);
      for (u64 i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& visited : visits) EXPECT_EQ(visited.load(), 1);
  }
}

/// A text that shows which parts were joined, and in which order.
std::string joined(int count) {
  return reduce_ranges(
      0, count, 10, std::string("nothing"),
      [](int begin, int end, const std::string& before) {
        EXPECT_EQ(before, "nothing");
        return std::to_string(begin) + "-" + std::to_string(end);
      },
      [](const std::string& a, const std::string& b) { return "(" + a + " " + b + ")"; });
}

TEST(Parallel, joins_halves_of_halves_whatever_the_number_of_threads) {
  EXPECT_EQ(joined(0), "nothing");
  EXPECT_EQ(joined(10), "0-10");
  EXPECT_EQ(joined(11), "(0-5 5-11)");
  EXPECT_EQ(joined(37), "((0-9 9-18) (18-27 27-37))");
  const std::string expected = joined(999);
  for (const unsigned threads : {1u, 2u, 5u})
    with_threads(threads, [&] { EXPECT_EQ(joined(999), expected); });
}

TEST(Parallel, passes_errors_on) {
  for (const u64 bad : {0u, 9999u}) {
    const auto fail = [&](u64 i) {
      if (i == bad) throw UsageError("bad");
    };
    EXPECT_THROW(for_each_index<u64>(10000, fail), UsageError);
  }
  EXPECT_THROW(in_parallel([] {}, [] { throw UsageError("bad"); }), UsageError);
}

TEST(Parallel, sorts) {
  std::vector<u64> numbers;
  for (u64 i = 0; i < 10000; ++i) numbers.push_back(i * 7919 % 10007);
  sort_numbers(numbers);
  for (u64 i = 1; i < numbers.size(); ++i) EXPECT_LE(numbers[i - 1], numbers[i]);
}

}  // namespace parallel_test
}  // namespace ballotcast::detail
