// What the host remembers of earlier casts. Pipeline warp chooses its kernels by it. The hits do
// not depend on it.
#pragma once

#include <algorithm>

#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {

/// What the host remembers of the lists of long groups. If each cast has other rays, lists do not
/// help: they miss what takes long. When two casts in a row say so, the next ones do without; after
/// each such time, twice as many.
class LongLists {
 public:
  void begin_cast() {
    if (rest_ > 0u) --rest_;
  }
  bool are_used() const { return rest_ == 0u; }

  /// For the next cast in groups. `ticks`: see LongFirst.
  LongFirst next(u32 ticks, u32 groups) {
    const u32 cast = casts_++;
    if (cast == kManyCasts) next_rest_ = kFirstRest;
    return {ticks, groups / LongGroups::kOneOf, cast % 3u, cast >= kCastsBeforeMisses};
  }
  /// All lists must be empty before the first cast.
  bool are_new() const { return casts_ == 0u; }

  /// To be called when a cast with lists has told whether they missed many.
  void look_at(bool missed) {
    misses_ = missed && casts_ > kCastsBeforeMisses ? misses_ + 1u : 0u;
    if (misses_ < 2u) return;
    rest_ = next_rest_;
    next_rest_ = std::min(2u * next_rest_, kMostRest);
    casts_ = misses_ = 0u;
  }

 private:
  // The second cast begins with what the first has noted; the third tells whether that missed many.
  static constexpr u32 kCastsBeforeMisses = 2;
  static constexpr u32 kFirstRest = 128, kMostRest = 2048;
  static constexpr u32 kManyCasts = 128;  // after which lists are taken to help

  u32 casts_ = 0u;   // that used them
  u32 misses_ = 0u;  // casts in a row that missed many
  u32 rest_ = 0u;    // casts without them that are left
  u32 next_rest_ = kFirstRest;
};

/// What the host remembers of a trial of groups, so that not every cast has one. It takes about
/// 0.1 ms.
class GroupTrial {
 public:
  /// From this number of rays on groups may be faster.
  static constexpr u32 kFewest = 1u << 20;

  /// To be called at each cast. Casts of another tree, or of another number of rays, need another
  /// trial. If it would be long beside the cast, it waits until there were some casts of the kind.
  /// `told`: as for KnownRays.
  void begin_cast(const void* nodes, u32 rays, u32 told) {
    if (nodes_ == nodes && rays_ == rays) {
      if (casts_left_ > 0u) --casts_left_;
      long_lists_.begin_cast();
      if (is_told_of(told, rays)) long_lists_.look_at((told & kListsMiss) != 0u);
      return;
    }
    *this = GroupTrial{};
    nodes_ = nodes, rays_ = rays;
    casts_left_ = rays >= kManyForATrial ? 0u : kCastsBefore;
  }
  bool is_due() const {
    return casts_left_ == 0u && (rays_ >= kFewWithoutLists || long_lists_.are_used());
  }

  /// Groups no longer pay if the rays of the last cast were not like those of the trial. `told`:
  /// KnownRays::last_told.
  void check(u32 told) {
    if (!(pay_ || pay_with_lists_) || !is_told_of(told, rays_)) return;
    if (told == told_of(kOneOrigin, may_be_rows_, rays_)) return;
    pay_ = pay_with_lists_ = false;
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
    pay_ = answer->groups_pay(rays_, false);
    pay_with_lists_ = answer->groups_pay(rays_, true);
    long_ticks_ = answer->long_ticks();
    casts_left_ = kCastsATrial;
    asked_ = Asked::nothing;
    return Step::none;
  }

  /// Remembers whether the rays may be rows. To be called whenever the host reads findings.
  void look_at(const WarpFindings& found) { may_be_rows_ = found.may_be_rows != 0u; }

  /// `lists`: whether the cast may use lists of long groups.
  bool groups_pay(bool lists) const {
    return pay_ || (lists && pay_with_lists_ && long_lists_.are_used());
  }
  bool may_be_rows() const { return may_be_rows_; }

  /// From how many ticks on a group is long.
  u32 long_ticks() const { return long_ticks_; }
  LongLists& long_lists() { return long_lists_; }

 private:
  static constexpr u32 kCastsATrial = 64, kCastsBefore = 4;
  // If casts of different rays take turns, a trial and a wrong guess cost 3 % of so many casts.
  static constexpr u32 kCastsAfterOthers = 32;

  enum class Asked { nothing, rays, times };

  const void* nodes_ = nullptr;  // of the tree
  u32 rays_ = 0;
  u32 casts_left_ = 0;  // until the next trial
  Asked asked_ = Asked::nothing;
  bool pay_ = false, pay_with_lists_ = false, may_be_rows_ = false;
  u32 long_ticks_ = 0u;
  LongLists long_lists_;
};

/// Whether the last casts had as many rays as this one, all of one kind. Then a kernel for coherent
/// rays casts these at once, and none looks at them first, which would take 8 us. If they are of
/// another kind after all, this cast is slower, and tells it.
class KnownRays {
 public:
  /// To be called at each cast. `told`: what a cast has told since the last call, or kNothingTold.
  void begin_cast(u32 rays, u32 told) {
    look_at(told);
    ++since_told_;
    if (rays_ == rays) return;
    rays_ = rays;
    told_ = kNothingTold;
    alike_ = 0u;
  }

  bool are_coherent() const { return alike_ >= needed_ && told_kind(told_) != kIncoherent; }
  bool have_one_origin() const { return are_coherent() && told_kind(told_) == kOneOrigin; }

  /// What a cast of as many rays told last, or kNothingTold.
  u32 last_told() const { return told_; }

 private:
  // After each wrong guess twice as many are needed. So if rays of different kinds take turns,
  // wrong guesses cost little of so many casts.
  static constexpr u32 kFirstNeeded = 3, kMostNeeded = 48;
  // After so many casts more, one is looked at: its rays may be rows where none were seen before.
  static constexpr u32 kLookAgain = 64;

  /// A word counts if only one cast began since the word before it. Of several casts only the last
  /// word is left, and the others may have had rays of any kind.
  void look_at(u32 told) {
    if (told == kNothingTold) return;
    told &= ~kListsMiss;
    const bool is_only_one = since_told_ == 1u;
    since_told_ = 0u;
    if (!is_told_of(told, rays_)) return;
    if (told != told_) {
      if (are_coherent()) needed_ = std::min(2u * needed_, kMostNeeded);
      alike_ = 0u;
    } else if (!is_only_one) {
      alike_ = 0u;
    } else if (++alike_ > needed_ + kLookAgain) {
      alike_ = needed_ - 1u;
    }
    told_ = told;
  }

  u32 rays_ = 0u;
  u32 told_ = kNothingTold;
  u32 since_told_ = 0u;  // how many casts began since one told something
  u32 alike_ = 0u;       // how many casts in a row told what the one before them told
  u32 needed_ = kFirstNeeded;
};

/// What a machine keeps.
struct PastCasts {
  GroupTrial trial;
  KnownRays rays;
};

}  // namespace ballotcast::detail
