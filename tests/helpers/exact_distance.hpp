// Computes which part of a triangle is closest to a point, and its distance, exactly: with integers
// of any size, or faster with numbers that have an error bound.
#pragma once

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "math/vec.hpp"

namespace ballotcast::detail::testing {

/// The sign of a number: -1, 0 or 1.
template <class Number>
int sign_of(const Number& number) {
  return number.sign();
}

/// Thrown if the error bound of a Wide number leaves the sign of the exact number open.
struct Unsure {};

/// A number as the sum of two doubles, with a bound on its error (T. J. Dekker, A floating-point
/// technique for extending the available precision, 1971).
struct Wide {
  double high = 0.0, low = 0.0, error = 0.0;

  double magnitude() const { return std::abs(high); }
  double least() const { return high - 2.0 * (std::abs(low) + error); }
  double most() const { return high + 2.0 * (std::abs(low) + error); }
};

// An operation on doubles has a relative error of 2^-53. So the relative error of a sum or product
// of Wide numbers is below 2^-100, and that of a computed error bound below 2^-40.
inline constexpr double kWideError = 0x1p-100, kErrorsAreRounded = 1.0 + 0x1p-40;

/// The sum of two doubles as a Wide number, exact unless it underflows.
inline Wide sum_of(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part), 0.0};
}

inline Wide operator+(const Wide& a, const Wide& b) {
  const Wide sum = sum_of(a.high, b.high);
  Wide out = sum_of(sum.high, sum.low + (a.low + b.low));
  out.error =
      (a.error + b.error + kWideError * (a.magnitude() + b.magnitude())) * kErrorsAreRounded;
  return out;
}
inline Wide operator-(const Wide& a) { return {-a.high, -a.low, a.error}; }
inline Wide operator-(const Wide& a, const Wide& b) { return a + -b; }

inline Wide operator*(const Wide& a, const Wide& b) {
  const double product = a.high * b.high;
  const double rest = std::fma(a.high, b.high, -product) + (a.high * b.low + a.low * b.high);
  Wide out = sum_of(product, rest);
  out.error = (2.0 * (a.magnitude() * b.error + b.magnitude() * a.error) + a.error * b.error +
               kWideError * std::abs(product)) *
              kErrorsAreRounded;
  return out;
}

inline int sign_of(const Wide& a) {
  if (a.high - a.error > std::abs(a.low)) return 1;
  if (-a.high - a.error > std::abs(a.low)) return -1;
  if (a.high == 0.0 && a.low == 0.0 && a.error == 0.0) return 0;
  throw Unsure();
}

template <class Number>
using VecOf = std::array<Number, 3>;

template <class Number>
VecOf<Number> operator-(const VecOf<Number>& a, const VecOf<Number>& b) {
  return {Number(a[0] - b[0]), Number(a[1] - b[1]), Number(a[2] - b[2])};
}
template <class Number>
Number dot_of(const VecOf<Number>& a, const VecOf<Number>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class Number>
VecOf<Number> cross_of(const VecOf<Number>& a, const VecOf<Number>& b) {
  return {Number(a[1] * b[2] - a[2] * b[1]), Number(a[2] * b[0] - a[0] * b[2]),
          Number(a[0] * b[1] - a[1] * b[0])};
}

/// The part of a triangle that contains the closest point: its inside, edge i from corner i to the
/// next corner, or corner i.
enum class Part { inside, edge, corner };

template <class Number>
struct ClosestPart {
  Number above, below;  // the squared distance is above / below
  Part part;
  u32 index;
};

/// Compares two squared distances: the sign of a - b.
template <class Number>
int compared(const ClosestPart<Number>& a, const ClosestPart<Number>& b) {
  return sign_of(Number(a.above * b.below - b.above * a.below));
}

/// The closest part of a triangle. `at`: its corners, relative to the point.
template <class Number>
ClosestPart<Number> closest_part(const std::array<VecOf<Number>, 3>& at) {
  const VecOf<Number> normal = cross_of<Number>(at[1] - at[0], at[2] - at[0]);
  const Number area = dot_of(normal, normal);
  bool inside = sign_of(area) > 0;
  for (u32 i = 0; inside && i < 3; ++i)
    inside = sign_of(dot_of(normal, cross_of<Number>(at[i], at[(i + 1) % 3] - at[i]))) > 0;
  if (inside) {
    const Number height = dot_of(normal, at[0]);
    return {height * height, area, Part::inside, 0};
  }
  const auto of_edge = [&](u32 i) -> ClosestPart<Number> {
    const u32 next = (i + 1) % 3;
    const VecOf<Number>&from = at[i], &to = at[next], way = to - from;
    const Number length = dot_of(way, way);
    const auto corner = [](const VecOf<Number>& way_there, u32 index) -> ClosestPart<Number> {
      return {dot_of(way_there, way_there), Number{1}, Part::corner, index};
    };
    if (sign_of(dot_of(from, way)) >= 0) return corner(from, i);
    if (sign_of(dot_of(to, way)) <= 0) return corner(to, next);
    const VecOf<Number> across = cross_of(from, way);
    return {dot_of(across, across), length, Part::edge, i};
  };
  ClosestPart<Number> best = of_edge(0);
  for (u32 i = 1; i < 3; ++i) {
    const ClosestPart<Number> found = of_edge(i);
    if (found.part == best.part && found.index == best.index) continue;
    if (compared(found, best) < 0) best = found;
  }
  return best;
}

using Integer = boost::multiprecision::cpp_int;

/// The exact difference of two floats. An Integer is in multiples of 2^unit; a Wide number ignores
/// `unit`.
template <class Number>
Number difference_in(float a, float b, int unit);

template <>
inline Wide difference_in<Wide>(float a, float b, int) {
  return sum_of(double{a}, -double{b});
}

/// The difference in multiples of 2^unit. Both numbers must be such multiples.
template <>
inline Integer difference_in<Integer>(float a, float b, int unit) {
  const auto whole = [unit](float x) -> Integer {
    int exponent = 0;
    const Integer digits(static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 24)));
    const int places = exponent - 24 - unit;
    return places >= 0 ? Integer(digits << places) : Integer(digits / (Integer(1) << -places));
  };
  return whole(a) - whole(b);
}

/// The corners of a triangle relative to a point; see difference_in for `unit`.
template <class Number>
std::array<VecOf<Number>, 3> seen_from(vec3 point, const std::array<vec3, 3>& corners, int unit) {
  std::array<VecOf<Number>, 3> at;
  for (u32 i = 0; i < 3; ++i)
    for (u32 k = 0; k < 3; ++k)
      at[i][k] = difference_in<Number>(component(corners[i], k), component(point, k), unit);
  return at;
}

/// The exponent of the last binary digit of the coordinates of a point, but at most `most`.
inline int last_digit(vec3 p, int most) {
  for (u32 k = 0; k < 3; ++k)
    if (component(p, k) != 0.0f) most = std::min(most, std::ilogb(component(p, k)) - 23);
  return most;
}

/// An interval that contains a distance.
struct Between {
  double least, most;
};

/// The distance of a part of a triangle seen with this unit.
inline Between distance_to(const ClosestPart<Wide>& part, int) {
  const auto root = [](double above, double below) {
    return std::sqrt(std::max(above, 0.0) / below);
  };
  return {root(part.above.least(), part.below.most()) * (1.0 - 0x1p-51),
          root(part.above.most(), part.below.least()) * (1.0 + 0x1p-51)};
}
inline Between distance_to(const ClosestPart<Integer>& part, int unit) {
  using Long = boost::multiprecision::cpp_bin_float_50;
  const double root =
      std::ldexp(static_cast<double>(sqrt(Long(part.above) / Long(part.below))), unit);
  return {root * (1.0 - 0x1p-51), root * (1.0 + 0x1p-51)};
}

}  // namespace ballotcast::detail::testing
