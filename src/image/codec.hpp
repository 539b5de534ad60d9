// Reads and writes picture files; encode_png and read_png are public. Only codec.cpp includes stb.
#pragma once

#include <string>
#include <vector>

#include "image/image.hpp"

namespace ballotcast::detail {

/// Decodes a PNG, JPEG, BMP, TGA or GIF (first frame) in memory; file extensions do not matter.
/// Samples of 16 bits are cut to 8. `name` is used in errors. Throws InputError if the bytes are no
/// such picture, are cut off or damaged, or are larger than require_plausible allows.
Image<Rgba8> decode_image(const std::vector<u8>& bytes, const std::string& name);

/// Reads and decodes a picture file. Throws InputError, which names the path.
Image<Rgba8> read_image(const std::string& path);

/// Decodes a PNG in memory to the samples that it holds: nothing is rounded, and no gamma or
/// profile is applied. Palettes become RGB, transparent colours become an alpha channel, and grey
/// of fewer than 8 bits is scaled to 0..255. `name` is used in errors. Throws InputError if the
/// bytes are no PNG, are damaged (every checksum is tested), or have more than 2^15 pixels per
/// side.
SampledImage decode_png(const std::vector<u8>& bytes, const std::string& name);

}  // namespace ballotcast::detail
