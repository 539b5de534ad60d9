#include "scene/formats/gltf/motion/curve.hpp"

#include <algorithm>
#include <cmath>

#include "math/trig.hpp"

namespace ballotcast::detail {

namespace {

double length_of(const Quaternion& q) {
  return std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/// a * p + b * q.
Quaternion mixed(double a, const Quaternion& p, double b, const Quaternion& q) {
  return {a * p[0] + b * q[0], a * p[1] + b * q[1], a * p[2] + b * q[2], a * p[3] + b * q[3]};
}

Quaternion quaternion_of(const std::vector<double>& numbers) {
  return unit_quaternion({numbers[0], numbers[1], numbers[2], numbers[3]});
}

std::vector<double> numbers_of(const Quaternion& q) { return {q.begin(), q.end()}; }

}  // namespace

Quaternion unit_quaternion(const Quaternion& q) {
  const double length = length_of(q);
  if (!(length > 1e-15)) return {};
  return mixed(1.0 / length, q, 0.0, q);
}

Quaternion slerp(const Quaternion& from, const Quaternion& to, double s) {
  const double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2] + from[3] * to[3];
  const double sign = dot < 0.0 ? -1.0 : 1.0;  // q and -q are the same rotation
  // The angle, from the two diagonals of the rhombus: exact for small angles, too.
  const double turns =
      2.0 * turns_of(length_of(mixed(1.0, from, sign, to)), length_of(mixed(sign, to, -1.0, from)));
  double a = 1.0 - s, b = s;
  if (const double whole = sincos_turns(turns).sin; whole > 1e-6) {
    a = sincos_turns(turns * a).sin / whole;
    b = sincos_turns(turns * b).sin / whole;
  }
  return unit_quaternion(mixed(a, from, sign * b, to));
}

std::vector<double> GltfCurve::stored(std::size_t key, Row row) const {
  const std::size_t at = how == Interpolation::cubic ? 3 * key + row : key;
  const auto begin = values->values.begin() + static_cast<std::ptrdiff_t>(at * width);
  return {begin, begin + width};
}

std::vector<double> GltfCurve::between(std::size_t key, double span, double s) const {
  std::vector<double> value = stored(key, kValue);
  const std::vector<double> next = stored(key + 1, kValue);
  if (how == Interpolation::linear) {
    if (turns) return numbers_of(slerp(quaternion_of(value), quaternion_of(next), s));
    for (u32 i = 0; i < width; ++i) value[i] = (1.0 - s) * value[i] + s * next[i];
    return value;
  }
  const std::vector<double> leaving = stored(key, kBehind), arriving = stored(key + 1, kBefore);
  const double s2 = s * s, s3 = s2 * s;
  for (u32 i = 0; i < width; ++i)
    value[i] = (2.0 * s3 - 3.0 * s2 + 1.0) * value[i] + span * (s3 - 2.0 * s2 + s) * leaving[i] +
               (3.0 * s2 - 2.0 * s3) * next[i] + span * (s3 - s2) * arriving[i];
  return value;
}

std::vector<double> GltfCurve::at(double seconds) const {
  const std::vector<float>& keys = times->values;
  const auto next = std::upper_bound(keys.begin(), keys.end(), seconds,
                                     [](double s, float key) { return s < double{key}; });
  const std::size_t key =
      next == keys.begin() ? 0 : static_cast<std::size_t>(next - keys.begin()) - 1;
  std::vector<double> value;
  if (next == keys.begin() || next == keys.end() || how == Interpolation::step) {
    value = stored(key, kValue);
  } else {
    const double begin = double{keys[key]}, span = double{*next} - begin;
    value = between(key, span, (seconds - begin) / span);
  }
  return turns ? numbers_of(quaternion_of(value)) : value;
}

}  // namespace ballotcast::detail
