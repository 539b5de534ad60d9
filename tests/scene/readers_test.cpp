// The words that are numbers, and their values.
#include "scene/formats/readers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ballotcast::detail {
namespace readers_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct WordAndValue {
  std::string word;
  double value;
};

void expect_values(std::initializer_list<WordAndValue> all) {
  for (const auto& [word, value] : all) {
    const std::optional<double> number = number_of(word);
    ASSERT_TRUE(number) << word;
    EXPECT_EQ(*number, value) << word;
    EXPECT_EQ(std::signbit(*number), std::signbit(value)) << word;
  }
}

TEST(NumberOf, a_word_may_have_a_sign_and_no_digit_before_the_point) {
  expect_values({{"+1", 1.0},
                 {"-.5", -0.5},
                 {"+.5", 0.5},
                 {"-0", -0.0},
                 {"1.", 1.0},
                 {"1e+2", 100.0},
                 {"1E-2", 0.01}});
}

TEST(NumberOf, a_value_that_no_double_holds_is_0_or_infinite_with_its_sign) {
  const std::string zeros(400, '0');
  expect_values({{"1e-400", 0.0},
                 {"-1e-400", -0.0},
                 {"1e400", kInfinity},
                 {"-1e400", -kInfinity},
                 {"+1e+400", kInfinity},
                 {"1e99999999999999999999", kInfinity},
                 {"-1e-99999999999999999999", -0.0},
                 {"1" + zeros, kInfinity},
                 {"-1" + zeros + ".5", -kInfinity},
                 {"0." + zeros + "1", 0.0},
                 {"-." + zeros + "1", -0.0},
                 {"1" + zeros + "e-5", kInfinity},
                 {"0." + zeros + "1e5", 0.0}});
}

TEST(NumberOf, a_number_may_end_at_a_comment) {
  expect_values(
      {{"0#x", 0.0}, {"-2.5#", -2.5}, {"1#one", 1.0}, {"1.#one", 1.0}, {"1e400#x", kInfinity}});
}

TEST(NumberOf, knows_what_old_c_libraries_print) {
  expect_values({{"1.#INF", kInfinity}, {"-1.#INF00", -kInfinity}, {"inf", kInfinity}});
  for (const char* word : {"1.#QNAN", "-1.#IND", "1.#SNAN", "nan"}) {
    const std::optional<double> number = number_of(word);
    ASSERT_TRUE(number) << word;
    EXPECT_TRUE(std::isnan(*number)) << word;
  }
}

TEST(NumberOf, other_words_are_no_numbers) {
  for (const char* word : {"", "-", "+", "+-1", "--1", ".", "0x10", "1e", "1,5", "#1", "x", "1x#"})
    EXPECT_FALSE(number_of(word)) << word;
}

}  // namespace readers_test
}  // namespace ballotcast::detail
