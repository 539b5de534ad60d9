// Reads and writes linear pictures; the public part is ballotcast/linear_image.hpp.
#pragma once

#include <string>
#include <vector>

#include "ballotcast/linear_image.hpp"
#include "image/linear/formats.hpp"

namespace ballotcast::detail {

/// True if the bytes begin like a PFM, HDR or OpenEXR file.
bool begins_linear(const std::vector<u8>& bytes);

/// Decodes a file in memory, as read_linear does. `name` is used in errors.
LinearImage decode_linear(const std::vector<u8>& bytes, const std::string& name);

/// The format that the file name `path` ends with, in upper or lower case; null if there is none.
const LinearFormat* linear_format_of(const std::string& path);

/// Throws UsageError, which begins with `what`, if this program can't write `format`.
void require_built_in(const LinearFormat& format, const std::string& what);

}  // namespace ballotcast::detail
