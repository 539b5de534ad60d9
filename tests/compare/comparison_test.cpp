#include "compare/comparison.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ballotcast/error.hpp"
#include "helpers/pictures.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace comparison_test {

using testing::gradient;

double value_of(const Comparison& comparison, std::string_view name) {
  for (const MetricValue& row : comparison.values)
    if (row.metric->name == name) return row.value;
  ADD_FAILURE() << name;
  return 0.0;
}

SampledImage grey(u32 depth, std::vector<u16> samples) {
  return {static_cast<u32>(samples.size()), 1, 1, depth, std::move(samples)};
}

TEST(Compare, says_that_equal_pictures_are_the_same) {
  const Comparison c = compare(sampled(gradient()), sampled(gradient()));
  EXPECT_TRUE(c.same);
  EXPECT_EQ(c.pixels, 120u * 90u);
  EXPECT_EQ(c.different, 0u);
  EXPECT_EQ(c.max_error, 0u);
  EXPECT_FALSE(c.worst.has_value());
  for (const MetricValue& row : c.values) EXPECT_EQ(row.value, row.metric->of_equals());
}

TEST(Compare, measures_what_it_says_of_equal_pictures) {
  const PicturePair pair = paired(sampled(gradient()), sampled(gradient()), {});
  for (const Metric& metric : metrics()) EXPECT_EQ(metric.measure(pair), metric.of_equals());
}

TEST(Compare, sees_one_sample_off_by_one_wherever_it_is) {
  const SampledImage reference = sampled(gradient(23, 17));
  for (std::size_t i = 0; i < reference.samples.size(); ++i) {
    SampledImage result = reference;
    result.samples[i] ^= 1;
    const Comparison c = compare(reference, result);
    EXPECT_FALSE(c.same);
    EXPECT_EQ(c.different, 1u);
    EXPECT_EQ(c.max_error, 1u);
    EXPECT_EQ(c.over[0], 1u);
    EXPECT_EQ(c.over[1], 0u);
    ASSERT_TRUE(c.worst.has_value());
    EXPECT_EQ(c.worst->x, i / 3 % 23);
    EXPECT_EQ(c.worst->y, i / 3 / 23);
    EXPECT_EQ(c.worst->result[i % 3], result.samples[i]);
    EXPECT_EQ(c.worst->reference[i % 3], reference.samples[i]);
    EXPECT_DOUBLE_EQ(value_of(c, "mean"), 1.0 / (23 * 17 * 3));
    EXPECT_DOUBLE_EQ(value_of(c, "max"), 1.0);
    EXPECT_TRUE(std::isfinite(value_of(c, "psnr")));
  }
}

TEST(Compare, sees_alpha_alone) {
  const SampledImage reference{2, 1, 4, 8, {9, 9, 9, 255, 9, 9, 9, 255}};
  SampledImage result = reference;
  result.samples[7] = 55;
  const Comparison c = compare(reference, result);
  EXPECT_FALSE(c.same);
  EXPECT_EQ(c.different, 1u);
  EXPECT_EQ(c.alpha_different, 1u);
  EXPECT_EQ(c.color_different, 0u);
  EXPECT_EQ(c.max_error, 200u);
  EXPECT_EQ(c.worst->x, 1u);
  EXPECT_DOUBLE_EQ(value_of(c, "mean"), 25.0);  // the mean of eight samples
  EXPECT_LT(value_of(c, "ssim"), 0.99);         // alpha is blended with white
  EXPECT_GT(value_of(c, "flip"), 0.1);
}

TEST(Compare, sees_the_low_byte_of_16_bits) {
  const Comparison c = compare(grey(16, {0x1200, 0x3400}), grey(16, {0x1200, 0x3401}));
  EXPECT_FALSE(c.same);
  EXPECT_EQ(c.largest, 65535);
  EXPECT_EQ(c.max_error, 1u);
  EXPECT_EQ(c.over[0], 1u);
  EXPECT_EQ(c.over[1], 0u);
  EXPECT_DOUBLE_EQ(value_of(c, "max"), 1.0 / 257.0);
}

TEST(Compare, brings_forms_together_without_a_difference) {
  const SampledImage forms[] = {grey(8, {200, 7}),
                                {2, 1, 2, 8, {200, 255, 7, 255}},
                                {2, 1, 3, 8, {200, 200, 200, 7, 7, 7}},
                                {2, 1, 4, 8, {200, 200, 200, 255, 7, 7, 7, 255}},
                                grey(16, {200 * 257, 7 * 257}),
                                {2, 1, 2, 16, {200 * 257, 65535, 7 * 257, 65535}}};
  for (const SampledImage& a : forms)
    for (const SampledImage& b : forms) EXPECT_TRUE(compare(a, b).same);
  EXPECT_FALSE(compare(forms[0], grey(16, {200 * 257, 7 * 257 + 1})).same);
}

TEST(Compare, counts_pixels_beyond_thresholds) {
  const Comparison c = compare(grey(8, {0, 0, 0, 0, 0, 0}), grey(8, {0, 1, 2, 5, 64, 65}));
  const std::array<u64, 8> expected = {5, 4, 3, 3, 2, 2, 2, 1};
  EXPECT_EQ(c.over, expected);
  const Comparison deep = compare(grey(16, {0, 0, 0}), grey(16, {257, 258, 64 * 257 + 1}));
  const std::array<u64, 8> of_deep = {3, 2, 1, 1, 1, 1, 1, 1};
  EXPECT_EQ(deep.over, of_deep);
}

TEST(Compare, takes_the_first_of_equally_bad_pixels) {
  const Comparison c = compare(grey(8, {0, 0, 9, 0}), grey(8, {1, 3, 6, 3}));
  EXPECT_EQ(c.worst->x, 1u);
  EXPECT_EQ(c.max_error, 3u);
}

TEST(Compare, leaves_allowed_rectangles_out_of_everything) {
  const SampledImage reference = sampled(gradient());
  SampledImage result = reference;
  for (u32 y = 10; y < 14; ++y)
    for (u32 x = 20; x < 25; ++x) result.samples[(y * 120 + x) * 3] ^= 255;
  EXPECT_EQ(compare(reference, result).different, 20u);
  const Comparison c = compare(reference, result, {{{20, 10, 5, 4}, {24, 13, 2, 2}}});
  EXPECT_TRUE(c.same);
  EXPECT_EQ(c.left_out, 23u);
  EXPECT_EQ(c.pixels, 120u * 90u - 23u);
  result.samples[0] ^= 1;
  const Comparison one = compare(reference, result, {{{20, 10, 5, 4}}});
  EXPECT_EQ(one.different, 1u);
  EXPECT_DOUBLE_EQ(value_of(one, "mean"), 1.0 / (3.0 * (120 * 90 - 20)));
  EXPECT_LT(value_of(one, "flip"), 1e-3);
}

TEST(Compare, leaves_out_where_another_picture_is_not_black) {
  const SampledImage reference = sampled(gradient(20, 10));
  SampledImage result = reference;
  for (const u32 i : {3u, 4u, 5u}) result.samples[3 * i] ^= 9;
  CompareOptions how;
  how.ignore_where = {20, 10, 4, 8, std::vector<u16>(20 * 10 * 4)};
  u16* const mask = how.ignore_where.samples.data();
  mask[4 * 3 + 2] = 1, mask[4 * 3 + 3] = 255;  // blue: ignored
  mask[4 * 4 + 0] = 255;                       // red, but transparent: not ignored
  mask[4 * 5 + 3] = 255;                       // black: not ignored
  const Comparison c = compare(reference, result, how);
  EXPECT_EQ(c.left_out, 1u);
  EXPECT_EQ(c.different, 2u);
  how.ignore = {{4, 0, 2, 1}};
  const Comparison same = compare(reference, result, how);
  EXPECT_TRUE(same.same);
  EXPECT_EQ(same.left_out, 3u);
  const Rgb8 shown = difference_picture(paired(reference, result, how), 1.0).pixels[4];
  EXPECT_TRUE(shown.r != 0 && shown.r == shown.b) << "grey stripes";
  how.ignore_where.width = 10, how.ignore_where.height = 20;
  how.ignore_where_name = "mask.png";
  EXPECT_EQ(message_of<InputError>([&] { compare(reference, result, how); }),
            "mask.png has 10x20 pixels, and the pictures that it is for 20x10");
}

TEST(Compare, refuses_rectangles_that_reach_outside_or_leave_nothing) {
  const SampledImage picture = sampled(gradient());
  for (const Rectangle& part : {Rectangle{0, 0, 121, 1},
                                {119, 0, 2, 1},
                                {0, 90, 1, 1},
                                {1, 1, 0xffffffffu, 1},
                                {0, 0, 0, 5}})
    EXPECT_THROW(compare(picture, picture, {{part}}), UsageError);
  EXPECT_THROW(compare(picture, picture, {{{0, 0, 120, 90}}}), UsageError);
}

TEST(Compare, refuses_pictures_without_the_samples_that_they_claim) {
  const SampledImage whole = grey(8, {1, 2, 3});
  std::vector<SampledImage> bad(6, whole);
  bad[0].samples.pop_back();
  bad[1].samples.push_back(0);
  bad[2].width = bad[2].height = 4000;
  bad[3].channels = 0;
  bad[4].depth = 0;
  bad[5].samples[1] = 256;
  for (const SampledImage& image : bad) {
    EXPECT_THROW(compare(whole, image), UsageError);
    EXPECT_THROW(compare(image, whole), UsageError);
    EXPECT_THROW(difference_picture(image, image), UsageError);
  }
  EXPECT_THROW(compare({}, {}), UsageError);
  EXPECT_THROW(sampled(Image<Rgb8>{2, 2, std::vector<Rgb8>(3)}), UsageError);
}

TEST(Compare, refuses_to_judge_a_metric_that_was_not_measured) {
  EXPECT_THROW(judge({}, {{}, {}, {metric_limit("rms", 1.0)}}), UsageError);
}

/// `image` with `columns` more columns and `rows` more rows.
SampledImage grown(const SampledImage& image, u32 columns, u32 rows) {
  SampledImage out{image.width + columns, image.height + rows, image.channels, image.depth, {}};
  const u64 row = u64{image.width} * image.channels;
  for (u64 y = 0; y < out.height; ++y)
    for (u64 i = 0; i < u64{out.width} * out.channels; ++i)
      out.samples.push_back(i < row && y < image.height ? image.samples[y * row + i] : u16{77});
  return out;
}

TEST(Compare, finds_pictures_of_other_sizes_different_and_compares_what_both_have) {
  const SampledImage reference = sampled(gradient(20, 10));
  SampledImage result = grown(reference, 3, 0);
  const Comparison grew = compare(reference, result);
  EXPECT_FALSE(grew.same);
  EXPECT_TRUE(grew.sizes_differ());
  EXPECT_EQ(grew.reference_size.width, 20u);
  EXPECT_EQ(grew.result_size.width, 23u);
  EXPECT_EQ(grew.pixels, 200u);
  EXPECT_EQ(grew.different, 0u);
  for (const MetricValue& row : grew.values) EXPECT_EQ(row.value, row.metric->of_equals());
  EXPECT_EQ(judge(grew, {100.0, 255, {}}).outcome.outcome, Outcome::different)
      << "no limit allows another size";
  result.samples[(4 * 23 + 7) * 3] ^= 8;
  // Now the reference is the larger picture.
  const Comparison changed = compare(result, reference);
  EXPECT_EQ(changed.different, 1u);
  ASSERT_TRUE(changed.worst);
  EXPECT_EQ(changed.worst->x, 7u);
  EXPECT_EQ(changed.worst->y, 4u);
}

TEST(Compare, shows_what_only_one_picture_has) {
  const SampledImage reference = grown(sampled(gradient(20, 10)), 0, 5);
  const SampledImage result = grown(sampled(gradient(20, 10)), 4, 0);
  const Image<Rgb8> picture = difference_picture(reference, result);
  ASSERT_EQ(picture.width, 24u);
  ASSERT_EQ(picture.height, 15u);
  for (u32 y = 0; y < 15; ++y)
    for (u32 x = 0; x < 24; ++x) {
      const Rgb8 p = picture.pixels[y * 24 + x];
      if (x < 20 && y < 10)
        EXPECT_EQ(p.r + p.g + p.b, 0);
      else if (y < 10)
        EXPECT_GT(p.b, p.r) << "blue: only the result has it";
      else if (x < 20)
        EXPECT_GT(p.r, p.b) << "orange: only the reference has it";
      else
        EXPECT_EQ(p.r, p.b) << "none of them has it";
    }
  const Image<Rgb8> flip = flip_picture(paired(reference, result, {}));
  EXPECT_EQ(flip.width, 24u);
  EXPECT_EQ(flip.pixels[22].b, picture.pixels[22].b);
}

TEST(Compare, takes_rectangles_that_only_one_picture_has) {
  const SampledImage small = sampled(gradient(20, 10)), large = grown(small, 5, 0);
  EXPECT_EQ(compare(small, large, {{{18, 0, 5, 10}}}).left_out, 20u);
  EXPECT_THROW(compare(small, large, {{{18, 0, 8, 10}}}), UsageError);
}

}  // namespace comparison_test
}  // namespace ballotcast::detail
