#include "compare/needed.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

#include "support/json.hpp"
#include "support/numbers.hpp"

namespace ballotcast::detail {

namespace {

/// `value` as a short decimal number that is not smaller; with `down`, one that is not larger. So a
/// limit with this number still holds.
std::string rounded(double value, bool down) {
  if (value == 0.0) return "0";
  const double step = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2.0);
  const double near = (down ? std::floor(value / step) : std::ceil(value / step)) * step;
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", near);
  const std::optional<double> stored = parsed<double>(text);
  const bool holds = stored && (down ? *stored <= value : *stored >= value);
  return holds ? text : shortest(value);
}

/// A JSON number, written as people write it in suites: whole numbers without decimals.
Json number_of(double value) {
  const bool is_whole = value == std::floor(value) && std::abs(value) < 1e9;
  return is_whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

constexpr std::string_view kLinearPrefix = "linear ";

/// The option of `ballotcast compare` for the limit with this JudgedLimit::name.
std::string option_for(const std::string& name, const std::string& value) {
  if (name == "max error") return "--max-error " + value;
  if (name == "percent different") return "--fail-percent " + value;
  if (name.starts_with(kLinearPrefix))
    return "--fail-linear " + name.substr(kLinearPrefix.size()) + "=" + value;
  return "--fail " + name + "=" + value;
}

/// The limits to suggest if the user has set none: limits of 0, marked as broken, so that they are
/// widened to the values of the comparison.
std::vector<JudgedLimit> usual_limits(const Comparison& c, const LinearComparison* linear) {
  if (linear)
    return {{"linear max", true, 0.0, linear->max, false},
            {"linear block", true, 0.0, linear->block, false}};
  if (c.values.empty()) return {{"percent different", true, 0.0, c.percent_different(), false}};
  return {{"max error", true, 0.0, static_cast<double>(c.max_error), false},
          {"percent different", true, 0.0, c.percent_different(), false},
          {"flip", true, 0.0, measure_of("flip", c), false}};
}

}  // namespace

std::string needed_options(const Comparison& comparison, const std::vector<JudgedLimit>& limits,
                           const LinearComparison* linear) {
  constexpr double kMost = 1e9;  // the largest limit that an option accepts
  if (comparison.sizes_differ() || (linear && linear->not_finite_different != 0)) return "";
  std::string options;
  for (const JudgedLimit& limit : limits.empty() ? usual_limits(comparison, linear) : limits) {
    if (!std::isfinite(limit.value) || limit.value > kMost) return "";
    options +=
        (options.empty() ? "" : " ") +
        option_for(limit.name, limit.holds                 ? shortest(limit.limit)
                               : limit.name == "max error" ? std::to_string(comparison.max_error)
                                                           : rounded(limit.value, !limit.at_most));
  }
  return options;
}

std::string needed_tolerance(const Comparison& comparison, const std::optional<Tolerance>& now) {
  if (comparison.sizes_differ() || comparison.different == 0) return "";
  Json tolerance;
  if (!now) tolerance["max_error"] = {1, comparison.max_error};
  if (now)
    for (const ToleranceRange& range : now->ranges) {
      const double value = measure_of(range.measure, comparison);
      if (!std::isfinite(value)) return "";
      const auto end = [&](bool down) { return parsed<double>(rounded(value, down)).value(); };
      tolerance[range.measure] = {number_of(value < range.low ? end(true) : range.low),
                                  number_of(value > range.high ? end(false) : range.high)};
    }
  tolerance["why"] = now ? now->why : "...";
  return "\"tolerance\": " + on_one_line(tolerance);
}

}  // namespace ballotcast::detail
