// Hits files: every camera ray's hit of a picture, for programs that come after this one.
//
// All numbers are little-endian; nothing lies between or behind the fields.
//
//   offset  type      what
//   0       8 bytes   "BCHITS\r\n"; a transfer that mends line ends would break it
//   8       u32       version: 1
//   12      u32       width of the picture in pixels
//   16      u32       height
//   20      u32       samples a pixel
//   24      u64       count: width * height * samples
//   32      count records of 16 bytes; that of sample s of pixel (x, y), y from the top, is number
//           (y * width + x) * samples + s:
//             +0    f32   t, in lengths of the ray's direction; infinity where nothing was hit
//             +4    u32   the triangle's number, 0xffffffff where nothing was hit
//             +8    f32   u: the point is (1 - u - v) * a + u * b + v * c
//             +12   f32   v
#pragma once

#include <string>
#include <vector>

#include "math/ray.hpp"

namespace ballotcast::detail {

/// The hits of a picture.
struct HitsFile {
  u32 width = 0;
  u32 height = 0;
  u32 samples = 0;
  std::vector<Hit> hits;  // hits[(y * width + x) * samples + s]
};

/// The bytes of a hits file. Throws UsageError unless there are width * height * samples hits.
std::vector<u8> encode_hits(u32 width, u32 height, u32 samples, const std::vector<Hit>& hits);

/// Reads a hits file (of up to 4 GiB, see read_file). Throws InputError naming the path when it is
/// no hits file, of another version, or not as long as it says.
HitsFile read_hits(const std::string& path);

}  // namespace ballotcast::detail
