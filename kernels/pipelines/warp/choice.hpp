// Tests whether the rays of a batch are coherent. Pipeline warp chooses its kernel by that.
#pragma once

#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// Which kernel a cast uses, and how far it has fetched rays. Kept in the machine's memory.
struct WarpChoice {
  u32 coherent;  // 1: this cast uses the kernel that does not fetch rays
  u32 next;      // index of the next ray to fetch; 0 before and after each cast
};

inline constexpr u32 kSampledGroups = 32;

/// Samples 32 groups of 32 consecutive rays, spread evenly over the batch. A group is coherent if
/// the directions of all its rays lie in one octant; rays that can hit nothing are ignored. The
/// batch is coherent if at least half of its groups are. Every lane of a block of 32 to 1024 lanes
/// must call this. All lanes of all blocks get the same answer.
template <class Lane>
BC_DEVICE bool are_coherent(Lane& lane, const Ray* rays, u32 count) {
  const u32 warps = lane.block_size() / kWarpSize;
  const u32 groups = count / kWarpSize;
  bool voted = false;  // lane k holds the vote of the k-th group that its warp looks at
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

/// Resets the index of the next ray to fetch, after a cast without a second kernel that does it.
struct FetchFromStart {
  BC_HD static void item(u32, WarpChoice* choice) { choice->next = 0u; }
};

}  // namespace ballotcast::detail
