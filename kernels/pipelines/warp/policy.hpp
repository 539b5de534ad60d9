// Decides which kernel of pipeline warp casts which rays. This is plain host code. The decision
// depends on the number of rays, on what kernels have reported about earlier casts, and on a table
// of measured numbers. No hit depends on the decision.
//
//    few rays        a ray per warp, or a ray per lane at once
//    any hits        the fetching kernel
//   closest hits    the fetching kernel, which looks at the rays and casts them if they are
//                   incoherent; then the kernel for coherent rays, or the one for groups. If the
//                   kind of the rays is known, only one of the last two
#pragma once

#include <algorithm>
#include <optional>

#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {

/// The numbers of rays from which on another kernel is faster, and the necessary gain.
struct WarpTuning {
  u32 architecture;  // the GPU that was measured: 90 for compute capability 9.0
  // A ray per warp is faster than a ray per lane for up to this many times the number of warps that
  // the machine holds at once.
  u32 rounds_of_warps;
  // From this number of rays on, sharing (last_rays.hpp) makes any-hit casts slower: the register
  // that it takes costs more than the end of the cast gains.
  u32 too_many_to_share;
  // From this number of rays on, the host reads what kind of rays they are, and launches no useless
  // kernel: reading takes less time than a grid whose blocks all return at once.
  u32 worth_reading;
  // From this number of rays on, a trial of groups is short compared with the cast.
  u32 many_for_a_trial;
  // A cast of at least `rays` rays uses groups if, in the trial, they took less than `percent` of
  // the time of one ray per lane. With fewer rays than in the first row, the machine would wait too
  // long for the slowest groups.
  struct Groups {
    u32 rays, percent;
    i32 patience;         // see GroupWalk
    bool shares = false;  // true if the warps of a block share what their groups leave
  } groups[3];

  u32 fewest_in_groups() const { return groups[0].rays; }
  /// The row of `groups` for this number of rays; null if there are too few rays for groups.
  const Groups* groups_for(u32 rays) const {
    const Groups* found = nullptr;
    for (const Groups& row : groups)
      if (rays >= row.rays) found = &row;
    return found;
  }
};

inline constexpr u32 kMi = 1u << 20;

/// One row per architecture that was measured, the oldest first.
inline constexpr WarpTuning kWarpTunings[] = {
    // An NVIDIA H200. Runs: small-casts-h100.txt (rounds_of_warps), last-rays-h200.txt
    // (too_many_to_share), incoherent-h200.txt (shares), groups-h200.txt (the rest), in
    // docs/results.
    {90,
     3,
     4 * kMi,
     6 * kMi,
     4 * kMi,
     {{7u << 18, 65, 50, true}, {4 * kMi, 75, 50}, {6 * kMi, 95, 160}}},
};

/// The row for a GPU: that of the newest architecture that is not newer than the GPU's, or the
/// first row.
inline const WarpTuning& warp_tuning_for(u32 architecture) {
  const WarpTuning* found = &kWarpTunings[0];
  for (const WarpTuning& row : kWarpTunings)
    if (row.architecture <= architecture) found = &row;
  return *found;
}

/// What the host remembers of a trial of groups. Not every cast needs a trial, which takes about
/// 0.1 ms.
class GroupTrial {
 public:
  explicit GroupTrial(const WarpTuning& tuning) : tuning_(&tuning) {}

  /// Call this at each cast. A cast of another tree, or of another number of rays, needs another
  /// trial. If a trial would be long compared with the cast, the trial is delayed until a few such
  /// casts have come.
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

  /// Stops the use of groups if the rays of the last cast were not like those of the trial.
  /// `report`: KnownRays::last_report.
  void check(u32 report) {
    if (!pay_ || !is_report_of(report, rays_)) return;
    if (report == report_of(kOneOrigin, may_be_rows_, rays_)) return;
    pay_ = false;
    casts_left_ = kCastsAfterOthers;
  }

  /// The next step: none; asking the machine for its findings; or casting some groups as a trial
  /// and then asking. Call this again until it returns `none`. `answer`: the findings that the last
  /// question asked for; null until they have arrived.
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

  /// Remembers whether the rays may come row by row. Call this whenever the host reads findings.
  void look_at(const WarpFindings& found) { may_be_rows_ = found.may_be_rows != 0u; }

  bool groups_pay() const { return pay_; }
  bool may_be_rows() const { return may_be_rows_; }

 private:
  static constexpr u32 kCastsATrial = 64, kCastsBefore = 4;
  // After a cast whose rays differ from those of the trial, this many casts use no groups. So if
  // casts of different rays alternate, trials and wrong guesses cost 3 % of the time.
  static constexpr u32 kCastsAfterOthers = 32;

  enum class Asked { nothing, rays, times };

  const WarpTuning* tuning_;
  const void* nodes_ = nullptr;  // nodes of the tree that was cast into
  u32 rays_ = 0;
  u32 casts_left_ = 0;  // number of casts until the next trial
  Asked asked_ = Asked::nothing;
  bool pay_ = false, may_be_rows_ = false;
};

/// Guesses the kind of the rays of a cast: if the last casts had the same number of rays, all of
/// one kind, this cast probably has that kind, too. Then a kernel for coherent rays casts them at
/// once; looking at the rays first would take 8 us. If the guess is wrong, the cast is slower, and
/// reports that.
class KnownRays {
 public:
  /// Call this at each cast. `report`: the report of a cast that has arrived since the last call,
  /// or kNoReport.
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

  /// The last report of a cast with the same number of rays as this one, or kNoReport.
  u32 last_report() const { return report_; }

 private:
  // The kind of a cast is guessed when this many casts in a row have made the same report as the
  // cast before them. Each wrong guess doubles this number, so that guesses become rare if rays of
  // different kinds alternate.
  static constexpr u32 kFirstNeeded = 3, kMostNeeded = 48;
  // After this many guesses, one cast looks at its rays first: only that can show whether the rays
  // have begun to come row by row. With a larger number, that is noticed later.
  static constexpr u32 kLookAgain = 64;

  /// Stores a report. It is only counted as equal to the report before if exactly one cast has
  /// begun since then. Otherwise a later cast may have overwritten the report of an earlier cast,
  /// whose rays may have been of any kind.
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
  u32 since_report_ = 0u;  // number of casts that have begun since the last report
  u32 alike_ = 0u;  // number of casts in a row whose report was the same as the report before
  u32 needed_ = kFirstNeeded;
};

/// Decides which kernels cast rays for closest hits. For each cast, call begin(); if it returns
/// true, launch the fetching kernel. Then take the steps of next_step(), then call read() if
/// reads(). second() says which kernel casts the remaining rays.
class WarpPolicy {
 public:
  explicit WarpPolicy(const WarpTuning& tuning) : tuning_(tuning), trial_(tuning) {}

  /// What the host knows about a cast.
  struct Cast {
    const void* nodes;  // nodes of the tree
    u32 rays;
    bool for_groups;  // true if there is a kernel for groups
    bool may_ask;     // false in a graph: its later launches may cast rays of other kinds
    bool may_wait;    // true if the host may wait for the machine
  };

  /// Begins a cast. Returns true if the fetching kernel must look at the rays first. `report`: the
  /// last cast's report, or kNoReport.
  bool begin(const Cast& cast, u32 report) {
    cast_ = cast;
    cast_.for_groups = cast.for_groups && cast.rays >= tuning_.fewest_in_groups();
    found_.reset();
    rays_.begin_cast(cast.rays, report);
    if (cast_.for_groups) trial_.begin_cast(cast.nodes, cast.rays);
    // A trial needs the kind of the rays of this cast.
    looks_first_ =
        !(cast.may_ask && rays_.are_coherent() && !(cast_.for_groups && trial_.is_due()));
    if (looks_first_ && cast_.for_groups && !reads()) trial_.check(rays_.last_report());
    return looks_first_;
  }

  /// The next step of a trial. If the host may not wait, findings that one cast asks for arrive at
  /// a later cast. `answer`: see GroupTrial.
  GroupTrial::Step next_step(const WarpFindings* answer) {
    return cast_.for_groups && cast_.may_ask ? trial_.next_step(answer) : GroupTrial::Step::none;
  }

  /// True if the host waits for the findings of the fetching kernel.
  bool reads() const { return cast_.may_wait && cast_.rays >= tuning_.worth_reading; }
  void read(const WarpFindings& found) {
    found_ = found;
    trial_.look_at(found);
  }

  /// The kernel that casts the rays which the fetching kernel has left. `none`: the fetching kernel
  /// casts all rays.
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
  /// The numbers for groups of this cast: those of the smallest casts if it has fewer rays.
  const WarpTuning::Groups& groups() const {
    const WarpTuning::Groups* const row = tuning_.groups_for(cast_.rays);
    return row ? *row : tuning_.groups[0];
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
