#include "bench/reports/noise.hpp"

#include <algorithm>
#include <vector>

#include "support/text.hpp"

namespace ballotcast::detail {

double noise_between(const Row& a, const Row& b, double least) {
  const auto spread = [](const Row& row) { return row.timing ? row.timing->spread : 0.0; };
  return std::max(least, spread(a) + spread(b));
}

double time_per_item(const Row& row) {
  return row.timing->median_ms / static_cast<double>(std::max<u64>(1, row.items));
}

double times_slower(const Row& slow, const Row& fast) {
  const double least = time_per_item(fast);
  return least > 0.0 ? time_per_item(slow) / least : 1.0;
}

bool is_within(double noise, double ratio) { return std::max(ratio, 1.0 / ratio) - 1.0 <= noise; }

bool differ(const Row& a, const Row& b, double least) {
  return !is_within(noise_between(a, b, least), times_slower(a, b));
}

std::string percent_in_words(double share) {
  constexpr double kTenPercent = 0.0995, kTenthOfPercent = 0.00095;
  const int digits = share >= kTenPercent ? 0 : share >= kTenthOfPercent || share <= 0.0 ? 1 : 2;
  return fixed(share * 100.0, digits) + " %";
}

std::string noise_in_words(const Results& results) {
  std::vector<double> spreads;
  for (const Row& row : results.rows)
    if (row.timing) spreads.push_back(row.timing->spread);
  if (spreads.empty()) return "";
  std::sort(spreads.begin(), spreads.end());
  const auto shown = [](double share) { return "±" + percent_in_words(share); };
  std::string words = "spread of the samples " + shown(spreads.front());
  if (shown(spreads.front()) != shown(spreads.back()))
    words += " to " + shown(spreads.back()) + ", median " + shown(spreads[spreads.size() / 2]);
  if (results.noise > 0.0) words += "; no difference below " + shown(results.noise) + " is claimed";
  return words;
}

}  // namespace ballotcast::detail
