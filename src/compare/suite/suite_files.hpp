// Writes the JSON of suites so that people can read it and git can merge it, and computes the
// fingerprints of files and pictures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "image/picture.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// `json` as text on one line, with a blank after each comma and colon. Bytes that are not UTF-8
/// are replaced.
std::string on_one_line(const Json& json);

/// `json` as text on several lines, with short values on one line each.
std::string laid_out(const Json& json, std::size_t indent = 0);

/// The 64-bit FNV-1a hash of the bytes, as 16 hexadecimal digits. It detects accidental changes,
/// not malicious ones.
std::string fingerprint(std::string_view bytes);
std::string fingerprint(const std::vector<u8>& bytes);

/// The fingerprint of a picture's size, channels, depth and samples. It does not depend on the file
/// format.
std::string fingerprint(const SampledImage& image);

}  // namespace ballotcast::detail
