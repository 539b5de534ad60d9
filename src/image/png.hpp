// PNG files. Their structure (signature, chunks, checksums) is checked here, because the decoder
// ignores checksums. The encoder is that of stb_image_write, but compresses by zlib on all threads:
// stb's own compression is slower and makes larger files.
#pragma once

#include <string>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// Properties of a PNG file, from its chunks.
struct PngOutline {
  u32 width = 0;
  u32 height = 0;
  u32 depth = 0;         // bits per sample: 1, 2, 4, 8 or 16
  u32 color_type = 0;    // 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha
  u32 palette_size = 0;  // number of colours
  // number of frames of an animated PNG, without the picture that every decoder shows
  u32 more_frames = 0;
  bool is_keyed = false;  // true if it has transparent colours (tRNS)

  bool has_palette() const { return color_type == 3; }
  /// The number of samples per pixel in the file.
  u32 channels() const {
    return color_type == 2 ? 3 : color_type == 4 ? 2 : color_type == 6 ? 4 : 1;
  }
};

/// True if the bytes begin with the PNG signature.
bool begins_png(const std::vector<u8>& bytes);

/// The properties of a PNG. Throws InputError, with a text that begins with `name`, unless `bytes`
/// begin with the PNG signature and consist of complete chunks with correct checksums from IHDR to
/// IEND (PNG specification, second edition, clause 5). The pixels are not checked.
PngOutline outline_of_png(const std::vector<u8>& bytes, const std::string& name);

/// Throws InputError, with a text that begins with `name`, unless the compressed pixels of `bytes`
/// are complete and their checksum (Adler-32) is correct. `outline` is what outline_of_png gave for
/// `bytes`.
void require_whole_pixels(const std::vector<u8>& bytes, const PngOutline& outline,
                          const std::string& name);

/// Makes a grey PNG of a PNG with a palette: the stored palette indices become the grey values. The
/// chunk checksums of the result are wrong, but the decoder ignores them.
std::vector<u8> palette_taken_for_grey(std::vector<u8> bytes);

/// Encodes a PNG of width * height pixels of `channels` bytes. The result is empty if there is not
/// enough memory. stb counts bytes in an int, so width and height must be small enough.
std::vector<u8> png_of(u32 width, u32 height, u32 channels, const u8* samples);

}  // namespace ballotcast::detail
