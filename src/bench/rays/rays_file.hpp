// Rays files: rays to be cast, from other programs.
//
// All numbers are little-endian; nothing lies between or behind the fields.
//
//   offset  type      what
//   0       8 bytes   "BCRAYS\r\n"; a transfer that mends line ends would break it
//   8       u32       version: 1
//   12      u32       kind: 0 closest hit, 1 any hit
//   16      u64       count
//   24      8 bytes   zeros
//   32      count records of 32 bytes, all f32, in the scene's units and place:
//             +0    x, y, z of the origin
//             +12   t_min
//             +16   x, y, z of the direction
//             +28   t_max; may be infinity
#pragma once

#include <string>

#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// The bytes of a rays file.
std::vector<u8> encode_rays(const RaySet& set);

/// Reads a rays file (of up to 4 GiB, see read_file). Throws InputError naming the path when it is
/// no rays file, of another version or kind, or not as long as it says.
RaySet read_rays(const std::string& path);

}  // namespace ballotcast::detail
