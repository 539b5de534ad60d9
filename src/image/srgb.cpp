#include "image/srgb.hpp"

namespace ballotcast::detail {

namespace {

/// x^(1/5) for x in (0, 1], by Newton steps in double precision. It uses only + - * /, so the bits
/// are the same everywhere.
double fifth_root(double x) {
  double y = 1.0;
  for (int i = 0; i < 200; ++i) {
    const double y4 = y * y * y * y;
    const double next = y - (y * y4 - x) / (5.0 * y4);
    if (!(next < y)) break;
    y = next;
  }
  return y;
}

}  // namespace

double srgb_to_linear(double encoded) {
  if (encoded <= 0.04045) return encoded / 12.92;
  const double base = (encoded + 0.055) / 1.055;
  const double root = fifth_root(base);
  return base * base * root * root;  // base^2.4
}

const std::array<float, 256>& srgb_to_linear_table() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int i = 0; i < 256; ++i) t[i] = static_cast<float>(srgb_to_linear(i / 255.0));
    return t;
  }();
  return table;
}

const std::array<float, 256>& srgb_threshold_table() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int i = 1; i < 256; ++i) t[i] = static_cast<float>(srgb_to_linear((i - 0.5) / 255.0));
    return t;
  }();
  return table;
}

}  // namespace ballotcast::detail
