// Queries whose kernels have no collectives: all machines in host memory share the code, which is
// compiled once. All arrays are in host memory.
#pragma once

#include "backends/backend.hpp"
#include "backends/prepare.hpp"

namespace ballotcast::detail {

/// Writes to counts[count] how often each ray crosses a surface.
void count_crossings_on_host(const PreparedScene& scene, const WorldRays& rays, u32* counts,
                             u32 count);

/// Writes the crossings of `count` rays. Those of ray i go to hits[starts[i]] and the places after
/// it.
void store_crossings_on_host(const PreparedScene& scene, const WorldRays& rays, const u64* starts,
                             Hit* hits, u32 count);

/// Writes the closest points of the scene for `count` points.
void closest_points_on_host(const PreparedScene& scene, const WorldPoints<Vec3f>& points,
                            float max_distance, Nearest* nearest, u32 count);

/// Writes 1 for each of `count` points that is inside, else 0.
void contains_on_host(const PreparedScene& scene, const WorldPoints<Vec3d>& points, InsideRule rule,
                      u8* inside, u32 count);

/// Writes the winding numbers of `count` points.
void winding_numbers_on_host(const PreparedScene& scene, const WorldPoints<Vec3d>& points,
                             double* numbers, u32 count);

}  // namespace ballotcast::detail
