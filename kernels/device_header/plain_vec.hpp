// Vectors for device.hpp, in place of math/vec_types.hpp, so that users' programs need no GLM. They
// have the memory layout of GLM's vectors, and their operations give the same bits.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A vector of two floats.
struct vec2 {
  float x, y;

  vec2() = default;
  BC_HD constexpr explicit vec2(float all) : x(all), y(all) {}
  BC_HD constexpr vec2(float x_, float y_) : x(x_), y(y_) {}

  BC_HD friend vec2 operator+(vec2 a, vec2 b) { return {a.x + b.x, a.y + b.y}; }
  BC_HD friend vec2 operator*(vec2 a, float s) { return {times(a.x, s), times(a.y, s)}; }
};

/// A vector of three numbers.
template <class T>
struct PlainVec3 {
  T x, y, z;

  PlainVec3() = default;
  BC_HD constexpr explicit PlainVec3(T all) : x(all), y(all), z(all) {}
  BC_HD constexpr PlainVec3(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
  template <class Other>
  BC_HD constexpr explicit PlainVec3(const PlainVec3<Other>& v)
      : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)) {}

  BC_HD friend PlainVec3 operator+(const PlainVec3& a, const PlainVec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  BC_HD friend PlainVec3 operator-(const PlainVec3& a, const PlainVec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  BC_HD friend PlainVec3 operator-(const PlainVec3& a) { return {-a.x, -a.y, -a.z}; }
  BC_HD friend PlainVec3 operator*(const PlainVec3& a, T s) {
    return {times(a.x, s), times(a.y, s), times(a.z, s)};
  }
  BC_HD friend PlainVec3 operator*(const PlainVec3& a, const PlainVec3& b) {
    return {times(a.x, b.x), times(a.y, b.y), times(a.z, b.z)};
  }
};

using vec3 = PlainVec3<float>;
using dvec3 = PlainVec3<double>;
/// A vector of three indices.
struct uvec3 {
  u32 x, y, z;
};

template <class T>
BC_HD inline T dot(const PlainVec3<T>& a, const PlainVec3<T>& b) {
  return times(a.x, b.x) + times(a.y, b.y) + times(a.z, b.z);
}
template <class T>
BC_HD inline PlainVec3<T> cross(const PlainVec3<T>& a, const PlainVec3<T>& b) {
  return {times(a.y, b.z) - times(b.y, a.z), times(a.z, b.x) - times(b.z, a.x),
          times(a.x, b.y) - times(b.x, a.y)};
}

}  // namespace ballotcast::detail
