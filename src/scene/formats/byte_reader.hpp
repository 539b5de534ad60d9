// Reads numbers from the bytes of a file, and never beyond their end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <string>

#include "math/portable.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

static_assert(std::endian::native == std::endian::little);

/// The order of the bytes of a number.
enum class ByteOrder { little, big };

/// The number that begins at `bytes`, of which sizeof(Number) must exist.
template <class Number>
Number number_at(const u8* bytes, ByteOrder order = ByteOrder::little) {
  std::array<u8, sizeof(Number)> copy;
  std::memcpy(copy.data(), bytes, sizeof(Number));
  if (order == ByteOrder::big) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<Number>(copy);
}

/// Reads a file from its front to its end. Errors name the file and the byte.
class ByteReader {
 public:
  /// `bytes` must outlive this object. Starts at byte `at`, which must not lie behind the end.
  ByteReader(std::span<const u8> bytes, std::string path, std::size_t at = 0)
      : bytes_(bytes), path_(std::move(path)), at_(at) {}

  std::size_t at() const { return at_; }
  u64 left() const { return bytes_.size() - at_; }

  /// Throws InputError unless `count` things of `size` bytes each are left. `what` is their name in
  /// the message.
  void require(u64 count, u64 size, const std::string& what) const {
    if (size != 0 && count > left() / size)
      fail("the file is cut off: " + std::to_string(count) + " " + what + " of at least " +
           std::to_string(size) + (size == 1 ? " byte" : " bytes") + " don't fit into the " +
           std::to_string(left()) + " that are left");
  }
  /// Throws InputError with the text: FILE: byte N: `why`.
  [[noreturn]] void fail(const std::string& why) const {
    throw InputError(path_ + ": byte " + std::to_string(at_) + ": " + why);
  }

  /// The next number. It must have been required.
  template <class Number>
  Number next(ByteOrder order = ByteOrder::little) {
    const Number number = number_at<Number>(bytes_.data() + at_, order);
    at_ += sizeof(Number);
    return number;
  }
  void skip(u64 count) { at_ += count; }

 private:
  std::span<const u8> bytes_;
  std::string path_;
  std::size_t at_;
};

}  // namespace ballotcast::detail
