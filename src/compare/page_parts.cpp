#include "compare/page_parts.hpp"

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

}  // namespace

std::string page_number(double value) {
  if (std::isnan(value)) return "not defined";
  if (std::isinf(value)) return "infinite";
  return std::abs(value) < 1e9 && value == std::floor(value) ? fixed(value, 0) : fixed(value, 4);
}

void add_comparison(PageCase& page, const PicturePair& pair, const Comparison& comparison) {
  const auto add = [&](const std::string& name, const std::string& value) {
    page.numbers.push_back({name, value, "", true});
  };
  add("pixels that differ", grouped(comparison.different) + " of " + grouped(comparison.pixels));
  if (comparison.left_out != 0) add("pixels left out", grouped(comparison.left_out));
  add("max error",
      std::to_string(comparison.max_error) + " of " + std::to_string(comparison.largest));
  for (const MetricValue& value : comparison.values)
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
