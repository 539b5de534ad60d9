// Numbers over time, as the samplers of glTF animations have them.
#pragma once

#include <array>
#include <vector>

#include "scene/formats/gltf/accessors.hpp"

namespace ballotcast::detail {

/// x, y, z, w.
using Quaternion = std::array<double, 4>;

/// The rotation between two, at a share `s` of the way along the shorter arc. Both have length 1.
Quaternion slerp(const Quaternion& from, const Quaternion& to, double s);

/// `q` with length 1, or zeros if it has none.
Quaternion unit_quaternion(const Quaternion& q);

/// How a curve goes from key to key.
enum class Interpolation { step, linear, cubic };

/// Several numbers over time: keys at rising times, and between them what the interpolation says
/// (Khronos Group, glTF 2.0 Specification, appendix C).
struct GltfCurve {
  const GltfNumbers* times = nullptr;   // at least one
  const GltfNumbers* values = nullptr;  // `width` numbers per key; with `cubic` thrice as many
  u32 width = 0;
  Interpolation how = Interpolation::linear;
  bool turns = false;  // true: the numbers are a quaternion; the result has length 1, or is 0

  /// The numbers at a time. Before the first key and after the last they are those of that key.
  std::vector<double> at(double seconds) const;

 private:
  /// What is stored for a key: its value; with `cubic` also the slopes before and behind it.
  enum Row : u32 { kBefore, kValue, kBehind };
  std::vector<double> stored(std::size_t key, Row row) const;
  std::vector<double> between(std::size_t key, double span, double s) const;
};

}  // namespace ballotcast::detail
