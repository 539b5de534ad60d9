// Metric ssim: the structural similarity index (Wang, Bovik, Sheikh and Simoncelli, "Image quality
// assessment: from error visibility to structural similarity", IEEE Transactions on Image
// Processing 13(4), 2004). It is the mean over all windows of 11x11 pixels inside the picture, with
// Gaussian weights of sigma 1.5, K1 = 0.01, K2 = 0.03, L = 255, on the luma 0.299 R + 0.587 G +
// 0.114 B.
//
// Additions to the paper: if a side is shorter than 11 pixels, the window is as long as the side. A
// window does not count if its centre pixel is left out. Pictures with alpha are seen over black
// and over white, and the smaller value counts.

#include <algorithm>
#include <limits>

#include "compare/metrics/metric.hpp"
#include "compare/plane.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kWindow = 11;
constexpr double kSigma = 1.5;
constexpr double kC1 = (0.01 * 255.0) * (0.01 * 255.0);
constexpr double kC2 = (0.03 * 255.0) * (0.03 * 255.0);
// Number of rows of windows that are processed at once, so that their pixels stay in the cache.
constexpr u32 kSsimBand = 64;

std::vector<double> window_of(u32 side) {
  const std::vector<double> weights = gaussian(std::min(side, kWindow), kSigma);
  return scaled<double>(weights, 1.0 / sum_of(weights));
}

/// The luma of rows first to first + count - 1, from 0 to 255.
Plane<double> luma(const PicturePair& pair, const std::vector<u16>& samples, float background,
                   u32 first, u32 count) {
  Plane<double> out(pair.width, count);
  for (u64 i = 0; i < out.values.size(); ++i) {
    const SeenColor color =
        seen_over(background, samples.data() + 4 * (u64{first} * pair.width + i), pair.largest());
    out.values[i] = 255.0 * (0.299 * color.r + 0.587 * color.g + 0.114 * color.b);
  }
  return out;
}

Plane<double> product(Plane<double> a, const Plane<double>& b) {
  for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] *= b.values[i];
  return a;
}

/// A sum of similarities, and the number of windows that it is over.
struct Sum {
  double value = 0.0;
  u64 count = 0;
};

/// The sum of the similarities of the windows whose top row is between `first` and first + count -
/// 1.
Sum sum_of_windows(const PicturePair& pair, float background, u32 first, u32 count) {
  const std::vector<double> across = window_of(pair.width), down = window_of(pair.height);
  const u32 rows = count - 1 + static_cast<u32>(down.size());
  const Plane<double> a = luma(pair, pair.reference, background, first, rows);
  const Plane<double> b = luma(pair, pair.result, background, first, rows);
  const auto mean = [&](const Plane<double>& plane) {
    return filtered_along_columns(filtered_along_rows(plane, across), down);
  };
  const Plane<double> mean_a = mean(a), mean_b = mean(b);
  const Plane<double> mean_aa = mean(product(a, a)), mean_bb = mean(product(b, b)),
                      mean_ab = mean(product(a, b));
  Sum sum;
  for (u32 y = 0; y < count; ++y)
    for (u32 x = 0; x < mean_a.width; ++x) {
      const u64 middle = u64{first + y + (rows - count) / 2} * pair.width + x + across.size() / 2;
      if (pair.left_out[middle]) continue;
      const u64 i = u64{y} * mean_a.width + x;
      const double ma = mean_a.values[i], mb = mean_b.values[i];
      const double variances = mean_aa.values[i] - ma * ma + (mean_bb.values[i] - mb * mb);
      const double covariance = mean_ab.values[i] - ma * mb;
      sum.value += (2.0 * ma * mb + kC1) * (2.0 * covariance + kC2) /
                   ((ma * ma + mb * mb + kC1) * (variances + kC2));
      ++sum.count;
    }
  return sum;
}

double ssim_over(const PicturePair& pair, float background) {
  const u32 rows = pair.height + 1 - std::min(pair.height, kWindow);
  std::vector<Sum> bands((rows + kSsimBand - 1) / kSsimBand);
  for_each_index(bands.size(), [&](std::size_t band) {
    const u32 first = static_cast<u32>(band) * kSsimBand;
    bands[band] = sum_of_windows(pair, background, first, std::min(kSsimBand, rows - first));
  });
  Sum sum;
  // The sums of bands are added in a fixed order, so that the result is the same for any number of
  // threads.
  for (const Sum& band : bands) {
    sum.value += band.value;
    sum.count += band.count;
  }
  return sum.count == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : sum.value / static_cast<double>(sum.count);
}

}  // namespace

double ssim(const PicturePair& pair) {
  double least = 1.0;
  for (const float background : backgrounds_of(pair)) {
    const double value = ssim_over(pair, background);
    if (!(value >= least)) least = value;
  }
  return least;
}

}  // namespace ballotcast::detail
