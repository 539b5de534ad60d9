#include "support/hash.hpp"

#include <algorithm>
#include <vector>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ballotcast::detail {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

}  // namespace

std::uint64_t content_hash(const void* bytes, std::size_t count) {
  const auto* const begin = static_cast<const std::uint8_t*>(bytes);
  std::vector<std::uint64_t> hashes((count + kPiece - 1) / kPiece);
  for_each_index(hashes.size(), [&](std::size_t i) {
    hashes[i] = XXH3_64bits(begin + i * kPiece, std::min(kPiece, count - i * kPiece));
  });
  return XXH3_64bits_withSeed(hashes.data(), hashes.size() * sizeof(std::uint64_t), count);
}

std::string digits_of(std::uint64_t hash) {
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[hash >> shift & 15u];
  return text;
}

bool are_hash_digits(std::string_view text) {
  return text.size() == 16 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string fingerprint(std::string_view bytes) {
  Fnv1a hash;
  for (const char byte : bytes) hash.add(static_cast<std::uint8_t>(byte));
  return hash.digits();
}

std::string fingerprint(const std::vector<std::uint8_t>& bytes) {
  return fingerprint({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace ballotcast::detail
