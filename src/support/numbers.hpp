// Parses numbers in options and in parameters of requests, and formats numbers exactly.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

namespace ballotcast::detail {

/// The largest coordinate or colour in a text. Larger numbers would overflow when they are
/// converted to floats. Scene files have the same limit.
inline constexpr double kLargestComponent = 1e30;

/// Parses `text` as a number. Returns nothing if there are other characters or the value does not
/// fit into the type.
template <class Value>
std::optional<Value> parsed(std::string_view text) {
  Value value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Parses `text` as a number that is neither infinite nor NaN.
inline std::optional<double> finite_number(std::string_view text) {
  const std::optional<double> value = parsed<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

/// Parses three finite numbers "x,y,z". -0 becomes 0, because otherwise cameras with 0 and -0 would
/// count as different.
inline std::optional<std::array<double, 3>> three_numbers(std::string_view text) {
  std::array<double, 3> three;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t end = i < 2 ? text.find(',') : text.size();
    const auto number = end == text.npos ? std::nullopt : finite_number(text.substr(0, end));
    if (!number) return std::nullopt;
    three[i] = *number + 0.0;
    if (i < 2) text.remove_prefix(end + 1);
  }
  return three;
}

/// The shortest decimal number that reads back as the same float or double.
template <class Number>
std::string shortest(Number value) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

}  // namespace ballotcast::detail
