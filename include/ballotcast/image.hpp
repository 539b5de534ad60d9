// Pictures in memory; reading and writing PNG files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// Three 8-bit sRGB channels, as stored in a PNG.
struct Rgb8 {
  std::uint8_t r;  ///< red
  std::uint8_t g;  ///< green
  std::uint8_t b;  ///< blue
};
static_assert(sizeof(Rgb8) == 3, "rows of pixels are rows of bytes");

/// A picture. Pixel (x, y) is pixels[y * width + x]; row 0 is the top.
template <class Pixel>
struct Image {
  std::uint32_t width = 0;    ///< pixels per row
  std::uint32_t height = 0;   ///< rows
  std::vector<Pixel> pixels;  ///< width * height pixels
  /// The share of each pixel that is covered, from 0 to 1. Empty: all pixels are fully covered.
  /// Pixels of 8 bits are not multiplied by alpha; linear pixels are.
  std::vector<float> alpha = {};
};

/// A picture with 8 or 16 bits per sample and 1 to 4 channels. Channel c of pixel (x, y) is
/// samples[(y * width + x) * channels + c].
struct SampledImage {
  std::uint32_t width = 0;             ///< pixels per row
  std::uint32_t height = 0;            ///< rows
  std::uint32_t channels = 0;          ///< 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha
  std::uint32_t depth = 0;             ///< bits per sample: 8 or 16
  std::vector<std::uint16_t> samples;  ///< from 0 to 255, or to 65535 with 16 bits
};

/// Encodes a PNG file with 8-bit RGB, and alpha if the picture has it. The same pixels give the
/// same bytes on every machine. Throws UsageError if the picture is empty, is too large for a PNG,
/// or does not have as many pixels as its size says.
BALLOTCAST_API std::vector<std::uint8_t> encode_png(const Image<Rgb8>& image);

/// Writes a PNG file. The file appears complete or not at all. Throws OutputError, which names the
/// path, if the file can't be written, and the errors of encode_png().
BALLOTCAST_API void write_png(const std::string& path, const Image<Rgb8>& image);

/// Reads a PNG file: the exact samples, with no gamma and no profile applied. Palettes become RGB,
/// transparent colours become an alpha channel, and grey of fewer than 8 bits is scaled to 0..255.
/// Throws InputError, which names the path, if the file is no PNG, is damaged (every checksum is
/// tested), or has more than 2^15 pixels per side.
BALLOTCAST_API SampledImage read_png(const std::string& path);

/// The pixels of a picture as 8-bit RGB samples, with alpha if the picture has it. Throws
/// UsageError if the picture is empty, or if the number of its pixels is not width * height.
BALLOTCAST_API SampledImage sampled(const Image<Rgb8>& image);

/// The 64-bit FNV-1a hash of all pixels, as 16 hexadecimal digits. For each pixel, the bytes r, g
/// and b are hashed, and alpha if the picture has it, row by row from the top.
BALLOTCAST_API std::string hash_of(const Image<Rgb8>& image);

}  // namespace ballotcast
