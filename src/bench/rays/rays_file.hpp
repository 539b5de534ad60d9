// Rays files: rays from other programs.
//
// All numbers are little-endian. There is no padding.
//
//   offset  type      what
//   0       8 bytes   "BCRAYS\r\n"; a transfer that converts line ends would change it
//   8       u32       version: 1
//   12      u32       kind: 0 closest hit, 1 any hit
//   16      u64       count
//   24      8 bytes   zeros
//   32      count records of 32 bytes, all f32, in the units of the scene and relative to its
//           origin (SceneData::origin):
//             +0    x, y, z of the origin
//             +12   t_min
//             +16   x, y, z of the direction
//             +28   t_max; may be infinity
#pragma once

#include <string>

#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// The content of a rays file.
std::vector<u8> encode_rays(const RaySet& set);

/// Reads a rays file of up to 4 GiB (see read_file). Throws InputError, which names the path, if
/// the file is not a rays file, its version or kind is unknown, or its length does not fit.
RaySet read_rays(const std::string& path);

}  // namespace ballotcast::detail
