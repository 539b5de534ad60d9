// FNV-1a, a hash of 64 bits (G. Fowler, L. C. Noll, K.-P. Vo,
// http://www.isthe.com/chongo/tech/comp/fnv).
#pragma once

#include <cstdint>
#include <string>

#include "support/content_hash.hpp"

namespace ballotcast::detail {

/// Hashes one byte after another. It detects accidental changes, not malicious ones.
class Fnv1a {
 public:
  static constexpr std::uint64_t kPrime = 0x100000001b3ull;

  Fnv1a() = default;
  /// Goes on where a hash with this state has stopped.
  explicit Fnv1a(std::uint64_t state) : state_(state) {}

  void add(std::uint8_t byte) { state_ = (state_ ^ byte) * kPrime; }
  /// Adds the four bytes of a word, the lowest first.
  void add(std::uint32_t word) {
    for (int shift = 0; shift < 32; shift += 8) add(static_cast<std::uint8_t>(word >> shift));
  }
  std::uint64_t state() const { return state_; }
  /// The hash as 16 hexadecimal digits.
  std::string digits() const { return digits_of(state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

}  // namespace ballotcast::detail
