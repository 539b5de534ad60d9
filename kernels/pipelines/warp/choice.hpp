// Are the rays of a batch coherent? What pipeline warp asks before it casts.
#pragma once

#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// In the machine's memory.
struct WarpChoice {
  u32 coherent;  // 1: the rays of this cast are for the kernel without fetching
  u32 next;      // ray to fetch; 0 before a cast and after it
};

inline constexpr u32 kSampledGroups = 32;

/// Looks at 32 groups of 32 rays in a row, spread over the batch: a group in which all rays that
/// ask anything point into one octant votes for coherent, and half of the votes decide. Every lane
/// of a block of 32 to 1024 lanes calls this and gets the same answer, as does every block.
template <class Lane>
BC_DEVICE bool are_coherent(Lane& lane, const Ray* rays, u32 count) {
  const u32 warps = lane.block_size() / kWarpSize;
  const u32 groups = count / kWarpSize;
  bool voted = false;  // by the group that this lane counts
  for (u32 k = 0; k * warps < kSampledGroups; ++k) {
    const u32 sample = k * warps + lane.warp();
    const u32 group = static_cast<u32>(u64{groups} * sample / kSampledGroups);
    const u32 i = group * kWarpSize + lane.lane();
    const Ray ray = i < count && sample < kSampledGroups ? rays[i] : idle_ray();
    const vec3 d = ray.direction;
    const u32 octant = (d.x < 0.0f ? 1u : 0u) | (d.y < 0.0f ? 2u : 0u) | (d.z < 0.0f ? 4u : 0u);
    const u32 asking = lane.ballot(ray.asks());
    bool agreed = sample < kSampledGroups;
    for (u32 bit = 1u; bit < 8u; bit <<= 1) {
      const u32 set = lane.ballot(ray.asks() && (octant & bit) != 0u);
      agreed = agreed && (set == 0u || set == asking);
    }
    if (lane.lane() == k) voted = agreed;
  }
  return lane.block_count(voted) * 2u >= kSampledGroups;
}

/// After a cast that had no choice, or whose choice the host has seen.
struct FetchFromStart {
  BC_HD static void item(u32, WarpChoice* choice) { choice->next = 0u; }
};

}  // namespace ballotcast::detail
