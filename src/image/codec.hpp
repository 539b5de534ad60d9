// Reads and writes picture files; encode_png and read_png are public. Only codec.cpp includes stb.
#pragma once

#include <string>
#include <vector>

#include "image/image.hpp"

namespace ballotcast::detail {

/// Decodes a PNG, JPEG, BMP, TGA or GIF (its first frame) held in memory, whatever it is called.
/// 16 bits a sample are cut to 8. `name` is used in errors. Throws InputError when the bytes are no
/// such picture, or it is cut off or damaged, or larger than require_plausible allows.
Image<Rgba8> decode_image(const std::vector<u8>& bytes, const std::string& name);

/// What decode_image passes over of a picture that it decodes, in words: "2 frames of an
/// animation", or "".
std::string not_shown_of(const std::vector<u8>& bytes);

/// The bytes of a picture file. Throws InputError naming the path, also where it is too large.
std::vector<u8> read_picture_file(const std::string& path);

/// Reads and decodes a picture file. Throws InputError, which names the path.
Image<Rgba8> read_image(const std::string& path);

/// Decodes a PNG held in memory to the samples that it holds: nothing is rounded, and no gamma or
/// profile is applied. Palettes become RGB, transparent colours an alpha channel, and grey of fewer
/// than 8 bits is spread over 0 to 255. `name` is used in errors. Throws InputError when the bytes
/// are no PNG, or damaged (every checksum is looked at), or an animation, or over 2^15 pixels a
/// side.
SampledImage decode_png(const std::vector<u8>& bytes, const std::string& name);

}  // namespace ballotcast::detail
