// Groups that took long at one cast come first at the next, each as two halves. In their order, the
// machine would wait for a few of them at the end:
//
//    in their order                           long ones first, as halves
//    warp 0  [a][c][e][      L      ]         warp 0  [  L 1  ][a][c]
//    warp 1  [b][d][f]              :         warp 1  [  L 2  ][b][d]
//                                  end                              end
//
// So a cast is faster if the one before had the same rays. Three lists take turns: a cast begins
// with the groups of one, notes long groups in the next, and empties the third. Each list has a bit
// per group, which is set exactly if the group has a place in the list. Groups whose bit is set are
// not cast in their order. So every ray is cast once, whichever groups a list has.
#pragma once

#include "kernels/lane.hpp"

namespace ballotcast::detail {

inline constexpr u32 kGroupRays = 64;

/// From this number of rays on, it hardly matters that a cast ends with its slowest groups.
inline constexpr u32 kManyForGroups = 6u << 20;

/// What a cast does with the lists. The host decides it.
struct LongFirst {
  u32 ticks;          // a group is long if it took so many; 0: the cast has no lists
  u32 places;         // in each list
  u32 list;           // 0, 1 or 2: the list to begin with
  bool knows_misses;  // whether the cast before had a list, too; see missed_many

  /// Warps for a list, before those for all groups: two per place.
  BC_HD u32 warps() const { return 2u * places; }
};

/// What a warp casts.
struct GroupTurn {
  static constexpr u32 kNone = ~0u;

  u32 group;                         // or kNone
  u32 begin = 0u, end = kGroupRays;  // which of its rays

  BC_HD bool is_whole() const { return end - begin == kGroupRays; }
};

class LongGroups {
 public:
  /// A cast with lists has at most so many groups.
  static constexpr u32 kMostGroups = kManyForGroups / kGroupRays;
  /// One of so many groups has a place in a list.
  static constexpr u32 kOneOf = 8;
  /// A list missed many if so many times what it missed is more than what took long.
  static constexpr u32 kMissedOneOf = 16;

  /// What a warp of the grid casts.
  BC_DEVICE GroupTurn turn_of(u32 warp, const LongFirst& plan) const {
    const List& list = lists_[plan.list];
    if (warp < plan.warps()) {
      const u32 begin = warp % 2u * kWarpSize;
      return {warp / 2u < list.count ? list.groups[warp / 2u] : GroupTurn::kNone, begin,
              begin + kWarpSize};
    }
    const u32 group = warp - plan.warps();
    return {(list.has[group / 32u] >> group % 32u & 1u) != 0u ? GroupTurn::kNone : group};
  }

  /// One lane of each warp of the grid must call this.
  BC_DEVICE void empty_third(u32 warp, const LongFirst& plan) {
    List& list = lists_[(plan.list + 2u) % 3u];
    if (warp == 0u) list.count = list.missed = 0u;
    if (warp < kWords) list.has[warp] = 0u;
  }

  /// Notes a group that was cast, if it took long. One lane of its warp must call this.
  template <class Lane>
  BC_DEVICE void note(Lane& lane, const GroupTurn& turn, u32 ticks, const LongFirst& plan) {
    // A group that was cast as two halves stays in the list if one of them took a third of the
    // time.
    if (ticks < (turn.is_whole() ? plan.ticks : plan.ticks / 3u)) return;
    List& list = lists_[(plan.list + 1u) % 3u];
    u32& word = list.has[turn.group / 32u];
    const u32 bit = 1u << turn.group % 32u;
    if ((lane.fetch_or(&word, bit) & bit) != 0u) return;  // by its other half
    // Groups near the limit are long at one cast and not at the next, and nobody waits for them.
    if (turn.is_whole() && ticks >= plan.ticks + plan.ticks / 2u) lane.fetch_add(&list.missed, 1u);
    const u32 place = lane.fetch_add(&list.count, 1u);
    if (place < plan.places)
      list.groups[place] = turn.group;
    else
      lane.fetch_add(&word, 0u - bit);
  }

  /// Whether many groups took long at the cast before that its list did not have. Then the machine
  /// had to wait for one of them.
  BC_DEVICE bool missed_many(const LongFirst& plan) const {
    const List& list = lists_[plan.list];
    return plan.knows_misses && list.missed * kMissedOneOf > list.count;
  }

  /// Empties all lists, if called for each k below kWords.
  static constexpr u32 kWords = kMostGroups / 32u + 1u;  // the last warps may look for no group
  BC_HD void empty(u32 k) {
    for (List& list : lists_) {
      list.has[k] = 0u;
      if (k == 0u) list.count = list.missed = 0u;
    }
  }

 private:
  struct List {
    u32 count;   // of long groups; not all of them need have found a place
    u32 missed;  // very long groups that were not in the list with which their cast began
    u32 groups[kMostGroups / kOneOf];
    u32 has[kWords];  // a bit per group: whether it has a place
  };
  List lists_[3];
};

}  // namespace ballotcast::detail
