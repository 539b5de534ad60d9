// A fast hash of large contents: files, and the sections of packed files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace ballotcast::detail {

/// A hash of `count` bytes. It detects accidental changes, not malicious ones. Every piece of 1 MiB
/// is hashed on its own, in parallel, by XXH3 (Y. Collet, https://xxhash.com); the hash is that of
/// the pieces' hashes. It is the same on every machine of the same byte order.
std::uint64_t content_hash(const void* bytes, std::size_t count);

/// As 16 hexadecimal digits.
std::string digits_of(std::uint64_t hash);

/// True for texts that digits_of can give.
bool are_hash_digits(std::string_view text);

}  // namespace ballotcast::detail
