// What a metric is, and the table of them: each is one file here and one row in metrics.cpp.
#pragma once

#include <span>
#include <string_view>

#include "compare/picture_pair.hpp"

namespace ballotcast::detail {

/// A number that says how much two pictures differ.
struct Metric {
  std::string_view name;
  std::string_view summary;
  std::string_view unit;  // what stands behind the number, or ""
  bool lower_is_better;
  double least, most;  // what values there are; the better of the two is equal pictures'
  /// The value for a pair; NaN where it isn't defined.
  double (*measure)(const PicturePair& pair);

  double of_equals() const { return lower_is_better ? least : most; }
};

/// The table of metrics: mean, rms, max, psnr, ssim, flip.
std::span<const Metric> metrics();

/// The metric called `name`. Throws UsageError naming them all when there is none.
const Metric& metric_called(std::string_view name);

double mean_error(const PicturePair& pair);
double rms_error(const PicturePair& pair);
double largest_error(const PicturePair& pair);
double psnr(const PicturePair& pair);
double ssim(const PicturePair& pair);
double flip(const PicturePair& pair);

}  // namespace ballotcast::detail
