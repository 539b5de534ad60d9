// The frame of a PNG file: its signature, parts and checksums, which the decoder doesn't look at.
#pragma once

#include <string>
#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// What a PNG file says of itself.
struct PngOutline {
  u32 width = 0;
  u32 height = 0;
  u32 depth = 0;          // bits a sample: 1, 2, 4, 8 or 16
  u32 color_type = 0;     // 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha
  u32 palette_size = 0;   // colours
  u32 more_frames = 0;    // of an animated PNG, beside the picture that every reader shows
  bool is_keyed = false;  // has it transparent colours (tRNS)?

  bool has_palette() const { return color_type == 3; }
  /// Samples a pixel as the file stores them.
  u32 channels() const {
    return color_type == 2 ? 3 : color_type == 4 ? 2 : color_type == 6 ? 4 : 1;
  }
};

/// True if the bytes begin with the PNG signature.
bool begins_png(const std::vector<u8>& bytes);

/// Throws InputError, beginning with `name`, unless `bytes` begin with PNG's signature and hold
/// whole chunks with right checksums from IHDR to IEND (PNG specification, second edition, clause
/// 5). The pixels are not looked at.
PngOutline outline_of_png(const std::vector<u8>& bytes, const std::string& name);

/// Throws InputError, beginning with `name`, unless the compressed pixels of `bytes` are whole and
/// their checksum (Adler-32) is right. `bytes` must have an outline.
void require_whole_pixels(const std::vector<u8>& bytes, const PngOutline& outline,
                          const std::string& name);

/// The same file as a grey picture: of a PNG with a palette, what the pixels' colours are numbered.
/// Its checksums are wrong, which the decoder doesn't mind.
std::vector<u8> palette_taken_for_grey(std::vector<u8> bytes);

}  // namespace ballotcast::detail
