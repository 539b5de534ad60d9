// Compares pictures of linear floats, number by number and block by block. Converts them to 8-bit
// pictures, so that everything that shows 8-bit pictures can show them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/compare.hpp"
#include "ballotcast/linear_image.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// A block of pixels, or one pixel, where two pictures differ most, with their values there.
struct LinearBlock {
  u32 x = 0, y = 0;  // the top left pixel
  u32 width = 1, height = 1;
  std::array<double, 3> reference{}, result{};  // means over the block
};

/// How two linear pictures differ. Pixels that were left out do not count.
struct LinearComparison {
  u64 pixels = 0;      // that were compared
  u64 different = 0;   // pixels that differ in any bit
  u64 not_finite = 0;  // pixels with NaN or infinity in a picture; the numbers below leave them out
  u64 not_finite_different = 0;  // those of them that differ in any bit
  double rms = 0.0;              // root mean square of the differences of all numbers
  /// The mean of (result - reference)^2 / (reference^2 + 0.01) over all numbers.
  double relmse = 0.0;
  /// The largest relative difference of a pixel: the largest difference of its three numbers, over
  /// the largest absolute number that it has in either picture.
  double max = 0.0;
  std::optional<LinearBlock> worst_pixel;  // the first with `max`; absent if `max` is 0
  /// The same for the means of a block. Blocks begin at the top left. If the size of the picture is
  /// not a multiple of theirs, the last blocks overlap those before them.
  double block = 0.0;
  std::optional<LinearBlock> worst_block;
  u32 block_side = 0;

  bool same() const { return different == 0; }
};

/// Compares two pictures. If their sizes differ, compares the part that both have, from the top
/// left corner. `left_out` says which of these pixels do not count; `block_side` is at least 1.
BALLOTCAST_API LinearComparison compare_linear(const LinearImage& reference,
                                               const LinearImage& result,
                                               const std::vector<bool>& left_out, u32 block_side);

/// A number of a comparison that can be limited.
struct LinearMetric {
  std::string_view name;
  std::string_view summary;
  double LinearComparison::*value;
};

/// The table of these numbers: rms, relmse, max, block. Smaller is better.
BALLOTCAST_API const std::array<LinearMetric, 4>& linear_metrics();

/// The number called `name`. Throws UsageError, which lists all, if there is none.
const LinearMetric& linear_metric_called(std::string_view name);

/// A limit for a number: the most that it may be.
struct LinearLimit {
  const LinearMetric* metric;
  double most;
};

/// Compares the numbers with their limits. If a pixel that is not finite differs, no limit holds.
std::vector<JudgedLimit> judged(const LinearComparison& comparison,
                                const std::vector<LinearLimit>& limits);

/// An exposure that suits a picture: with it, three quarters of the pixels have a luminance below
/// 0.5. Pixels that are black, negative or not finite do not count. 1 if there are no others.
float exposure_for(const LinearImage& image);

/// The picture as shading lit would store it: exposure, compressed highlights, sRGB. NaN and
/// negative numbers become 0.
Image<Rgb8> tone_mapped(const LinearImage& image, float exposure);

}  // namespace ballotcast::detail
