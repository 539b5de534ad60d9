// Compares two pictures and judges the differences.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/image.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

namespace detail {
struct PicturePair;
}

/// A part of a picture, in pixels: columns x to x + width - 1, rows y to y + height - 1.
struct Rectangle {
  std::uint32_t x;       ///< first column
  std::uint32_t y;       ///< first row, from the top
  std::uint32_t width;   ///< columns, at least 1
  std::uint32_t height;  ///< rows, at least 1
};

/// The size of a picture in pixels.
struct PictureSize {
  std::uint32_t width = 0;   ///< pixels per row
  std::uint32_t height = 0;  ///< rows

  /// True if widths and heights are equal.
  friend bool operator==(const PictureSize& a, const PictureSize& b) {
    return a.width == b.width && a.height == b.height;
  }
};

/// How to compare two pictures.
struct CompareOptions {
  std::vector<Rectangle> ignore = {};        ///< pixels inside these rectangles are left out
  std::string reference_name = "reference";  ///< name of the reference in messages
  std::string result_name = "result";        ///< name of the result in messages
  /// A mask: a picture with the size of the reference or of the result. Pixels are left out of the
  /// comparison where the mask is neither black nor fully transparent. Without samples, there is no
  /// mask.
  SampledImage ignore_where = {};
  /// Name of the mask in messages.
  std::string ignore_where_name = "the picture of ignored pixels";
};

/// A row of the table of metrics. A metric is a number that tells how much two pictures differ.
struct Metric {
  std::string_view name;     ///< mean, rms, max, psnr, ssim, flip
  std::string_view summary;  ///< one line that describes the metric
  std::string_view unit;     ///< unit after the number, or ""
  bool lower_is_better;      ///< true: smaller values are better; false: larger
  double least;              ///< smallest possible value
  double most;               ///< largest possible value
  /// Computes the metric. Only the library itself calls it.
  double (*measure)(const detail::PicturePair& pair);

  /// The value for two equal pictures: the best possible one.
  double of_equals() const { return lower_is_better ? least : most; }
};

/// The value of a metric; NaN if the metric is not defined for these pictures.
struct MetricValue {
  const Metric* metric;  ///< the row of the metric in metrics()
  double value;          ///< in the unit of the metric
};

/// Differences in 255ths of the full range. For each of these values, Comparison::over counts the
/// pixels that differ by more.
inline constexpr std::array<std::uint32_t, 8> kCountedDifferences = {0, 1, 2, 4, 8, 16, 32, 64};

/// A pixel and its values in both pictures, as RGBA from 0 to Comparison::largest.
struct WorstPixel {
  std::uint32_t x;                         ///< column
  std::uint32_t y;                         ///< row, from the top
  std::array<std::uint16_t, 4> reference;  ///< its value in the reference
  std::array<std::uint16_t, 4> result;     ///< its value in the result
};

/// How two pictures differ. Pixels that CompareOptions leaves out are not counted. If the sizes
/// differ, the common part is compared, beginning at the top left corner.
struct Comparison {
  PictureSize reference_size;  ///< size of the whole reference
  PictureSize result_size;     ///< size of the whole result
  std::uint32_t width = 0;     ///< width of the part that both pictures have, in pixels
  std::uint32_t height = 0;    ///< height of the part that both pictures have, in pixels
  /// The largest possible sample: 65535 if at least one of the pictures has 16 bits, else 255. One
  /// step is a difference of 1 in this range.
  std::uint16_t largest = 255;
  std::uint64_t pixels = 0;    ///< number of pixels compared
  std::uint64_t left_out = 0;  ///< number of pixels left out by CompareOptions
  /// True if the sizes and all samples of all channels are equal, alpha included.
  bool same = true;
  std::uint64_t different = 0;        ///< number of pixels that differ
  std::uint64_t color_different = 0;  ///< number of pixels whose colour differs
  std::uint64_t alpha_different = 0;  ///< number of pixels whose alpha differs
  std::uint32_t max_error = 0;        ///< largest difference of a sample, in steps
  /// The first pixel in reading order with max_error; absent if the pictures are equal.
  std::optional<WorstPixel> worst;
  /// over[i] is the number of pixels that differ by more than kCountedDifferences[i].
  std::array<std::uint64_t, kCountedDifferences.size()> over{};
  std::vector<MetricValue> values;  ///< one per row of metrics()

  /// True if the pictures have different sizes. Then judge() finds them different, whatever the
  /// limits are.
  bool sizes_differ() const { return !(reference_size == result_size); }

  /// The percentage of the compared pixels that differ.
  double percent_different() const {
    return 100.0 * static_cast<double>(different) / static_cast<double>(pixels);
  }
};

/// Reads a PNG file as read_png() does, or a JPEG, WebP or BMP file as 8-bit RGB with alpha. The
/// first bytes of the file decide its format, not its name. JPEG and lossy WebP are decoded by
/// libraries whose versions may round samples differently. Throws InputError, which names the path,
/// if the file is of another kind, damaged or cut off, animated, has more than 2^15 pixels per
/// side, or is a WebP and the library was built without WebP.
BALLOTCAST_API SampledImage read_picture(const std::string& path);

/// Compares two pictures. Throws UsageError if a picture does not have the samples that its size,
/// channels and depth say, if a rectangle is empty or extends beyond both pictures, or if no pixel
/// is left to compare; and InputError if CompareOptions::ignore_where has another size than both.
BALLOTCAST_API Comparison compare(const SampledImage& reference, const SampledImage& result,
                                  const CompareOptions& options = {});

/// The table of metrics: mean, rms, max, psnr, ssim, flip. Its rows live as long as the program.
BALLOTCAST_API Span<const Metric> metrics();

/// The metric called `name`. If no metric has this name, throws UsageError, which lists the
/// metrics.
BALLOTCAST_API const Metric& metric_called(std::string_view name);

/// The outcome of a comparison.
enum class Outcome {
  same,           ///< all samples are equal
  within_limits,  ///< the pictures differ, limits were set, and all limits hold
  different,      ///< the pictures differ, and no limit was set or a limit is broken
};

/// A row of the table of outcomes.
struct OutcomeInfo {
  Outcome outcome;         ///< which outcome
  std::string_view words;  ///< "same", "within limits", "different"
  int exit_code;           ///< the program's exit code: 0, 0, 1
};

/// The table of outcomes.
BALLOTCAST_API Span<const OutcomeInfo> outcomes();

/// A limit for the value of a metric: a maximum, or a minimum if higher values are better.
struct MetricLimit {
  const Metric* metric;  ///< the row of the metric in metrics()
  double limit;          ///< in the unit of the metric
};

/// How much pictures may differ. Without any limit they must be equal; otherwise every limit that
/// is set must hold.
struct Limits {
  std::optional<double> fail_percent = {};  ///< percentage of the compared pixels that may differ
  /// Largest allowed difference of a sample, in steps; see Comparison::largest.
  std::optional<std::uint32_t> max_error = {};
  std::vector<MetricLimit> metrics = {};  ///< limits of metrics
};

/// A limit for the metric called `name`. Throws UsageError if there is no such metric, or if
/// `limit` is NaN or outside the range of possible values of the metric.
BALLOTCAST_API MetricLimit metric_limit(std::string_view name, double limit);

/// A limit, and the value that was compared with it.
struct JudgedLimit {
  std::string name;  ///< "percent different", "max error", or a metric's name
  bool at_most;      ///< true: `limit` is a maximum; false: a minimum
  double limit;      ///< the maximum or minimum for `value`
  double value;      ///< the measured value
  bool holds;        ///< true if `value` keeps the limit
};

/// The outcome of a comparison, with the reasons.
struct Judgement {
  OutcomeInfo outcome;              ///< the outcome, with its words and exit code
  std::vector<JudgedLimit> limits;  ///< all limits that were set
};

/// Judges a comparison. An undefined value (NaN) breaks every limit. Pictures of different sizes
/// are different even if all limits hold. Throws UsageError if Limits::max_error is larger than the
/// largest sample of these pictures.
BALLOTCAST_API Judgement judge(const Comparison& comparison, const Limits& limits);

/// A picture of the differences. Each channel shows its own difference in 255ths times `factor`,
/// rounded up, so that no difference vanishes, and clipped at 255. The difference of alpha is added
/// to red and blue. If `factor` is 0, the factor is chosen so that the largest difference of a
/// channel becomes 255. If the sizes differ, the picture has the larger width and the larger height
/// of both. Parts that only the result has are striped in blue, and parts that only the reference
/// has are striped in orange. Throws the same errors as compare().
BALLOTCAST_API Image<Rgb8> difference_picture(const SampledImage& reference,
                                              const SampledImage& result, double factor = 0.0);

}  // namespace ballotcast
