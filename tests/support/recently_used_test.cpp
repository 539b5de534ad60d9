// Tests RecentlyUsed: values that have not been used for long are dropped, except values that are
// kept.
#include "support/recently_used.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace ballotcast::detail {
namespace recently_used_test {

TEST(RecentlyUsed, values_are_dropped_that_were_used_longest_ago) {
  RecentlyUsed<int, std::unique_ptr<int>> values(4);
  for (int key = 0; key < 4; ++key) {
    EXPECT_FALSE(values.is_full());
    values.add(key, std::make_unique<int>(10 * key));
  }
  EXPECT_TRUE(values.is_full());
  const auto* const first = values.find(0);
  ASSERT_TRUE(first);
  values.drop_half();
  EXPECT_FALSE(values.is_full());
  EXPECT_EQ(values.find(0), first) << "it was used again, and has not moved";
  EXPECT_EQ(**first, 0);
  EXPECT_FALSE(values.find(1));
  EXPECT_FALSE(values.find(2));
  ASSERT_TRUE(values.find(3));
  EXPECT_EQ(**values.find(3), 30);
}

TEST(RecentlyUsed, values_that_stay_are_never_dropped_and_do_not_count) {
  RecentlyUsed<int, int> values(3);
  for (int key = 0; key < 100; ++key) {
    if (values.is_full()) values.drop_half();
    values.add(key, key);
    if (key % 10 == 0) {
      values.keep(key);
      values.keep(key);
    }
  }
  int others = 0;
  for (int key = 0; key < 100; ++key) {
    const bool is_there = values.find(key);
    EXPECT_TRUE(is_there || key % 10 != 0) << key;
    if (is_there && key % 10 != 0) ++others;
  }
  EXPECT_GE(others, 2);
  EXPECT_LE(others, 3);
  EXPECT_TRUE(values.find(99));
}

TEST(RecentlyUsed, one_value_or_none_can_not_be_halved) {
  RecentlyUsed<int, int> values(1);
  values.drop_half();
  values.add(1, 5);
  values.drop_half();
  EXPECT_TRUE(values.find(1));
}

}  // namespace recently_used_test
}  // namespace ballotcast::detail
