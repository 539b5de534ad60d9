#include "compare/page_parts.hpp"

#include <algorithm>
#include <cmath>

#include "compare/difference.hpp"
#include "compare/metrics/flip.hpp"
#include "image/codec.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

std::string rgba_in_words(const std::array<u16, 4>& rgba) {
  std::string words;
  for (const u16 value : rgba) words += (words.empty() ? "" : ", ") + std::to_string(value);
  return words;
}

// The page's names for the measures different_percent and max_error.
constexpr const char *kDifferent = "pixels that differ", *kLargest = "largest difference";

/// The name of the page's row for `measure`.
std::string row_of(std::string measure) {
  std::replace(measure.begin(), measure.end(), '_', ' ');
  if (measure == "different percent" || measure == "percent different") return kDifferent;
  return measure == "max" || measure == "max error" ? kLargest : measure;
}

}  // namespace

void set_limit(PageCase& page, const std::string& measure, const std::string& value,
               const std::string& limit, bool kept) {
  const std::string name = row_of(measure);
  const auto row = std::find_if(page.numbers.begin(), page.numbers.end(),
                                [&](const PageNumber& number) { return number.name == name; });
  if (row == page.numbers.end()) {
    page.numbers.push_back({name, value, limit, kept});
    return;
  }
  const std::string unit = name == kDifferent                     ? " %"
                           : name == kLargest && measure == "max" ? " of 255"
                                                                  : "";
  if (name == kDifferent) row->value += " (" + value + " %)";
  if (name != kDifferent && name != kLargest) row->value = value;
  row->limit += (row->limit.empty() ? "" : ", ") + limit + unit;
  row->kept = row->kept && kept;
}

std::string page_number(double value) {
  if (std::isnan(value)) return "not defined";
  if (std::isinf(value)) return "infinite";
  return std::abs(value) < 1e9 && value == std::floor(value) ? fixed(value, 0) : fixed(value, 4);
}

void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison) {
  const auto add = [&](const std::string& name, const std::string& value) {
    page.numbers.push_back({name, value, "", true});
  };
  add(kDifferent, grouped(comparison.different) + " of " + grouped(comparison.pixels));
  if (comparison.left_out != 0) add("pixels left out", grouped(comparison.left_out));
  add(kLargest, std::to_string(comparison.max_error) + " of " + std::to_string(comparison.largest));
  for (const MetricValue& value : comparison.values)
    if (row_of(std::string(value.metric->name)) != kLargest)
      add(std::string(value.metric->name),
          page_number(value.value) +
              (value.metric->unit.empty() ? "" : " " + std::string(value.metric->unit)));
  if (comparison.worst)
    page.worst = PagePixel{comparison.worst->x, comparison.worst->y,
                           rgba_in_words(comparison.worst->reference),
                           rgba_in_words(comparison.worst->result)};
  if (comparison.same) return;
  page.pictures.difference = encode_png(difference_picture(pair, full_amplification(pair)));
  page.pictures.flip = encode_png(heat_picture(flip_map(pair)));
}

}  // namespace ballotcast::detail
