// JPEG files, read and written by libjpeg. Only jpeg.cpp includes it.
#pragma once

#include <string>
#include <vector>

#include "image/image.hpp"

namespace ballotcast::detail {

/// True if the bytes begin like a JPEG file.
bool begins_jpeg(const std::vector<u8>& bytes);

/// Decodes a JPEG in memory: grey, YCbCr, RGB, CMYK or YCCK. Alpha is 255. Throws InputError, with
/// a text that begins with `name`, if the JPEG is damaged, cut off, or larger than
/// require_plausible allows.
Image<Rgba8> decode_jpeg(const std::vector<u8>& bytes, const std::string& name);

/// Encodes a picture as a JPEG that is made and sent quickly, for pictures that are looked at for a
/// moment: colours at half the resolution, the fast transform. `quality` is 1 to 100. Throws
/// UsageError if the picture is empty or has more than 65500 pixels per side.
std::vector<u8> encode_jpeg(const Image<Rgb8>& image, u32 quality);

}  // namespace ballotcast::detail
