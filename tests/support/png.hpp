// Writes PNG files of every kind, in a simple way. (The project itself writes only one kind.)
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail::testing {

/// The content of a PNG: rows of samples, one after the other.
struct PngPicture {
  u32 width = 0;
  u32 height = 0;
  u8 depth = 8;                   // bits per sample
  u8 color = 2;                   // 0 grey, 2 RGB, 3 palette, 4 grey + alpha, 6 RGBA
  std::vector<u16> numbers = {};  // height * width * channels samples
  std::vector<u8> palette = {};   // RGB triples, for color 3
  std::vector<u8> tRNS = {};      // alphas of the palette, or the transparent colour
};

inline u32 channels_of(const PngPicture& picture) {
  return picture.color == 2 ? 3 : picture.color == 4 ? 2 : picture.color == 6 ? 4 : 1;
}

inline void append_u32(std::vector<u8>& out, u32 number) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<u8>(number >> shift));
}

inline void append_chunk(std::vector<u8>& out, std::string_view name,
                         const std::vector<u8>& content) {
  append_u32(out, static_cast<u32>(content.size()));
  const std::size_t begin = out.size();
  out.insert(out.end(), name.begin(), name.end());
  out.insert(out.end(), content.begin(), content.end());
  append_u32(out,
             static_cast<u32>(crc32(0, out.data() + begin, static_cast<uInt>(out.size() - begin))));
}

/// The bytes of row `y` before filtering.
inline std::vector<u8> row_of(const PngPicture& picture, u32 y) {
  const std::size_t count = std::size_t{picture.width} * channels_of(picture);
  std::vector<u8> row((count * picture.depth + 7) / 8);
  for (std::size_t i = 0; i < count; ++i) {
    const u16 number = picture.numbers[y * count + i];
    const std::size_t bit = i * picture.depth;
    if (picture.depth == 16) {
      row[2 * i] = static_cast<u8>(number >> 8);
      row[2 * i + 1] = static_cast<u8>(number);
    } else {
      row[bit / 8] = static_cast<u8>(row[bit / 8] | number << (8 - picture.depth - bit % 8));
    }
  }
  return row;
}

/// The value that a filter subtracts from a byte, computed from the byte's neighbours.
inline int guess_of(int filter, int left, int up, int corner) {
  if (filter < 3) return filter == 0 ? 0 : filter == 1 ? left : up;
  if (filter == 3) return (left + up) / 2;
  const int estimate = left + up - corner;
  const int to_left = std::abs(estimate - left), to_up = std::abs(estimate - up);
  const int to_corner = std::abs(estimate - corner);
  return to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
}

/// The PNG file of `picture`. Its rows use the five filters of PNG in turn.
inline std::vector<u8> png_of(const PngPicture& picture) {
  const std::size_t step = std::max<std::size_t>(1, channels_of(picture) * picture.depth / 8);
  std::vector<u8> filtered, above;
  for (u32 y = 0; y < picture.height; ++y) {
    const std::vector<u8> row = row_of(picture, y);
    above.resize(row.size());
    const int filter = static_cast<int>(y % 5);
    filtered.push_back(static_cast<u8>(filter));
    for (std::size_t i = 0; i < row.size(); ++i) {
      const int left = i >= step ? row[i - step] : 0, corner = i >= step ? above[i - step] : 0;
      filtered.push_back(static_cast<u8>(row[i] - guess_of(filter, left, above[i], corner)));
    }
    above = row;
  }
  uLongf size = compressBound(static_cast<uLong>(filtered.size()));
  std::vector<u8> packed(size);
  compress(packed.data(), &size, filtered.data(), static_cast<uLong>(filtered.size()));
  packed.resize(size);

  std::vector<u8> out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  std::vector<u8> header;
  append_u32(header, picture.width);
  append_u32(header, picture.height);
  header.insert(header.end(), {picture.depth, picture.color, 0, 0, 0});
  append_chunk(out, "IHDR", header);
  if (!picture.palette.empty()) append_chunk(out, "PLTE", picture.palette);
  if (!picture.tRNS.empty()) append_chunk(out, "tRNS", picture.tRNS);
  // The pixels are written as two chunks, which a decoder must join.
  const auto middle = packed.begin() + static_cast<std::ptrdiff_t>(packed.size() / 2);
  append_chunk(out, "IDAT", {packed.begin(), middle});
  append_chunk(out, "IDAT", {middle, packed.end()});
  append_chunk(out, "IEND", {});
  return out;
}

}  // namespace ballotcast::detail::testing
