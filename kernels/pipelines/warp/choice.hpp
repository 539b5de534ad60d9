// Finds out what the rays of a batch have in common, so that pipeline warp can choose its kernel.
#pragma once

#include "kernels/lane.hpp"
#include "kernels/pipelines/warp/rows.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// The kinds of rays: what consecutive rays have in common.
inline constexpr u32 kIncoherent = 0u;  // nothing in common
inline constexpr u32 kCoherent = 1u;    // about the same direction
inline constexpr u32 kOneOrigin = 2u;   // about the same direction, and the same origin

/// A trial casts this many groups of rays: every second one as a group, the others with one ray per
/// lane. This is about as many warps as an H200 holds at once.
inline constexpr u32 kTrialGroups = 4096;
/// The unit of WarpFindings::ticks, in ticks of the GPU's clock. It is so large that the sums of
/// times in a trial fit into 32 bits.
inline constexpr u32 kTicksAStep = 64;

/// What the first kernel of a cast finds out about its rays. Later kernels and the host choose by
/// these findings.
struct WarpFindings {
  u32 kind;      // kIncoherent, kCoherent or kOneOrigin
  u32 ticks[2];  // times of a trial, in units of kTicksAStep: [0] one ray per lane, [1] in groups
  u32 may_be_rows;  // 1 if the first rays lie in a line, as in a row (rows.hpp); else 0
};

/// A cast's report to the host, in one word: the kind of its rays, whether they may be rows of a
/// picture, and the lower bits of the number of rays. By this number, the host checks that the
/// report is of a cast with as many rays.
BC_HD inline u32 report_of(u32 kind, bool may_be_rows, u32 rays) {
  return kind | (may_be_rows ? 4u : 0u) | rays << 4u;
}
inline u32 reported_kind(u32 report) { return report & 3u; }
inline constexpr u32 kNoReport = 0xffffffffu;
inline bool is_report_of(u32 report, u32 rays) {
  return report != kNoReport && report >> 4u == (rays << 4u) >> 4u;
}

/// The data that the kernels of a cast share, in the machine's memory.
struct WarpChoice : WarpFindings {
  u32 next;  // index of the next ray or point to fetch; 0 before and after each query
  RowsSeen rows;
  u32* report;  // in host memory: kernels write the result of report_of() there
  // Number of elements of NotedLists (queries/closest_points_at_once.hpp) that are taken; 0 before
  // and after each query.
  u32 listed;

  /// The order in which the rays of a batch are cast. All lanes of the warp must call this.
  template <class Lane>
  BC_DEVICE RayOrder order(Lane& lane, u32 count) const {
    return {may_be_rows != 0u ? row_of(lane, rows) : 0u, count};
  }
};

inline constexpr u32 kSampledGroups = 32;

/// The kind of one of 32 groups of 32 consecutive rays, which are spread evenly over a batch of at
/// least 32 rays. A group is coherent if the directions of all its rays lie in one octant; rays
/// that can hit nothing are ignored. All lanes of the warp must call this.
template <class Lane>
BC_DEVICE u32 kind_of_sample(Lane& lane, const Ray* rays, u32 count, u32 sample) {
  const u32 groups = count / kWarpSize;
  const u32 group = static_cast<u32>(u64{groups} * sample / kSampledGroups);
  const Ray ray = rays[group * kWarpSize + lane.lane()];
  const vec3 first = rays[group * kWarpSize].origin;
  const vec3 d = ray.direction, o = ray.origin;
  const u32 octant = (d.x < 0.0f ? 1u : 0u) | (d.y < 0.0f ? 2u : 0u) | (d.z < 0.0f ? 4u : 0u);
  const u32 asking = lane.ballot(ray.asks());
  bool agreed = true;
  for (u32 bit = 1u; bit < 8u; bit <<= 1) {
    const u32 set = lane.ballot(ray.asks() && (octant & bit) != 0u);
    agreed = agreed && (set == 0u || set == asking);
  }
  const bool elsewhere = (o.x != first.x) | (o.y != first.y) | (o.z != first.z);
  const bool one_origin = !lane.any(ray.asks() && elsewhere);
  return !agreed ? kIncoherent : one_origin ? kOneOrigin : kCoherent;
}

/// The kind of the batch. The batch is coherent if at least half of the sampled groups are
/// coherent, and has one origin if in at least half of the sampled groups all rays have one origin.
BC_HD inline u32 kind_of_batch(u32 coherent, u32 with_one_origin) {
  return 2u * with_one_origin >= kSampledGroups ? kOneOrigin
         : 2u * coherent >= kSampledGroups      ? kCoherent
                                                : kIncoherent;
}

/// The kind of a batch of at least 32 rays, the same in all lanes of all blocks. Every lane of a
/// block of `kBlockSize` lanes must call this.
template <u32 kBlockSize, class Lane>
BC_DEVICE u32 kind_of(Lane& lane, const Ray* rays, u32 count) {
  constexpr u32 kWarps = kBlockSize / kWarpSize, kGroupsAWarp = kSampledGroups / kWarps;
  static_assert(kSampledGroups % kWarps == 0u);
  u32 voted = kIncoherent;  // lane k holds the vote of the k-th group of its warp
  // Unrolled, so that the loads of several groups overlap.
  BC_UNROLL
  for (u32 k = 0; k < kGroupsAWarp; ++k) {
    const u32 kind = kind_of_sample(lane, rays, count, k * kWarps + lane.warp());
    if (lane.lane() == k) voted = kind;
  }
  const u32 one_origin = lane.block_count(voted == kOneOrigin);
  return kind_of_batch(lane.block_count(voted != kIncoherent), one_origin);
}

/// Finds the kind of the rays and reports it to the host. For casts in which no earlier kernel has
/// looked at the rays. All lanes of one warp must call this. Not inlined, because then the compiler
/// would leave fewer registers for walks.
template <class Lane>
BC_DEVICE BC_COLD void look_and_tell(Lane& lane, const WarpChoice& choice, const Ray* rays,
                                     u32 count) {
  u32 coherent = 0u, one_origin = 0u;
  BC_NO_UNROLL
  for (u32 sample = 0; sample < kSampledGroups; ++sample) {
    const u32 kind = kind_of_sample(lane, rays, count, sample);
    if (kind != kIncoherent) ++coherent;
    if (kind == kOneOrigin) ++one_origin;
  }
  const bool rows = may_still_be_rows(lane, rays, count, choice.may_be_rows != 0u, choice.rows);
  if (lane.lane() == 0u)
    *choice.report = report_of(kind_of_batch(coherent, one_origin), rows, count);
}

/// The beginning of each kernel that casts coherent rays: reports the kind of the rays to the host.
/// Returns true if the rays are still to be cast. `alone`: no earlier kernel has looked at the rays
/// or cast them. All lanes must call this.
template <class Lane>
BC_DEVICE bool begin_coherent(Lane& lane, WarpChoice& choice, const Ray* rays, u32 count,
                              bool alone) {
  if (alone) {
    if (lane.id() < kWarpSize) look_and_tell(lane, choice, rays, count);
    return true;
  }
  if (lane.id() == 0u) {
    *choice.report = report_of(choice.kind, choice.may_be_rows != 0u, count);
    if (choice.kind == kIncoherent) choice.next = 0u;
  }
  return choice.kind != kIncoherent;
}

/// Resets the counters, after a cast that has no second kernel to do so.
struct FetchFromStart {
  BC_HD static void item(u32, WarpChoice* choice) { choice->next = choice->listed = 0u; }
};

}  // namespace ballotcast::detail
