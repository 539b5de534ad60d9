// Lists of groups that took long: each ray is cast once, and those of long groups first.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "backends/emulated/machine.hpp"
#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {
namespace long_groups_test {

constexpr u32 kGroups = 100u, kPlaces = 4u;
constexpr u32 kLong = 600u;  // ticks

constexpr u32 kNever = ~0u;

/// A cast in which the groups take the given times. Writes down which warp has which half of a
/// group.
struct Cast {
  struct Shared {};
  template <class Lane>
  static void run(Lane& lane, Shared&, LongGroups* lists, LongFirst plan, const u32* ticks,
                  u32* warps) {
    if (lane.lane() != 0u) return;
    const u32 warp = lane.id() / kWarpSize;
    lists->empty_third(warp, plan);
    const GroupTurn turn = lists->turn_of(warp, plan);
    if (turn.group == GroupTurn::kNone || turn.group >= kGroups) return;
    for (u32 ray = turn.begin; ray < turn.end; ray += kWarpSize) {
      u32& place = warps[2u * turn.group + ray / kWarpSize];
      EXPECT_EQ(place, kNever) << "cast twice: group " << turn.group;
      place = warp;
    }
    lists->note(lane, turn, ticks[turn.group] / (turn.is_whole() ? 1u : 2u), plan);
  }
};

struct LongGroupsOfCasts : ::testing::Test {
  LongGroupsOfCasts() {
    std::memset(static_cast<void*>(lists.get()), 0xff, sizeof *lists);  // must be emptied
    machine.each<Empty>("empty", LongGroups::kWords, lists.get());
  }
  struct Empty {
    static void item(u32 k, LongGroups* lists) { lists->empty(k); }
  };
  /// Casts all groups, and one warp more, as the last block may have.
  void cast(u32 list) {
    const LongFirst plan{kLong, kPlaces, list, true};
    warps.assign(2u * kGroups, kNever);
    machine.launch<Cast>("cast", plan.warps() + kGroups + 1u, kWarpSize, lists.get(), plan,
                         ticks.data(), warps.data());
    for (const u32 warp : warps) ASSERT_NE(warp, kNever);
  }
  bool is_first(u32 group) const {
    const u32 a = warps[2u * group], b = warps[2u * group + 1u];
    EXPECT_EQ(a < 2u * kPlaces, b < 2u * kPlaces);
    EXPECT_EQ(a == b, a >= 2u * kPlaces);  // two warps share a long group
    return a < 2u * kPlaces;
  }
  u32 how_many_first() const {
    u32 first = 0u;
    for (u32 group = 0; group < kGroups; ++group) first += is_first(group) ? 1u : 0u;
    return first;
  }
  /// Of the cast before the one that begins with `list`.
  bool missed_many(u32 list) const {
    EXPECT_FALSE(lists->missed_many({kLong, kPlaces, list, false}));  // the first two say nothing
    return lists->missed_many({kLong, kPlaces, list, true});
  }

  std::unique_ptr<LongGroups> lists = std::make_unique<LongGroups>();
  std::vector<u32> ticks = std::vector<u32>(kGroups, 10u);
  std::vector<u32> warps;
  EmulatedMachine machine;
};

TEST_F(LongGroupsOfCasts, come_first_at_the_next_cast_as_halves) {
  for (const u32 group : {31u, 32u, 99u}) ticks[group] = kLong;
  cast(0u);
  EXPECT_EQ(how_many_first(), 0u);
  for (u32 k = 1u; k < 9u; ++k) {
    cast(k % 3u);
    EXPECT_EQ(how_many_first(), 3u);
    for (const u32 group : {31u, 32u, 99u}) EXPECT_TRUE(is_first(group));
  }
}

TEST_F(LongGroupsOfCasts, are_those_of_the_cast_before) {
  ticks[5] = kLong;
  cast(0u);
  ticks[5] = kLong / 2u;  // its halves take less than a third of the time
  ticks[6] = kLong;
  ticks[7] = kLong - 1u;
  cast(1u);
  EXPECT_TRUE(is_first(5u));
  EXPECT_FALSE(is_first(6u));
  cast(2u);
  EXPECT_FALSE(is_first(5u));
  EXPECT_TRUE(is_first(6u));
  EXPECT_FALSE(is_first(7u));
}

TEST_F(LongGroupsOfCasts, come_in_their_order_if_they_found_no_place) {
  ticks.assign(kGroups, 2u * kLong);
  for (const u32 list : {0u, 1u, 2u, 0u, 1u}) {
    cast(list);
    EXPECT_TRUE(missed_many((list + 1u) % 3u));
  }
  EXPECT_EQ(how_many_first(), kPlaces);
}

TEST_F(LongGroupsOfCasts, are_missed_if_they_are_others_at_each_cast) {
  ticks[1] = ticks[2] = 2u * kLong;
  cast(0u);
  cast(1u);
  EXPECT_FALSE(missed_many(2u));
  ticks[3] = kLong;  // hardly long
  cast(2u);
  EXPECT_FALSE(missed_many(0u));
  ticks[4] = 2u * kLong;
  cast(0u);
  EXPECT_TRUE(missed_many(1u));
  cast(1u);
  EXPECT_FALSE(missed_many(2u));
}

TEST_F(LongGroupsOfCasts, have_room_for_the_largest_cast) {
  const u32 last = LongGroups::kMostGroups - 1u;
  const LongFirst plan{1u, LongGroups::kMostGroups / LongGroups::kOneOf, 2u, true};
  const u32 noted = plan.places + 5u;
  struct Note {
    struct Shared {};
    static void run(EmulatedLane& lane, Shared&, LongGroups* lists, LongFirst how, u32 group) {
      if (lane.lane() == 0u) lists->note(lane, GroupTurn{group - lane.id() / kWarpSize}, 9u, how);
    }
  };
  machine.launch<Note>("note", noted, kWarpSize, lists.get(), plan, last);
  const LongFirst next{1u, plan.places, 0u, true};
  std::vector<u32> rays(LongGroups::kMostGroups);
  for (u32 warp = 0; warp < next.warps() + LongGroups::kMostGroups; ++warp) {
    const GroupTurn turn = lists->turn_of(warp, next);
    if (turn.group != GroupTurn::kNone) rays[turn.group] += turn.end - turn.begin;
  }
  for (const u32 n : rays) ASSERT_EQ(n, kGroupRays);
  EXPECT_LT(last - lists->turn_of(0u, next).group, noted);
  EXPECT_FALSE(lists->turn_of(0u, next).is_whole());
  EXPECT_EQ(lists->turn_of(next.warps() + LongGroups::kMostGroups, next).group,
            LongGroups::kMostGroups);
}

}  // namespace long_groups_test
}  // namespace ballotcast::detail
