// Vectors and spans: plain types that need no other library.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "ballotcast/api.hpp"

namespace ballotcast {

namespace detail {

/// The type of V's components, if V is a vector type with x, y and z of the same type.
template <class V>
using ComponentOf = std::enable_if_t<std::is_same_v<decltype(V::x), decltype(V::y)> &&
                                         std::is_same_v<decltype(V::y), decltype(V::z)>,
                                     decltype(V::x)>;

/// Valid only if V is a vector type (glm::vec3, float3, ...) with components of type T.
template <class V, class T>
using IfVectorOf = std::enable_if_t<std::is_same_v<ComponentOf<V>, T>>;

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
  template <class V, class = detail::IfVectorOf<V, T>>
  BALLOTCAST_HD constexpr Vec3(const V& v) : x(v.x), y(v.y), z(v.z) {}

  BALLOTCAST_HD constexpr friend bool operator==(const Vec3& a, const Vec3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  }

  /// Converts to another vector type.
  template <class V, class = detail::IfVectorOf<V, T>>
  BALLOTCAST_HD constexpr operator V() const {
    return V{x, y, z};
  }
};

/// Three floats, e.g. of a ray or a mesh.
using Vec3f = Vec3<float>;
/// Three doubles, e.g. of a camera.
using Vec3d = Vec3<double>;

/// A view of `size()` consecutive elements that belong to someone else, like std::span of C++20.
/// Every container with data() and size() converts to it: std::vector, std::array, std::span. The
/// elements must outlive the call that the span is passed to.
template <class T>
class Span {
 public:
  /// An empty span.
  constexpr Span() = default;
  /// The `size` elements that begin at `data`.
  constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}

  /// All elements of an array.
  template <std::size_t N>
  constexpr Span(T (&array)[N]) : data_(array), size_(N) {}

  /// All elements of a container.
  // Pointers to arrays are compared, because a pointer to a derived type would also convert to T*.
  template <class Container,
            class = std::enable_if_t<std::is_convertible_v<
                std::remove_pointer_t<decltype(std::declval<Container&>().data())> (*)[], T (*)[]>>>
  constexpr Span(Container&& container) : data_(container.data()), size_(container.size()) {}

  /// A pointer to the first element. If the span is empty, nothing may be read there.
  constexpr T* data() const { return data_; }
  /// The number of elements.
  constexpr std::size_t size() const { return size_; }
  /// True if there are no elements.
  constexpr bool empty() const { return size_ == 0; }
  /// Element i. `i` must be below size().
  constexpr T& operator[](std::size_t i) const { return data_[i]; }
  /// A pointer to the first element, for range-based loops.
  constexpr T* begin() const { return data_; }
  /// A pointer behind the last element.
  constexpr T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ballotcast
