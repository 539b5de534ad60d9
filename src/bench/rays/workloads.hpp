// Ray workloads. Each is one row in workloads.cpp.
#pragma once

#include <string_view>
#include <vector>

#include "backends/backend.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// What workloads are made from: a scene, a picture of it, and a caster that finds where rays hit.
struct RayFixture {
  const PreparedScene& scene;
  ResidentScene& caster;
  Camera camera;
  u32 width, height;
};

/// The most rays in one set; a file of them is at most 16 GiB.
inline constexpr u64 kMostRays = (u64{1} << 29) - 1;

/// Rays of one kind.
struct RaySet {
  RayKind kind = RayKind::closest;
  std::vector<Ray> rays;
};

/// A row of the table of workloads.
struct WorkloadInfo {
  std::string_view name;
  std::string_view summary;
  u32 rays_a_pixel;  // the most rays per pixel of the picture
  bool of_camera;    // the rays of a picture themselves
  RaySet (*make)(const RayFixture& ground);
};

/// All workloads. Their rays are the same on every machine.
const std::vector<WorkloadInfo>& workloads();

/// The row called `name`. Throws UsageError if there is none.
const WorkloadInfo& workload_called(std::string_view name);

/// Throws UsageError if the workload has too many rays for a picture of this size.
void require_few_rays(const WorkloadInfo& workload, u32 width, u32 height);

}  // namespace ballotcast::detail
