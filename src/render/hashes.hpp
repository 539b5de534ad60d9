// Fingerprints of results, to compare machines by.
#pragma once

#include <span>
#include <string>

#include "image/image.hpp"
#include "math/ray.hpp"

namespace ballotcast::detail {

/// FNV-1a, 64 bits, of the pixels' bytes r, g, b in rows from the top; 16 hexadecimal digits.
std::string hash_of(const Image<Rgb8>& image);

/// FNV-1a, 64 bits, of each hit's four little-endian words t, triangle, u, v; 16 hexadecimal
/// digits.
std::string hash_of(std::span<const Hit> hits);

}  // namespace ballotcast::detail
