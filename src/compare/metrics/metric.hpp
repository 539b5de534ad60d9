// The metrics. Each is one function and one row in metrics.cpp. The type of the rows, Metric, is
// public.
#pragma once

#include <span>
#include <string_view>

#include "compare/picture_pair.hpp"

namespace ballotcast::detail {

double mean_error(const PicturePair& pair);
double rms_error(const PicturePair& pair);
double largest_error(const PicturePair& pair);
double psnr(const PicturePair& pair);
double ssim(const PicturePair& pair);
double flip(const PicturePair& pair);

}  // namespace ballotcast::detail
