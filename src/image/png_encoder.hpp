// The PNG encoder of stb_image_write, with zlib in place of its own compression, which is slower
// and makes larger files.
#pragma once

#include <vector>

#include "math/portable.hpp"

namespace ballotcast::detail {

/// A PNG of width * height pixels of three bytes. Empty if memory runs out. stb counts bytes in an
/// int, so width and height must be small enough for that.
std::vector<u8> png_of_rgb(u32 width, u32 height, const u8* rgb);

}  // namespace ballotcast::detail
