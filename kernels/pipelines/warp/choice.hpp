// Finds out how the rays of a batch belong together. Pipeline warp chooses its kernel by that.
#pragma once

#include "kernels/lane.hpp"
#include "kernels/pipelines/warp/rows.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

/// How consecutive rays belong together.
inline constexpr u32 kIncoherent = 0u;  // they do not
inline constexpr u32 kCoherent = 1u;    // they go the same way
inline constexpr u32 kOneOrigin = 2u;   // and they start at one point

/// From this number of rays on, it hardly matters that a cast ends with its slowest groups.
inline constexpr u32 kManyForGroups = 6u << 20;
/// From this number on, a trial is short beside the cast.
inline constexpr u32 kManyForATrial = 4u << 20;

/// What kernels find out for those that follow.
struct WarpFindings {
  u32 kind;         // kIncoherent, kCoherent or kOneOrigin
  u32 ticks[2];     // how long rays took in a trial: one per lane, and as groups; see groups.hpp
  u32 may_be_rows;  // 1 if the first rays lie in a line, as those of a row do (rows.hpp); else 0

  /// Whether a cast of so many rays is faster in groups. The limits are from an H200; see
  /// tools/results.
  bool groups_pay(u32 rays) const {
    const u32 percent = rays >= kManyForGroups ? 95u : rays >= kManyForATrial ? 75u : 65u;
    return kind == kOneOrigin && u64{ticks[1]} * 100u < u64{ticks[0]} * percent;
  }
};

/// What a cast tells the host about its rays, in a word.
BC_HD inline u32 told_of(u32 kind, bool may_be_rows) { return kind | (may_be_rows ? 4u : 0u); }
inline constexpr u32 kNothingTold = 0xffffffffu;

/// What the kernels of a cast share, in the machine's memory.
struct WarpChoice : WarpFindings {
  u32 next;  // index of the next ray to fetch; 0 before and after each cast
  RowsSeen rows;
  u32* told;  // a word of the host, which gets told_of the rays

  /// For the kernel after the first one: tells the host about the rays. Returns true if the first
  /// one has not cast them. All lanes must call this.
  template <class Lane>
  BC_DEVICE bool begin_second(Lane& lane) {
    if (lane.id() == 0u) {
      *told = told_of(kind, may_be_rows != 0u);
      if (kind == kIncoherent) next = 0u;
    }
    return kind != kIncoherent;
  }

  /// The order in which the rays are cast. All lanes of the warp must call this.
  template <class Lane>
  BC_DEVICE RayOrder order(Lane& lane, u32 count) const {
    return {may_be_rows != 0u ? row_of(lane, rows) : 0u, count};
  }
};

/// What the host remembers of a trial of groups, so that not every cast has one. It takes about
/// 0.1 ms.
class GroupTrial {
 public:
  /// From this number of rays on groups may be faster.
  static constexpr u32 kFewest = 7u << 18;

  /// To be called at each cast. Casts of another tree, or of another number of rays, need another
  /// trial. If it would be long beside the cast, it waits until there were some casts of the kind.
  void begin_cast(const void* nodes, u32 rays) {
    if (nodes_ == nodes && rays_ == rays) {
      if (casts_left_ > 0u) --casts_left_;
      return;
    }
    *this = GroupTrial{};
    nodes_ = nodes, rays_ = rays;
    casts_left_ = rays >= kManyForATrial ? 0u : kCastsBefore;
  }
  bool is_due() const { return casts_left_ == 0u; }

  /// Groups no longer pay if the rays of the last cast were not like those of the trial. `told`:
  /// what that cast told of its rays, or kNothingTold.
  void check(u32 told) {
    if (!groups_pay_ || told == kNothingTold || told == told_of(kOneOrigin, may_be_rows_)) return;
    groups_pay_ = false;
    casts_left_ = kCastsAfterOthers;
  }

  /// What to do next, until it is nothing: ask the machine what it found out, or try groups before.
  /// `answer`: to the last question; null as long as it is not there.
  enum class Step { none, ask, try_and_ask };
  Step next_step(const WarpFindings* answer) {
    if (!is_due()) return Step::none;
    if (asked_ == Asked::nothing) {
      asked_ = Asked::rays;
      return Step::ask;
    }
    if (!answer) return Step::none;
    look_at(*answer);
    if (asked_ == Asked::rays && answer->kind == kOneOrigin) {
      asked_ = Asked::times;
      return Step::try_and_ask;
    }
    groups_pay_ = answer->groups_pay(rays_);
    casts_left_ = kCastsATrial;
    asked_ = Asked::nothing;
    return Step::none;
  }

  /// Remembers whether the rays may be rows. To be called whenever the host reads findings.
  void look_at(const WarpFindings& found) { may_be_rows_ = found.may_be_rows != 0u; }

  bool groups_pay() const { return groups_pay_; }
  bool may_be_rows() const { return may_be_rows_; }

 private:
  static constexpr u32 kCastsATrial = 64, kCastsBefore = 4;
  // If casts of different rays take turns, a trial and a wrong guess cost 3 % of so many casts.
  static constexpr u32 kCastsAfterOthers = 32;

  enum class Asked { nothing, rays, times };
  const void* nodes_ = nullptr;  // of the tree
  u32 rays_ = 0;
  u32 casts_left_ = 0;  // until the next trial
  Asked asked_ = Asked::nothing;
  bool groups_pay_ = false, may_be_rows_ = false;
};

inline constexpr u32 kSampledGroups = 32;

/// Samples 32 groups of 32 consecutive rays, spread evenly over the batch. A group is coherent if
/// the directions of all its rays lie in one octant; rays that can hit nothing are ignored. The
/// batch is coherent if at least half of its groups are, and its rays have one origin if those of
/// at least half of its groups have. Every lane of a block of `kBlockSize` lanes must call this,
/// with at least 32 rays. All lanes of all blocks get the same answer.
template <u32 kBlockSize, class Lane>
BC_DEVICE u32 kind_of(Lane& lane, const Ray* rays, u32 count) {
  constexpr u32 kWarps = kBlockSize / kWarpSize, kGroupsAWarp = kSampledGroups / kWarps;
  static_assert(kSampledGroups % kWarps == 0u);
  const u32 groups = count / kWarpSize;
  u32 voted = kIncoherent;  // lane k holds the vote of the k-th group that its warp looks at
  // Unrolled, so that it waits for several groups at once.
  BC_UNROLL
  for (u32 k = 0; k < kGroupsAWarp; ++k) {
    const u32 sample = k * kWarps + lane.warp();
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
    if (lane.lane() == k) voted = !agreed ? kIncoherent : one_origin ? kOneOrigin : kCoherent;
  }
  const u32 one_origin = lane.block_count(voted == kOneOrigin);
  const u32 coherent = lane.block_count(voted != kIncoherent);
  return 2u * one_origin >= kSampledGroups ? kOneOrigin
         : 2u * coherent >= kSampledGroups ? kCoherent
                                           : kIncoherent;
}

/// Resets the index of the next ray to fetch, after a cast without a second kernel that does it.
struct FetchFromStart {
  BC_HD static void item(u32, WarpChoice* choice) { choice->next = 0u; }
};

}  // namespace ballotcast::detail
