// Vectors of three numbers: a plain type that needs no other library.
#pragma once

#include "ballotcast/api.hpp"

namespace ballotcast {

namespace detail {

/// Has the member `type` only if V is a vector type (glm::vec3, float3, ...) whose components are
/// of type T. Without the standard library, which compilers of kernels at run time do not have.
template <class V, class T, class X = decltype(V::x), class Y = decltype(V::y),
          class Z = decltype(V::z)>
struct IfVectorOf {};
template <class V, class T>
struct IfVectorOf<V, T, T, T, T> {
  using type = int;
};

}  // namespace detail

/// Three numbers: a position, a direction, or a linear RGB colour. Converts from and to every
/// vector type with members x, y and z of type T, e.g. glm::vec3.
template <class T>
struct Vec3 {
  T x;  ///< first component
  T y;  ///< second component
  T z;  ///< third component

  /// Leaves the components uninitialized.
  Vec3() = default;
  /// Creates a vector from three components.
  BALLOTCAST_HD constexpr Vec3(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}

  /// Converts from another vector type.
  template <class V, class = typename detail::IfVectorOf<V, T>::type>
  BALLOTCAST_HD constexpr Vec3(const V& v) : x(v.x), y(v.y), z(v.z) {}

  BALLOTCAST_HD constexpr friend bool operator==(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }

  /// Converts to another vector type.
  template <class V, class = typename detail::IfVectorOf<V, T>::type>
  BALLOTCAST_HD constexpr operator V() const {
    return V{x, y, z};
  }
};

/// Three floats, e.g. of a ray or a mesh.
using Vec3f = Vec3<float>;
/// Three doubles, e.g. of a camera.
using Vec3d = Vec3<double>;

}  // namespace ballotcast
