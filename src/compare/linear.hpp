// Compares pictures of linear floats, number by number and block by block. Also converts them to
// 8-bit pictures, for everything that shows only those.
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

/// The block of pixels, or the single pixel, in which two pictures differ most, with their values
/// there.
struct LinearBlock {
  u32 x = 0, y = 0;  // top left pixel of the block
  u32 width = 1, height = 1;
  std::array<double, 3> reference{}, result{};  // means over the block
};

/// How two linear pictures differ. Left-out pixels do not count.
struct LinearComparison {
  u64 pixels = 0;     // number of pixels that were compared
  u64 different = 0;  // number of pixels that differ in any bit
  // Number of pixels with NaN or infinity in either picture; they are left out of the numbers below
  u64 not_finite = 0;
  u64 not_finite_different = 0;  // number of the non-finite pixels that differ in any bit
  double rms = 0.0;              // root mean square of the differences of all numbers
  /// The mean of (result - reference)^2 / (reference^2 + 0.01) over all numbers.
  double relmse = 0.0;
  /// The largest relative difference of a pixel. The relative difference of a pixel is the largest
  /// difference of its three numbers, divided by its largest absolute number in either picture.
  double max = 0.0;
  // The first pixel with the difference `max`; absent if `max` is 0
  std::optional<LinearBlock> worst_pixel;
  /// The largest relative difference of a block: as `max`, with the means of each block instead of
  /// pixels. The first block is at the top left. If the size of the picture is not a multiple of
  /// the block's, the last blocks overlap those before them.
  double block = 0.0;
  std::optional<LinearBlock> worst_block;
  u32 block_side = 0;

  bool same() const { return different == 0; }
};

/// Compares two pictures. If their sizes differ, compares the part that both have, from the top
/// left corner. `left_out` is true for each pixel of that part that does not count. `block_side`,
/// at least 1, is the side of blocks in pixels.
BALLOTCAST_API LinearComparison compare_linear(const LinearImage& reference,
                                               const LinearImage& result,
                                               const std::vector<bool>& left_out, u32 block_side);

/// One of the numbers of a LinearComparison that can have a limit.
struct LinearMetric {
  std::string_view name;
  std::string_view summary;
  double LinearComparison::*value;
};

/// The table of all LinearMetrics: rms, relmse, max, block. For each, smaller is better.
BALLOTCAST_API const std::array<LinearMetric, 4>& linear_metrics();

/// The LinearMetric called `name`. Throws UsageError, whose message lists all, if there is none.
const LinearMetric& linear_metric_called(std::string_view name);

/// The largest value that a LinearMetric may have.
struct LinearLimit {
  const LinearMetric* metric;
  double most;
};

/// Compares the numbers of `comparison` with their limits. If a non-finite pixel differs, all
/// limits are broken.
std::vector<JudgedLimit> judged(const LinearComparison& comparison,
                                const std::vector<LinearLimit>& limits);

/// An exposure with which three quarters of the pixels of a picture have a luminance below 0.5.
/// Pixels that are black, negative or not finite do not count. Returns 1 if there are no others.
float exposure_for(const LinearImage& image);

/// The 8-bit picture that the shading `lit` would make of `image`: multiplied by `exposure`, with
/// compressed highlights, in sRGB. NaN and negative numbers become 0.
Image<Rgb8> tone_mapped(const LinearImage& image, float exposure);

}  // namespace ballotcast::detail
