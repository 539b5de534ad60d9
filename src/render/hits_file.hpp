// Hits files: the hits of all camera rays of a picture, for other programs.
//
// All numbers are little-endian. There is no padding.
//
//   offset  type      what
//   0       8 bytes   "BCHITS\r\n"; a transfer that converts line ends would change it
//   8       u32       version: 1
//   12      u32       width of the picture in pixels
//   16      u32       height
//   20      u32       samples per pixel
//   24      u64       count: width * height * samples
//   32      count records of 16 bytes; record (y * width + x) * samples + s belongs to sample s of
//           pixel (x, y), with y from the top:
//             +0    f32   t, in lengths of the ray's direction; infinity for a miss
//             +4    u32   the triangle's number, 0xffffffff for a miss
//             +8    f32   u: the point is (1 - u - v) * a + u * b + v * c
//             +12   f32   v
#pragma once

#include <vector>

#include "math/ray.hpp"

namespace ballotcast::detail {

/// The content of a hits file. Throws UsageError unless there are width * height * samples hits.
std::vector<u8> encode_hits(u32 width, u32 height, u32 samples, const std::vector<Hit>& hits);

}  // namespace ballotcast::detail
