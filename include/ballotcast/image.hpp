// Pictures in memory, to and from PNG.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// Three 8-bit sRGB channels, as stored in a PNG.
struct Rgb8 {
  std::uint8_t r, g, b;
};
static_assert(sizeof(Rgb8) == 3, "rows of pixels are rows of bytes");

/// A picture. Pixel (x, y) is pixels[y * width + x]; row 0 is the top.
template <class Pixel>
struct Image {
  std::uint32_t width = 0;    ///< pixels in a row
  std::uint32_t height = 0;   ///< rows
  std::vector<Pixel> pixels;  ///< width * height of them
};

/// A picture as its file holds it: channel c of pixel (x, y) is
/// samples[(y * width + x) * channels + c].
struct SampledImage {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t channels = 0;          ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
  std::uint32_t depth = 0;             ///< bits per sample: 8 or 16
  std::vector<std::uint16_t> samples;  ///< 0 to 255, or to 65535
};

/// The bytes of a PNG file: 8-bit RGB, the same bytes for the same pixels on every machine.
BALLOTCAST_API std::vector<std::uint8_t> encode_png(const Image<Rgb8>& image);

/// Writes a PNG file. The file appears whole or not at all. Throws OutputError naming the path.
BALLOTCAST_API void write_png(const std::string& path, const Image<Rgb8>& image);

/// Reads a PNG file: every sample as it stands there, no gamma and no profile applied. Palettes
/// become RGB, transparent colours become an alpha channel, grey of fewer than 8 bits is spread
/// over 0 to 255. Throws InputError naming the path when the file is no PNG, or is damaged (every
/// checksum is looked at), or has more than 2^15 pixels on a side.
BALLOTCAST_API SampledImage read_png(const std::string& path);

/// The pixels of a picture as 8-bit RGB samples.
BALLOTCAST_API SampledImage sampled(const Image<Rgb8>& image);

/// FNV-1a, 64 bits, of the pixels' bytes r, g, b in rows from the top: 16 hexadecimal digits.
BALLOTCAST_API std::string hash_of(const Image<Rgb8>& image);

}  // namespace ballotcast
