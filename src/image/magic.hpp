// The first bytes of a file, which say what it is.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// True if the bytes begin with `with`.
inline bool begins_with(const std::vector<u8>& bytes, std::string_view with) {
  return bytes.size() >= with.size() &&
         std::equal(with.begin(), with.end(), bytes.begin(),
                    [](char a, u8 b) { return static_cast<u8>(a) == b; });
}

}  // namespace ballotcast::detail
