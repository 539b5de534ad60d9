// What top-down builders sort into nodes: a triangle's id and the box around it, or around a part
// of it.
#pragma once

#include <limits>

#include "math/aabb.hpp"

namespace ballotcast::detail {

/// A vector of three floats and one spare element, as a compiler extension.
using Float4 = float __attribute__((vector_size(16)));
using Int4 = int __attribute__((vector_size(16)));

inline Float4 min_of(Float4 a, Float4 b) { return a < b ? a : b; }
inline Float4 max_of(Float4 a, Float4 b) { return a > b ? a : b; }
inline Float4 float4_of(vec3 v) { return Float4{v.x, v.y, v.z, 0.0f}; }

/// A box as Aabb, but operations on it take half the instructions. The fourth components have no
/// meaning.
struct Box4 {
  static constexpr float kFar = std::numeric_limits<float>::infinity();
  Float4 low{kFar, kFar, kFar, kFar};
  Float4 high{-kFar, -kFar, -kFar, -kFar};

  void include(const Box4& other) {
    low = min_of(low, other.low);
    high = max_of(high, other.high);
  }
  void include(Float4 point) {
    low = min_of(low, point);
    high = max_of(high, point);
  }
  /// The intersection with `other`.
  Box4 meet(const Box4& other) const { return {max_of(low, other.low), min_of(high, other.high)}; }
  bool empty() const { return !(low[0] <= high[0] && low[1] <= high[1] && low[2] <= high[2]); }
  Float4 center() const { return low * 0.5f + high * 0.5f; }
  float half_area() const {
    if (empty()) return 0.0f;
    const Float4 e = high - low;
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  }
  Aabb aabb() const { return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}}; }
};

/// A triangle, or the part of a triangle that lies in a box.
struct Reference {
  Float4 low;  // the bits of the fourth component are kNormal + id
  Float4 high;

  /// Added to ids, so that the bits of an id are never a denormal float. Arithmetic with denormal
  /// floats takes a hundred times as long.
  static constexpr u32 kNormal = 0x10000000u;

  Reference() = default;
  Reference(const Box4& box, u32 id) : low(box.low), high(box.high) {
    low[3] = float_of(kNormal + id);
  }

  Box4 box() const { return {low, high}; }
  u32 id() const { return bits_of(low[3]) - kNormal; }
  Float4 center() const { return low * 0.5f + high * 0.5f; }
};
static_assert(sizeof(Reference) == 32);

}  // namespace ballotcast::detail
