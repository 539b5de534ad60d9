#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "ballotcast/threads.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {
namespace sort_by_key_test {

TEST(RadixSort, sorts_as_a_stable_sort_does_with_any_number_of_threads) {
  for (const std::size_t count : {0u, 1u, 2u, 1000u, 65536u, 65537u, 300000u}) {
    std::mt19937_64 random(count);
    std::vector<std::uint64_t> keys(count);
    for (std::uint64_t& key : keys) key = (random() & 0xff00ff0000ffull);  // many keys are equal
    std::vector<std::uint32_t> places(count);
    std::iota(places.begin(), places.end(), 0u);
    std::vector<std::uint32_t> expected = places;
    std::stable_sort(expected.begin(), expected.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    for (const unsigned threads : {1u, 3u}) {
      auto sorted_keys = keys;
      auto sorted_places = places;
      with_threads(threads, [&] { sort_by_key(sorted_keys, sorted_places, 48); });
      EXPECT_EQ(sorted_places, expected) << count << " keys, " << threads << " threads";
      EXPECT_TRUE(std::is_sorted(sorted_keys.begin(), sorted_keys.end()));
    }
  }
}

}  // namespace sort_by_key_test
}  // namespace ballotcast::detail
