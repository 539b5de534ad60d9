#include "image/color.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ballotcast::detail {
namespace color_test {

double reference(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}

TEST(Srgb, tables_agree_with_the_standard_formula) {
  for (int i = 0; i < 256; ++i) {
    EXPECT_FLOAT_EQ(srgb_to_linear_table()[i], static_cast<float>(reference(i / 255.0))) << i;
    if (i == 0) continue;
    EXPECT_FLOAT_EQ(srgb_threshold_table()[i], static_cast<float>(reference((i - 0.5) / 255.0)));
  }
}

TEST(Srgb, every_code_survives_decoding_and_encoding) {
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(srgb_code(srgb_to_linear_table()[i], srgb_threshold_table().data()), i);
}

TEST(Srgb, highlights_roll_off_smoothly_and_the_rest_stays) {
  EXPECT_EQ(roll_off(0.25f), 0.25f);
  EXPECT_EQ(roll_off(0.6f), 0.6f);
  float last = 0.6f;
  for (float x = 0.61f; x < 100.0f; x *= 1.01f) {
    const float y = roll_off(x);
    EXPECT_GT(y, last);
    EXPECT_LT(y, x);
    EXPECT_LT(y, 1.0f);
    last = y;
  }
  EXPECT_EQ(roll_off(-1.0f), 0.0f);
  EXPECT_EQ(roll_off(std::numeric_limits<float>::quiet_NaN()), 0.0f);
  EXPECT_LE(roll_off(std::numeric_limits<float>::infinity()), 1.0f);
}

TEST(Srgb, nonsense_becomes_black_or_white) {
  const float* t = srgb_threshold_table().data();
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(srgb_code(std::numeric_limits<float>::quiet_NaN(), t), 0);
  EXPECT_EQ(srgb_code(-inf, t), 0);
  EXPECT_EQ(srgb_code(-1.0f, t), 0);
  EXPECT_EQ(srgb_code(inf, t), 255);
  EXPECT_EQ(srgb_code(7.0f, t), 255);
  EXPECT_EQ(plain_code(std::numeric_limits<float>::quiet_NaN()), 0);
  EXPECT_EQ(plain_code(2.0f), 255);
}

}  // namespace color_test
}  // namespace ballotcast::detail
