#include "compare/comparison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

#include "ballotcast/compare.hpp"
#include "ballotcast/error.hpp"
#include "compare/metrics/metric.hpp"
#include "image/color.hpp"

namespace ballotcast::detail {

namespace {

/// Adds pixel `i`, with RGBA samples `a` in the reference and `b` in the result, to the counts of
/// `out`.
void count_pixel(Comparison& out, u64 i, const u16* a, const u16* b) {
  u32 color = 0;
  for (int c = 0; c < 3; ++c) color = std::max(color, static_cast<u32>(std::abs(a[c] - b[c])));
  const u32 alpha = static_cast<u32>(std::abs(a[3] - b[3]));
  const u32 error = std::max(color, alpha);
  if (error == 0) return;
  out.color_different += color > 0;
  out.alpha_different += alpha > 0;
  for (std::size_t k = 0; k < kCountedDifferences.size(); ++k)
    out.over[k] += error > kCountedDifferences[k] * (out.largest / 255u);
  if (error <= out.max_error) return;
  out.max_error = error;
  out.worst = WorstPixel{static_cast<u32>(i % out.width),
                         static_cast<u32>(i / out.width),
                         {a[0], a[1], a[2], a[3]},
                         {b[0], b[1], b[2], b[3]}};
}

constexpr double kTwoPi = 6.28318530717958647692;

/// The colour of `value`, from 0 to 1, in a colour map. Its colours turn one and a half times
/// around the grey axis while their perceived brightness rises from 0 to 1 (D. A. Green, "A colour
/// scheme for the display of astronomical intensity images", Bulletin of the Astronomical Society
/// of India 39, 2011; start 0.5, rotations -1.5, hue 1, gamma 1).
Rgb8 heat_color(double value) {
  const double angle = kTwoPi * (0.5 / 3.0 + 1.0 - 1.5 * value);
  const double amplitude = value * (1.0 - value) / 2.0;
  const double c = std::cos(angle), s = std::sin(angle);
  const auto code = [&](double of_cos, double of_sin) {
    return plain_code(static_cast<float>(value + amplitude * (of_cos * c + of_sin * s)));
  };
  return {code(-0.14861, 1.78277), code(-0.29227, -0.90649), code(1.97294, 0.0)};
}

/// True if pixel (x, y) lies in a bright one of the diagonal stripes that mark pixels that are not
/// compared.
bool is_bright(u32 x, u32 y) {
  constexpr u32 kStripe = 4;  // width of a stripe in pixels
  return (x + y) / kStripe % 2 == 0;
}

/// The colour of a pixel that at most one of the pictures has: blue stripes if only the result has
/// it, orange stripes if only the reference has it, plain grey if neither has it.
Rgb8 color_outside(const PicturePair& pair, u32 x, u32 y) {
  const auto has = [&](const PictureSize& size) { return x < size.width && y < size.height; };
  if (has(pair.result_size)) return is_bright(x, y) ? Rgb8{60, 130, 220} : Rgb8{24, 60, 110};
  if (has(pair.reference_size)) return is_bright(x, y) ? Rgb8{225, 125, 30} : Rgb8{110, 58, 12};
  return {64, 64, 64};
}

/// Returns a picture as large as the larger one of the pair: the picture `common` of the part that
/// both have, with stripes over left-out pixels, and striped parts that only one picture has.
Image<Rgb8> with_stripes(Image<Rgb8> common, const PicturePair& pair) {
  for (u64 i = 0; i < pair.pixels(); ++i)
    if (pair.left_out[i]) {
      const bool bright =
          is_bright(static_cast<u32>(i % pair.width), static_cast<u32>(i / pair.width));
      common.pixels[i] = bright ? Rgb8{72, 72, 72} : Rgb8{40, 40, 40};
    }
  if (pair.reference_size == pair.result_size) return common;
  const u32 width = std::max(pair.reference_size.width, pair.result_size.width);
  const u32 height = std::max(pair.reference_size.height, pair.result_size.height);
  Image<Rgb8> out{width, height, {}};
  out.pixels.reserve(u64{width} * height);
  for (u32 y = 0; y < height; ++y)
    for (u32 x = 0; x < width; ++x)
      out.pixels.push_back(x < pair.width && y < pair.height
                               ? common.pixels[u64{y} * pair.width + x]
                               : color_outside(pair, x, y));
  return out;
}

}  // namespace

Comparison compare_pair(const PicturePair& pair) {
  Comparison out;
  out.reference_size = pair.reference_size;
  out.result_size = pair.result_size;
  out.width = pair.width;
  out.height = pair.height;
  out.largest = pair.largest();
  out.pixels = pair.compared();
  out.left_out = pair.left_out_count;
  // Left-out pixels add nothing, because paired() has made them equal in both pictures.
  for (u64 i = 0; i < pair.pixels(); ++i)
    count_pixel(out, i, pair.reference.data() + 4 * i, pair.result.data() + 4 * i);
  out.different = out.over[0];
  out.same = out.different == 0 && !out.sizes_differ();
  for (const Metric& metric : metrics())
    out.values.push_back({&metric, out.different == 0 ? metric.of_equals() : metric.measure(pair)});
  return out;
}

double full_amplification(const PicturePair& pair) {
  const double largest = largest_error(pair);
  return largest > 0.0 ? 255.0 / largest : 1.0;
}

Image<Rgb8> difference_picture(const PicturePair& pair, double factor) {
  Image<Rgb8> out{pair.width, pair.height, {}};
  out.pixels.reserve(pair.pixels());
  const double scale = factor / pair.steps_of_255th();
  for (u64 i = 0; i < pair.pixels(); ++i) {
    const auto difference = [&](u64 c) {
      return std::abs(pair.reference[4 * i + c] - pair.result[4 * i + c]);
    };
    const auto code = [&](int steps) {
      return static_cast<u8>(std::min(255.0, std::ceil(steps * scale)));
    };
    const int alpha = difference(3);
    out.pixels.push_back(
        {code(difference(0) + alpha), code(difference(1)), code(difference(2) + alpha)});
  }
  return with_stripes(std::move(out), pair);
}

Image<Rgb8> heat_picture(const Plane<float>& map) {
  Image<Rgb8> out{map.width, map.height, {}};
  out.pixels.reserve(map.values.size());
  for (const float value : map.values)
    out.pixels.push_back(heat_color(clamp_to(value, 0.0f, 1.0f)));
  return out;
}

Image<Rgb8> flip_picture(const PicturePair& pair) {
  return with_stripes(heat_picture(flip_map(pair)), pair);
}

namespace {

struct Measure {
  std::string_view name;
  double (*of)(const Comparison& comparison);
};

/// The measures that are exact counts. In lists of measures, the metrics follow them.
constexpr std::array<Measure, 2> kCounted = {{
    {"max_error", [](const Comparison& c) { return static_cast<double>(c.max_error); }},
    {"different_percent", [](const Comparison& c) { return c.percent_different(); }},
}};

}  // namespace

bool is_measure(std::string_view name) {
  const auto called = [&](const auto& row) { return row.name == name; };
  return std::any_of(kCounted.begin(), kCounted.end(), called) ||
         std::any_of(metrics().begin(), metrics().end(), called);
}

std::string measure_names() {
  std::string names;
  const auto add = [&](std::string_view name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  for (const Measure& row : kCounted) add(row.name);
  for (const Metric& row : metrics()) add(row.name);
  return names;
}

bool lower_is_better(std::string_view name) {
  for (const Metric& row : metrics())
    if (row.name == name) return row.lower_is_better;
  return true;
}

double measure_of(std::string_view name, const Comparison& comparison) {
  for (const Measure& row : kCounted)
    if (row.name == name) return row.of(comparison);
  for (const MetricValue& value : comparison.values)
    if (value.metric->name == name) return value.value;
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace ballotcast::detail

namespace ballotcast {

namespace {

std::string in_words(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

JudgedLimit judged(std::string name, bool at_most, double limit, double value) {
  // Written so that a value or limit of NaN breaks the limit.
  const bool broken = at_most ? !(value <= limit) : !(value >= limit);
  return {std::move(name), at_most, limit, value, !broken};
}

}  // namespace

Comparison compare(const SampledImage& reference, const SampledImage& result,
                   const CompareOptions& options) {
  return detail::compare_pair(detail::paired(reference, result, options));
}

OutcomeInfo detail::outcome_of(const Comparison& comparison,
                               const std::vector<JudgedLimit>& limits) {
  const bool hold =
      !limits.empty() && !comparison.sizes_differ() &&
      std::all_of(limits.begin(), limits.end(), [](const JudgedLimit& row) { return row.holds; });
  const Outcome outcome = comparison.same ? Outcome::same
                          : hold          ? Outcome::within_limits
                                          : Outcome::different;
  return outcomes()[static_cast<std::size_t>(outcome)];
}

Span<const OutcomeInfo> outcomes() {
  static constexpr std::array<OutcomeInfo, 3> table = {{
      {Outcome::same, "same", 0},
      {Outcome::within_limits, "within limits", 0},
      {Outcome::different, "different", 1},
  }};
  return table;
}

MetricLimit metric_limit(std::string_view name, double limit) {
  const Metric& metric = metric_called(name);
  if (!(limit >= metric.least && limit <= metric.most))
    throw UsageError("limit " + in_words(limit) + ": " + std::string(name) + " lies between " +
                     in_words(metric.least) + " and " + in_words(metric.most));
  return {&metric, limit};
}

Judgement judge(const Comparison& comparison, const Limits& limits) {
  std::vector<JudgedLimit> all;
  if (limits.fail_percent)
    all.push_back(
        judged("percent different", true, *limits.fail_percent, comparison.percent_different()));
  if (limits.max_error && *limits.max_error > comparison.largest)
    throw UsageError("limit " + std::to_string(*limits.max_error) +
                     ": the samples of these pictures end at " +
                     std::to_string(comparison.largest));
  if (limits.max_error)
    all.push_back(judged("max error", true, *limits.max_error, comparison.max_error));
  for (const MetricLimit& row : limits.metrics) {
    const auto found =
        std::find_if(comparison.values.begin(), comparison.values.end(),
                     [&](const MetricValue& value) { return value.metric == row.metric; });
    if (found == comparison.values.end())
      throw UsageError("the comparison has no value of " + std::string(row.metric->name));
    all.push_back(judged(std::string(row.metric->name), row.metric->lower_is_better, row.limit,
                         found->value));
  }
  return {detail::outcome_of(comparison, all), all};
}

Image<Rgb8> difference_picture(const SampledImage& reference, const SampledImage& result,
                               double factor) {
  const detail::PicturePair pair = detail::paired(reference, result, {});
  return detail::difference_picture(pair, factor > 0.0 ? factor : detail::full_amplification(pair));
}

}  // namespace ballotcast
