// Fingerprints of the files and pictures that suites consist of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "image/image.hpp"

namespace ballotcast::detail {

/// The 64-bit FNV-1a hash of the bytes, as 16 hexadecimal digits. It detects accidental changes,
/// not malicious ones.
std::string fingerprint(std::string_view bytes);
std::string fingerprint(const std::vector<u8>& bytes);

/// The hash of a picture's size, channels, depth and samples. The file format does not matter.
std::string fingerprint(const SampledImage& image);

}  // namespace ballotcast::detail
