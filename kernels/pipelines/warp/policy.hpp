// Which kernel of pipeline warp casts which rays: plain host code. It decides by how many rays
// there are, by what kernels reported of earlier casts, and by the numbers of a table. The hits do
// not depend on it.
//
//    few rays        a ray per warp, or a ray per lane at once
//    any hits        the fetching kernel
//    closest hits    the fetching kernel, which looks at the rays and casts them if they are
//                    incoherent; then the kernel for coherent rays, or that for groups. Or one of
//                    these two alone, if the rays are known
#pragma once

#include <algorithm>
#include <optional>

#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {

/// Numbers of rays from which another kernel is faster, and by how much it must be.
struct WarpTuning {
  u32 architecture;  // of the GPU that was measured: 90 for compute capability 9.0
  // A ray per warp is faster than a ray per lane up to so many times the warps that the machine
  // holds at once.
  u32 rounds_of_warps;
  // From so many rays on, a cast for any hits loses more by the register that sharing takes
  // (last_rays.hpp) than it gains at its end.
  u32 too_many_to_share;
  // From so many rays on the host reads what kind of rays they are, and launches no kernel in vain:
  // reading takes less time than a grid whose blocks all return at once.
  u32 worth_reading;
  // From so many rays on a trial of groups is short beside the cast.
  u32 many_for_a_trial;
  // From `rays` on a cast is in groups if these took less than `percent` of the time of one ray per
  // lane. With fewer rays, the machine waits too long for the slowest groups.
  struct Groups {
    u32 rays, percent;
    i32 patience;  // see GroupWalk
  } groups[3];

  u32 fewest_in_groups() const { return groups[0].rays; }
  /// The row for so many rays; null if there are too few.
  const Groups* groups_for(u32 rays) const {
    const Groups* found = nullptr;
    for (const Groups& row : groups)
      if (rays >= row.rays) found = &row;
    return found;
  }
};

inline constexpr u32 kMi = 1u << 20;

/// A row per architecture that was measured, the oldest first.
inline constexpr WarpTuning kWarpTunings[] = {
    // An NVIDIA H200. Runs: small-casts-h100.txt (rounds_of_warps), last-rays-h200.txt
    // (too_many_to_share), groups-h200.txt (the rest), in docs/results.
    {90, 3, 4 * kMi, 6 * kMi, 4 * kMi, {{7u << 18, 65, 50}, {4 * kMi, 75, 50}, {6 * kMi, 95, 160}}},
};

/// The row for a GPU: the newest that is not newer than it, or the first.
inline const WarpTuning& warp_tuning_for(u32 architecture) {
  const WarpTuning* found = &kWarpTunings[0];
  for (const WarpTuning& row : kWarpTunings)
    if (row.architecture <= architecture) found = &row;
  return *found;
}

/// What the host remembers of a trial of groups, so that not every cast has one. It takes about
/// 0.1 ms.
class GroupTrial {
 public:
  explicit GroupTrial(const WarpTuning& tuning) : tuning_(&tuning) {}

  /// To be called at each cast. Casts of another tree, or of another number of rays, need another
  /// trial. If it would be long beside the cast, it waits until there were some casts of the kind.
  void begin_cast(const void* nodes, u32 rays) {
    if (nodes_ == nodes && rays_ == rays) {
      if (casts_left_ > 0u) --casts_left_;
      return;
    }
    *this = GroupTrial(*tuning_);
    nodes_ = nodes, rays_ = rays;
    casts_left_ = rays >= tuning_->many_for_a_trial ? 0u : kCastsBefore;
  }
  bool is_due() const { return casts_left_ == 0u; }

  /// Groups no longer pay if the rays of the last cast were not like those of the trial. `report`:
  /// KnownRays::last_report.
  void check(u32 report) {
    if (!pay_ || !is_report_of(report, rays_)) return;
    if (report == report_of(kOneOrigin, may_be_rows_, rays_)) return;
    pay_ = false;
    casts_left_ = kCastsAfterOthers;
  }

  /// The next step: nothing, or to ask the machine what it has found out, or to try groups and then
  /// ask. To be called again until it is nothing. `answer`: to the last question; null until it is
  /// there.
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
    const WarpTuning::Groups* const row = tuning_->groups_for(rays_);
    pay_ = row && answer->kind == kOneOrigin &&
           u64{answer->ticks[1]} * 100u < u64{answer->ticks[0]} * row->percent;
    casts_left_ = kCastsATrial;
    asked_ = Asked::nothing;
    return Step::none;
  }

  /// Remembers whether the rays may be rows. To be called whenever the host reads findings.
  void look_at(const WarpFindings& found) { may_be_rows_ = found.may_be_rows != 0u; }

  bool groups_pay() const { return pay_; }
  bool may_be_rows() const { return may_be_rows_; }

 private:
  static constexpr u32 kCastsATrial = 64, kCastsBefore = 4;
  // So many casts go without groups after one whose rays were not like those of the trial. Where
  // casts of different rays take turns, a trial and a wrong guess then cost 3 % of the time.
  static constexpr u32 kCastsAfterOthers = 32;

  enum class Asked { nothing, rays, times };

  const WarpTuning* tuning_;
  const void* nodes_ = nullptr;  // of the tree
  u32 rays_ = 0;
  u32 casts_left_ = 0;  // until the next trial
  Asked asked_ = Asked::nothing;
  bool pay_ = false, may_be_rows_ = false;
};

/// Whether the last casts had as many rays as this one, all of one kind. Then a kernel for coherent
/// rays casts these at once, and none looks at them first, which would take 8 us. If they are of
/// another kind after all, this cast is slower, and reports it.
class KnownRays {
 public:
  /// To be called at each cast. `report`: what a cast has reported since the last call, or
  /// kNoReport.
  void begin_cast(u32 rays, u32 report) {
    look_at(report);
    ++since_report_;
    if (rays_ == rays) return;
    rays_ = rays;
    report_ = kNoReport;
    alike_ = 0u;
  }

  bool are_coherent() const { return alike_ >= needed_ && reported_kind(report_) != kIncoherent; }
  bool have_one_origin() const { return are_coherent() && reported_kind(report_) == kOneOrigin; }

  /// What a cast of as many rays reported last, or kNoReport.
  u32 last_report() const { return report_; }

 private:
  // A cast is guessed when this many casts in a row have reported the same as the one before them.
  // Each wrong guess doubles the number: where rays of different kinds take turns, guesses become
  // rare.
  static constexpr u32 kFirstNeeded = 3, kMostNeeded = 48;
  // After so many guesses, one cast is looked at first again: only that sees whether its rays have
  // begun to come row by row.
  static constexpr u32 kLookAgain = 64;

  /// Takes a report. It counts only if a single cast has begun since the report before it: later
  /// casts overwrite the reports of earlier ones, whose rays may have been of any kind.
  void look_at(u32 report) {
    if (report == kNoReport) return;
    const bool is_only_one = since_report_ == 1u;
    since_report_ = 0u;
    if (!is_report_of(report, rays_)) return;
    if (report != report_) {
      if (are_coherent()) needed_ = std::min(2u * needed_, kMostNeeded);
      alike_ = 0u;
    } else if (!is_only_one) {
      alike_ = 0u;
    } else if (++alike_ > needed_ + kLookAgain) {
      alike_ = needed_ - 1u;
    }
    report_ = report;
  }

  u32 rays_ = 0u;
  u32 report_ = kNoReport;
  u32 since_report_ = 0u;  // how many casts began since one reported something
  u32 alike_ = 0u;         // how many casts in a row reported what the one before them did
  u32 needed_ = kFirstNeeded;
};

/// Decides for one cast for closest hits after another. In this order: begin(); if it says so, the
/// fetching kernel is launched, then come the steps of next_step(), then read() if reads(); then
/// second() casts what is left.
class WarpPolicy {
 public:
  explicit WarpPolicy(const WarpTuning& tuning) : tuning_(tuning), trial_(tuning) {}

  /// What the host knows of a cast.
  struct Cast {
    const void* nodes;  // of the tree
    u32 rays;
    bool for_groups;  // whether there is a kernel for groups
    bool may_ask;     // false in a graph, which may cast rays of other kinds later
    bool may_wait;    // whether the host may wait for the machine
  };

  /// Whether the fetching kernel looks at the rays first. `report`: what the last cast reported, or
  /// kNoReport.
  bool begin(const Cast& cast, u32 report) {
    cast_ = cast;
    cast_.for_groups = cast.for_groups && cast.rays >= tuning_.fewest_in_groups();
    found_.reset();
    rays_.begin_cast(cast.rays, report);
    if (cast_.for_groups) trial_.begin_cast(cast.nodes, cast.rays);
    // A trial wants to know the rays of this cast.
    looks_first_ =
        !(cast.may_ask && rays_.are_coherent() && !(cast_.for_groups && trial_.is_due()));
    if (looks_first_ && cast_.for_groups && !reads()) trial_.check(rays_.last_report());
    return looks_first_;
  }

  /// The next step of a trial. If the host must not wait, what it asks for at one cast is there at
  /// a later one. `answer`: see GroupTrial.
  GroupTrial::Step next_step(const WarpFindings* answer) {
    return cast_.for_groups && cast_.may_ask ? trial_.next_step(answer) : GroupTrial::Step::none;
  }

  /// Whether the host waits for what the fetching kernel has found.
  bool reads() const { return cast_.may_wait && cast_.rays >= tuning_.worth_reading; }
  void read(const WarpFindings& found) {
    found_ = found;
    trial_.look_at(found);
  }

  /// The kernel that casts what the fetching kernel has not cast. `none`: it casts all rays.
  enum class Second { coherent, groups, none };
  Second second() const {
    if (found_ && found_->kind == kIncoherent) return Second::none;
    const bool have_one_origin = found_         ? found_->kind == kOneOrigin
                                 : looks_first_ ? true
                                                : rays_.have_one_origin();
    return cast_.for_groups && trial_.groups_pay() && have_one_origin ? Second::groups
                                                                      : Second::coherent;
  }

  bool may_be_rows() const { return trial_.may_be_rows(); }
  i32 patience() const {
    const WarpTuning::Groups* const row = tuning_.groups_for(cast_.rays);
    return row ? row->patience : tuning_.groups[0].patience;
  }
  const WarpTuning& tuning() const { return tuning_; }

 private:
  const WarpTuning& tuning_;
  GroupTrial trial_;
  KnownRays rays_;
  Cast cast_{};
  bool looks_first_ = true;
  std::optional<WarpFindings> found_;
};

}  // namespace ballotcast::detail
