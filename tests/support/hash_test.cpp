#include "support/hash.hpp"

#include <gtest/gtest.h>

#include "ballotcast/threads.hpp"

namespace ballotcast::detail {
namespace hash_test {

using Pair = std::array<std::uint32_t, 2>;

TEST(Fnv1a, of_text_is_as_published) {
  Fnv1a hash;
  for (const char c : {'f', 'o', 'o', 'b', 'a', 'r'}) hash.add(static_cast<std::uint8_t>(c));
  EXPECT_EQ(hash.digits(), "85944171f73967e8");
}

TEST(Fnv1a, of_an_array_is_the_same_on_any_number_of_threads) {
  std::vector<Pair> elements(300001);
  std::uint32_t bits = 1;
  for (Pair& pair : elements)
    for (std::uint32_t& word : pair) {
      bits = bits * 1664525u + 1013904223u;
      word = bits % 3 ? bits : 0xffffffffu * (bits >> 31);
    }
  const auto words_of = [](const Pair& pair) { return pair; };
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{65535},
                                  std::size_t{65536}, std::size_t{65537}, elements.size()})
    for (const std::uint8_t before : {0, 1, 200, 255}) {
      Fnv1a expected, hash;
      expected.add(before);
      hash.add(before);
      for (std::size_t i = 0; i < count; ++i)
        for (const std::uint32_t word : elements[i]) expected.add(word);
      for (const unsigned threads : {1u, 2u, 5u})
        with_threads(threads, [&] {
          EXPECT_EQ(ParallelFnv(elements.data(), count, words_of).after(hash).state(),
                    expected.state())
              << count << " elements, " << threads << " threads";
        });
    }
}

}  // namespace hash_test
}  // namespace ballotcast::detail
