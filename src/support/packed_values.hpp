// Small values in a section of a packed file: one after another, without gaps. The reader and the
// writer take the same calls, so that one function lists the values for both:
//
//   template <class Values, class Scene>
//   void each_value(Values& values, Scene& scene) { values(scene.name); values(scene.up); }
#pragma once

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "support/array.hpp"
#include "support/packed_file.hpp"

namespace ballotcast::detail {

/// Collects values.
class ValueWriter {
 public:
  std::vector<std::uint8_t> bytes;

  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(&value);
    bytes.insert(bytes.end(), begin, begin + sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(std::uint64_t{text.size()});
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    (*this)(std::uint8_t{value.has_value()});
    if (value) (*this)(*value);
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(list, *this);
  }
  /// A list whose elements are not single values: `each` passes on the values of one.
  template <class T, class Each>
  void operator()(const std::vector<T>& list, Each&& each) {
    (*this)(std::uint64_t{list.size()});
    for (const T& element : list) each(element);
  }
};

/// Reads values from a section. Each call throws InputError if the section ends too early.
class ValueReader {
 public:
  /// `file` must outlive this object.
  ValueReader(const PackedFile& file, std::string_view section)
      : file_(file), bytes_(file.array<std::uint8_t>(section)) {}

  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                  !std::is_same_v<T, bool> && !std::is_enum_v<T>);
    std::memcpy(static_cast<void*>(&value), take(sizeof value), sizeof value);
  }
  void operator()(std::string& text) {
    const std::uint64_t length = count();
    const std::uint8_t* const begin = take(length);
    text.assign(begin, begin + length);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    std::uint8_t is_there = 0;
    (*this)(is_there);
    if (is_there > 1) fail();
    value.reset();
    if (is_there == 1) (*this)(value.emplace());
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    (*this)(list, *this);
  }
  template <class T, class Each>
  void operator()(std::vector<T>& list, Each&& each) {
    const std::uint64_t length = count();
    list.clear();
    for (std::uint64_t i = 0; i < length; ++i) each(list.emplace_back());
  }

  /// Throws InputError unless all of the section has been read.
  void require_end() const {
    if (at_ != bytes_.size()) fail();
  }

 private:
  [[noreturn]] void fail() const { file_.refuse("is damaged: values have unusable sizes"); }
  /// A number of elements. Each takes at least one byte, so there can't be more than are left.
  std::uint64_t count() {
    std::uint64_t length = 0;
    (*this)(length);
    if (length > bytes_.size() - at_) fail();
    return length;
  }
  const std::uint8_t* take(std::uint64_t count) {
    if (count > bytes_.size() - at_) fail();
    at_ += count;
    return bytes_.data() + (at_ - count);
  }

  const PackedFile& file_;
  const Array<std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

}  // namespace ballotcast::detail
