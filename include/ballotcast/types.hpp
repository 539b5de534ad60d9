// Spans and vectors: plain types that need no other library.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "ballotcast/vec3.hpp"

namespace ballotcast {

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
  /// The end: one past the last element.
  constexpr T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ballotcast
