// Files that are not what their suffix says, or that only other programs read: what they are, in
// words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// What a file of another kind seems to be, by its first bytes, such as "a PNG picture"; "" if they
/// are not known.
std::string seems_to_be(const std::vector<u8>& bytes);

/// Throws InputError: PATH: not `kind`: what the file seems to be, or how it begins.
[[noreturn]] void refuse_lookalike(const std::string& path, const std::string& kind,
                                   const std::vector<u8>& bytes);

/// How to convert a file of a well-known kind that only other programs read. `name` is in lower
/// case. "" for other suffixes.
std::string advice_on_suffix(std::string_view name);

}  // namespace ballotcast::detail
