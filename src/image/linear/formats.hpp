// The table of formats for linear pictures. linear_image.cpp has the table, and each format has its
// own file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ballotcast/linear_image.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// A format of files for linear pictures.
struct LinearFormat {
  std::string_view name;    // pfm, hdr, exr; a file's name ends with it
  std::string_view absent;  // why this program can't read and write it, or ""
  /// True if the bytes begin like such a file.
  bool (*begins)(const std::vector<u8>& bytes);
  /// Decodes a file in memory. Throws InputError, with a text that begins with `name`, if it is
  /// damaged, cut off, or larger than require_plausible allows.
  LinearImage (*decode)(const std::vector<u8>& bytes, const std::string& name);
  /// Encodes a whole picture.
  std::vector<u8> (*encode)(const LinearImage& image);
};

// The rows of the table.
LinearFormat pfm_format();
LinearFormat hdr_format();
LinearFormat exr_format();  // in exr_absent.cpp if OpenEXR is not there

}  // namespace ballotcast::detail
