// Fingerprints of what suites are made from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "image/image.hpp"

namespace ballotcast::detail {

/// FNV-1a, 64 bits, of the bytes; 16 hexadecimal digits. It notices accidents, not malice.
std::string fingerprint(std::string_view bytes);
std::string fingerprint(const std::vector<u8>& bytes);

/// Of a picture's size, channels, depth and samples, whatever file they came from.
std::string fingerprint(const SampledImage& image);

}  // namespace ballotcast::detail
