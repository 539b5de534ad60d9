// Writes PNG files in forms that the project's encoder does not write.
#pragma once

#include <zlib.h>

#include <string>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail::testing {

/// A chunk of a PNG: its length, type, data and checksum.
inline std::string png_chunk(const std::string& type, const std::string& data) {
  const auto big_endian = [](u32 value) {
    std::string bytes;
    for (const u32 shift : {24u, 16u, 8u, 0u}) bytes += static_cast<char>(value >> shift & 0xff);
    return bytes;
  };
  const std::string summed = type + data;
  const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(summed.data()), summed.size());
  return big_endian(static_cast<u32>(data.size())) + summed + big_endian(static_cast<u32>(sum));
}

/// A PNG whose rows of pixels are `lines`: the bytes of each row as a PNG stores them. `color_type`
/// is 0 for grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA. `extra` are chunks between the header
/// and the pixels.
inline std::vector<u8> png_bytes(u32 width, u32 depth, u32 color_type,
                                 const std::vector<std::string>& lines,
                                 const std::string& extra = "") {
  std::string header(13, '\0'), raw;
  header[3] = static_cast<char>(width);  // the lowest of four bytes; pictures here are small
  header[7] = static_cast<char>(lines.size());
  header[8] = static_cast<char>(depth);
  header[9] = static_cast<char>(color_type);
  for (const std::string& line : lines) raw += '\0' + line;  // filter 0: none
  uLongf size = ::compressBound(raw.size());
  std::string packed(size, '\0');
  ::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
             reinterpret_cast<const Bytef*>(raw.data()), raw.size());
  packed.resize(size);
  const std::string file = "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + extra +
                           png_chunk("IDAT", packed) + png_chunk("IEND", "");
  return {file.begin(), file.end()};
}

}  // namespace ballotcast::detail::testing
