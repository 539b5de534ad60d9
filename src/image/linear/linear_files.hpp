// Reads and writes linear pictures; the public part is ballotcast/linear_image.hpp.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/linear_image.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

/// A format of files for linear pictures.
struct LinearFormat {
  std::string_view name;    // pfm, hdr, exr; also the suffix of file names
  std::string_view absent;  // the reason why this program can't read and write the format, or ""
  /// True if the bytes begin like a file of this format.
  bool (*begins)(const std::vector<u8>& bytes);
  /// Decodes a file in memory. Throws InputError, with a text that begins with `name`, if the file
  /// is damaged, cut off, or larger than require_plausible allows.
  LinearImage (*decode)(const std::vector<u8>& bytes, const std::string& name);
  /// Encodes a picture. The number of its pixels must match its size.
  std::vector<u8> (*encode)(const LinearImage& image);
  /// Decodes the values of a picture with one channel: integers, or the bits of floats. Throws
  /// InputError as `decode` does, and also for a picture with more channels. Null if the format has
  /// no such pictures.
  Image<u32> (*numbers)(const std::vector<u8>& bytes, const std::string& name);
};

// The rows of the table of formats. Each format has its own file.
LinearFormat pfm_format();
LinearFormat hdr_format();
LinearFormat exr_format();

/// A channel of a picture in memory. The value of pixel (x, y) is `step` * (y * width + x) bytes
/// after `first`.
struct ImageChannel {
  std::string name;
  const void* first;  // 32-bit floats, or 32-bit integers if `is_integer` is true
  std::size_t step;
  bool is_integer = false;
};

/// The channels R, G and B of a picture, and A if it has alpha.
std::vector<ImageChannel> channels_of(const LinearImage& image);

/// Encodes an OpenEXR file with these channels (32-bit floats or unsigned integers, ZIP), and with
/// texts in its header, by name. Throws UsageError if OpenEXR is not built in.
std::vector<u8> encode_exr_channels(
    u32 width, u32 height, const std::vector<ImageChannel>& channels,
    const std::vector<std::pair<std::string, std::string>>& texts = {});

/// Encodes a PFM of one or three channels. value_of(pixel, channel) returns a float; pixels are
/// numbered row by row from the top.
template <class ValueOf>
std::vector<u8> encode_pfm_of(u32 width, u32 height, u32 channels, ValueOf value_of) {
  const std::string header = std::string(channels == 1 ? "Pf" : "PF") + "\n" +
                             std::to_string(width) + " " + std::to_string(height) + "\n-1.0\n";
  std::vector<u8> bytes(header.begin(), header.end());
  bytes.reserve(bytes.size() + u64{width} * height * channels * 4);
  for (u64 y = height; y-- > 0;)
    for (u64 pixel = y * width; pixel < (y + 1) * width; ++pixel)
      for (u32 c = 0; c < channels; ++c) {
        const u32 bits = bits_of(value_of(pixel, c));
        for (u32 i = 0; i < 4; ++i) bytes.push_back(static_cast<u8>(bits >> 8 * i));
      }
  return bytes;
}

/// True if the bytes begin like a PFM, HDR or OpenEXR file.
BALLOTCAST_API bool begins_linear(const std::vector<u8>& bytes);

/// Decodes a file in memory, as read_linear does. `name` is used in errors.
BALLOTCAST_API LinearImage decode_linear(const std::vector<u8>& bytes, const std::string& name);

/// Decodes the exact values of a file in memory that has one channel. Throws InputError if its
/// format has no such pictures, or as decode_linear does.
Image<u32> decode_numbers(const std::vector<u8>& bytes, const std::string& name);

/// The format that the file name `path` ends with, in upper or lower case; null if there is none.
const LinearFormat* linear_format_of(const std::string& path);

/// Throws UsageError, which begins with `what`, if this program can't write `format`.
void require_built_in(const LinearFormat& format, const std::string& what);

}  // namespace ballotcast::detail
