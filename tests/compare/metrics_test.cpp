#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "compare/comparison.hpp"
#include "compare/metrics/metric.hpp"
#include "helpers/pictures.hpp"

namespace ballotcast::detail {
namespace metrics_test {

using testing::NamedPair;

/// Values of other programs for testing::generated_pairs(). FLIP is from flip-evaluator 1.7 (its
/// authors' program; the mean of its map, summed in double precision). SSIM is from scikit-image
/// 0.26.0 on the luma, with gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
/// data_range=255; it has no value for pictures narrower than 11 pixels. oracle_test.sh compares
/// with these programs pixel by pixel.
struct Expected {
  const char* name;
  double flip, ssim;
};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr Expected kExpected[] = {
    {"noise", 0.18143411, 0.25455592}, {"line", 0.02740106, 0.89610067},
    {"cast", 0.26345096, 0.99946961},  {"random", 0.47769566, 0.02603844},
    {"narrow", 0.26475548, kNone},
};

PicturePair paired(const NamedPair& pair) {
  return ballotcast::detail::paired(sampled(pair.reference), sampled(pair.result), {});
}

TEST(Metrics, agree_with_other_programs) {
  const std::vector<NamedPair> pairs = testing::generated_pairs();
  ASSERT_EQ(pairs.size(), std::size(kExpected));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].name, kExpected[i].name);
    EXPECT_NEAR(flip(paired(pairs[i])), kExpected[i].flip, 1e-5) << pairs[i].name;
    if (std::isnan(kExpected[i].ssim)) continue;
    EXPECT_NEAR(ssim(paired(pairs[i])), kExpected[i].ssim, 1e-7) << pairs[i].name;
  }
}

TEST(Metrics, are_the_formulas_of_their_names) {
  const SampledImage a{2, 1, 1, 8, {10, 20}}, b{2, 1, 1, 8, {13, 16}};
  const PicturePair pair = ballotcast::detail::paired(a, b, {});
  EXPECT_DOUBLE_EQ(mean_error(pair), 3.5);
  EXPECT_DOUBLE_EQ(rms_error(pair), std::sqrt(12.5));
  EXPECT_DOUBLE_EQ(largest_error(pair), 4.0);
  EXPECT_DOUBLE_EQ(psnr(pair), 10.0 * std::log10(255.0 * 255.0 / 12.5));
}

TEST(Metrics, stay_in_their_ranges_for_the_most_different_and_smallest_pictures) {
  const auto flat = [](u8 grey, u32 width, u32 height) {
    return sampled(testing::picture_of(width, height, [=](u32, u32) {
      return Rgb8{grey, grey, grey};
    }));
  };
  for (const auto& [width, height] :
       {std::pair(1u, 1u), {1u, 30u}, {30u, 1u}, {11u, 10u}, {12u, 65u}}) {
    const PicturePair pair =
        ballotcast::detail::paired(flat(0, width, height), flat(255, width, height), {});
    for (const Metric& metric : metrics()) {
      const double value = metric.measure(pair);
      EXPECT_GE(value, metric.least) << metric.name;
      EXPECT_LE(value, metric.most) << metric.name;
      EXPECT_NE(value, metric.of_equals()) << metric.name;
    }
  }
}

TEST(Ssim, is_not_defined_where_no_window_is_left) {
  const SampledImage reference = sampled(testing::gradient(13, 13));
  SampledImage result = reference;
  result.samples[0] = 9;
  EXPECT_TRUE(std::isnan(ssim(ballotcast::detail::paired(reference, result, {{{5, 5, 3, 3}}}))));
  EXPECT_FALSE(std::isnan(ssim(ballotcast::detail::paired(reference, result, {{{5, 5, 3, 2}}}))));
}

TEST(Flip, is_blind_to_what_is_left_out) {
  const SampledImage reference = sampled(testing::gradient());
  SampledImage result = reference;
  for (u32 c = 0; c < 3; ++c) result.samples[(40 * 120 + 50) * 3 + c] = 255;
  const PicturePair all = ballotcast::detail::paired(reference, result, {});
  EXPECT_GT(flip_map(all).values[40 * 120 + 49], 0.0f);
  for (const float value :
       flip_map(ballotcast::detail::paired(reference, result, {{{50, 40, 1, 1}}})).values)
    EXPECT_EQ(value, 0.0f);
}

TEST(Flip, sees_less_from_farther_away) {
  const NamedPair pair = testing::generated_pairs()[0];
  const auto mean = [&](double pixels_per_degree) {
    double sum = 0.0;
    for (const float value : flip_map(paired(pair), pixels_per_degree).values) sum += value;
    return sum;
  };
  EXPECT_GT(mean(20.0), mean(67.0));
  EXPECT_GT(mean(67.0), mean(200.0));
}

TEST(Difference, shows_the_smallest_one_and_alpha) {
  const SampledImage a{3, 1, 4, 16, {7, 7, 7, 65535, 7, 7, 7, 65535, 7, 7, 7, 65535}};
  SampledImage b = a;
  b.samples[1] = 8;
  b.samples[11] = 65535 - 2 * 257;
  const Image<Rgb8> picture = difference_picture(ballotcast::detail::paired(a, b, {}), 1.0);
  const auto is = [&](u32 x, int red, int green, int blue) {
    const Rgb8 p = picture.pixels[x];
    return p.r == red && p.g == green && p.b == blue;
  };
  EXPECT_TRUE(is(0, 0, 1, 0));
  EXPECT_TRUE(is(1, 0, 0, 0));
  EXPECT_TRUE(is(2, 2, 0, 2));
}

TEST(Difference, shows_the_largest_in_full) {
  for (const NamedPair& pair : testing::generated_pairs()) {
    const Image<Rgb8> picture = difference_picture(paired(pair), full_amplification(paired(pair)));
    u8 brightest = 0;
    for (const Rgb8& p : picture.pixels) brightest = std::max({brightest, p.r, p.g, p.b});
    EXPECT_EQ(brightest, 255) << pair.name;
  }
}

TEST(Difference, draws_a_map_from_black_to_white_ever_brighter) {
  Plane<float> map(256, 1);
  for (u32 i = 0; i < 256; ++i) map.values[i] = static_cast<float>(i) / 255.0f;
  const Image<Rgb8> picture = heat_picture(map);
  const auto brightness = [&](u32 i) {
    return 0.30 * picture.pixels[i].r + 0.59 * picture.pixels[i].g + 0.11 * picture.pixels[i].b;
  };
  EXPECT_EQ(brightness(0), 0.0);
  EXPECT_DOUBLE_EQ(brightness(255), 255.0);
  for (u32 i = 8; i < 256; ++i) EXPECT_GT(brightness(i), brightness(i - 8)) << i;
}

}  // namespace metrics_test
}  // namespace ballotcast::detail
