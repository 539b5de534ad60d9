// JPEG files, decoded by libjpeg, which is included in jpeg.cpp and nowhere else.
#pragma once

#include <string>
#include <vector>

#include "image/image.hpp"

namespace ballotcast::detail {

/// Do the bytes begin as a JPEG file does?
bool begins_jpeg(const std::vector<u8>& bytes);

/// Decodes a JPEG held in memory: grey, YCbCr, RGB, CMYK or YCCK; alpha is 255. Throws InputError,
/// beginning with `name`, when it is damaged or cut off.
Image<Rgba8> decode_jpeg(const std::vector<u8>& bytes, const std::string& name);

}  // namespace ballotcast::detail
