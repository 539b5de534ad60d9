// Compares the metrics of two linear pictures with values computed by hand.
#include "compare/linear.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ballotcast/error.hpp"

namespace ballotcast::detail {
namespace linear_test {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

LinearImage grey(u32 width, u32 height, float value) {
  return {width, height, std::vector<Vec3f>(u64{width} * height, Vec3f(value, value, value))};
}

LinearComparison compared(const LinearImage& a, const LinearImage& b, u32 block = 16) {
  return compare_linear(a, b, std::vector<bool>(a.pixels.size()), block);
}

TEST(LinearComparison, of_a_picture_with_itself_is_zero) {
  LinearImage image = grey(5, 4, 3.0f);
  image.pixels[2] = {kNan, kInfinity, -1.0f};
  const LinearComparison c = compared(image, image);
  EXPECT_TRUE(c.same());
  EXPECT_EQ(c.pixels, 20u);
  EXPECT_EQ(c.not_finite, 1u);
  for (const LinearMetric& metric : linear_metrics())
    EXPECT_EQ(c.*metric.value, 0.0) << metric.name;
  EXPECT_FALSE(c.worst_pixel || c.worst_block);
}

TEST(LinearComparison, has_the_numbers_of_its_formulas) {
  const LinearImage a = grey(4, 4, 2.0f);
  LinearImage b = a;
  b.pixels[6] = {3.0f, 2.0f, 2.0f};
  const LinearComparison c = compared(a, b, 2);
  EXPECT_EQ(c.different, 1u);
  EXPECT_DOUBLE_EQ(c.rms, std::sqrt(1.0 / 48.0));
  EXPECT_DOUBLE_EQ(c.relmse, 1.0 / 4.01 / 48.0);
  EXPECT_DOUBLE_EQ(c.max, 1.0 / 3.0);
  ASSERT_TRUE(c.worst_pixel);
  EXPECT_EQ(c.worst_pixel->x, 2u);
  EXPECT_EQ(c.worst_pixel->y, 1u);
  EXPECT_EQ(c.worst_pixel->result[0], 3.0);
  EXPECT_DOUBLE_EQ(c.block, 0.25 / 2.25);
  ASSERT_TRUE(c.worst_block);
  EXPECT_EQ(c.worst_block->x, 2u);
  EXPECT_EQ(c.worst_block->y, 0u);
  EXPECT_EQ(c.worst_block->width, 2u);
}

TEST(LinearComparison, of_other_sizes_is_of_what_both_have) {
  LinearImage wide = grey(5, 4, 2.0f);
  wide.pixels[4] = {9.0f, 9.0f, 9.0f};
  const LinearImage tall = grey(4, 6, 2.0f);
  const LinearComparison c = compare_linear(wide, tall, std::vector<bool>(16), 16);
  EXPECT_EQ(c.pixels, 16u);
  EXPECT_TRUE(c.same());
}

TEST(LinearComparison, blocks_average_noise_away_and_reach_the_last_pixel) {
  const LinearImage a = grey(33, 20, 1.0f);
  LinearImage noisy = a;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    const float value = (i + i / 33) % 2 == 0 ? 0.5f : 1.5f;
    noisy.pixels[i] = {value, value, value};
  }
  const LinearComparison c = compared(a, noisy);
  EXPECT_DOUBLE_EQ(c.max, 0.5);
  EXPECT_EQ(c.block, 0.0);
  LinearImage last = a;
  last.pixels.back() = {257.0f, 1.0f, 1.0f};
  const LinearComparison l = compared(a, last);
  EXPECT_DOUBLE_EQ(l.block, 0.5);
  ASSERT_TRUE(l.worst_block);
  EXPECT_EQ(l.worst_block->x, 17u);
  EXPECT_EQ(l.worst_block->y, 4u);
  EXPECT_EQ(compared(a, last, 1000).worst_block->height, 20u) << "a block larger than the picture";
}

TEST(LinearComparison, sees_bits_that_no_number_shows) {
  const LinearImage a = grey(2, 1, 0.0f);
  LinearImage b = a;
  b.pixels[1].y = -0.0f;
  const LinearComparison c = compared(a, b);
  EXPECT_FALSE(c.same());
  EXPECT_EQ(c.max, 0.0);
}

TEST(LinearComparison, no_limit_holds_where_a_number_that_is_not_finite_differs) {
  const LinearImage a = grey(2, 1, 1.0f);
  LinearImage b = a;
  const LinearLimit limit{&linear_metric_called("max"), 0.5};
  EXPECT_TRUE(judged(compared(a, b), {limit})[0].holds);
  b.pixels[0].x = kNan;
  const LinearComparison c = compared(a, b);
  EXPECT_EQ(c.not_finite_different, 1u);
  EXPECT_EQ(c.max, 0.0);
  EXPECT_FALSE(judged(c, {limit})[0].holds);
  b.pixels[0].x = 3.0f;
  EXPECT_FALSE(judged(compared(a, b), {limit})[0].holds);
  EXPECT_THROW(linear_metric_called("flip"), UsageError);
}

TEST(LinearComparison, leaves_out_pixels) {
  const LinearImage a = grey(2, 1, 1.0f);
  LinearImage b = a;
  b.pixels[1] = {9.0f, 9.0f, 9.0f};
  const LinearComparison c = compare_linear(a, b, {false, true}, 16);
  EXPECT_TRUE(c.same());
  EXPECT_EQ(c.pixels, 1u);
  EXPECT_EQ(c.block, 0.0);
}

TEST(ToneMap, brings_three_quarters_of_the_pixels_below_the_middle) {
  LinearImage image = grey(4, 1, 1.0f);
  image.pixels[3] = {8.0f, 8.0f, 8.0f};
  EXPECT_FLOAT_EQ(exposure_for(image), 0.5f / 8.0f);
  image.pixels.insert(image.pixels.end(), 4, Vec3f(kNan, kInfinity, 0.0f));
  image.width = 8;
  EXPECT_FLOAT_EQ(exposure_for(image), 0.5f / 8.0f) << "what is not finite does not count";
  EXPECT_EQ(exposure_for(grey(3, 3, 0.0f)), 1.0f);
  const Image<Rgb8> seen = tone_mapped(
      {3, 1, {{kNan, -1.0f, 0.0f}, {kInfinity, 1e30f, 0.5f}, {0.0f, 0.0f, 0.0f}}}, 1.0f);
  EXPECT_EQ(seen.pixels[0].r, 0);
  EXPECT_EQ(seen.pixels[0].g, 0);
  EXPECT_EQ(seen.pixels[1].r, 255);
  EXPECT_EQ(seen.pixels[1].b, 188);
}

}  // namespace linear_test
}  // namespace ballotcast::detail
