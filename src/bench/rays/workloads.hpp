// Sets of rays: workloads, each of which is a row in workloads.cpp, and files of rays from other
// programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backends/device/resident_scene.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail {

/// What workloads are made from: a scene, a picture of it, and a caster that finds the hits of
/// rays.
struct RayFixture {
  const PreparedScene& scene;
  ResidentScene& caster;
  Camera camera;
  u32 width, height;
};

/// The largest number of rays in a set; a file with as many has 16 GiB.
inline constexpr u64 kMostRays = (u64{1} << 29) - 1;

/// A set of rays of one kind.
struct RaySet {
  RayKind kind = RayKind::closest;
  std::vector<Ray> rays;
  bool coherent = false;  // true if consecutive rays visit almost the same nodes
};

/// A row of the table of workloads.
struct WorkloadInfo {
  std::string_view name;
  std::string_view summary;
  u32 rays_a_pixel;  // the largest number of rays per pixel of the picture
  bool of_camera;    // true if the rays are the camera rays of a picture
  RaySet (*make)(const RayFixture& ground);
};

/// All workloads. Their rays are the same on every machine.
const std::vector<WorkloadInfo>& workloads();

/// The row called `name`. Throws UsageError if there is none.
const WorkloadInfo& workload_called(std::string_view name);

/// Throws UsageError if the workload would have more than kMostRays rays for a picture of this
/// size.
void require_few_rays(const WorkloadInfo& workload, u32 width, u32 height);

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

/// The content of a rays file with the rays of `set`.
std::vector<u8> encode_rays(const RaySet& set);

/// Reads a rays file of up to 4 GiB (see read_file). Throws InputError, which names the path, if
/// the file is not a rays file, if its version or kind is unknown, or if its length does not agree
/// with its count.
RaySet read_rays(const std::string& path);

}  // namespace ballotcast::detail
