// What the host remembers of casts: trials of groups, and the kinds of rays.
#include "kernels/pipelines/warp/past_casts.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace ballotcast::detail {
namespace past_casts_test {

constexpr u32 kMany = 32u << 20, kFew = GroupTrial::kFewest;

/// The number of casts until a trial is due, that one included.
u32 casts_until_due(GroupTrial& trial, const void* nodes, u32 rays) {
  for (u32 casts = 1; casts < 1000u; ++casts) {
    trial.begin_cast(nodes, rays, kNothingTold);
    if (trial.is_due()) return casts;
  }
  return 0u;
}

TEST(GroupTrial, comes_at_once_for_many_rays_and_later_for_few) {
  const int tree = 0;
  GroupTrial trial;
  EXPECT_EQ(casts_until_due(trial, &tree, kMany), 1u);
  EXPECT_EQ(casts_until_due(trial, &tree, kFew), 5u);
}

/// The step at the next cast.
GroupTrial::Step next(GroupTrial& trial, const WarpFindings* answer, u32 rays = kMany) {
  static const int tree = 0;
  trial.begin_cast(&tree, rays, kNothingTold);
  return trial.next_step(answer);
}

/// A trial that finds that groups pay.
void take_place(GroupTrial& trial) {
  const WarpFindings found{kOneOrigin, {100u, 50u}, 0u};
  while (trial.next_step(&found) != GroupTrial::Step::none) continue;
}

TEST(GroupTrial, holds_for_64_casts_of_as_many_rays_of_one_tree) {
  const int tree = 0, other = 0;
  GroupTrial trial;
  for (const u32 rays : {kMany, kFew}) {
    casts_until_due(trial, &tree, rays);
    take_place(trial);
    EXPECT_TRUE(trial.groups_pay(true));
    EXPECT_EQ(casts_until_due(trial, &tree, rays), 64u);
    EXPECT_TRUE(trial.groups_pay(true));
    trial.begin_cast(&tree, rays + 1u, kNothingTold);
    EXPECT_FALSE(trial.groups_pay(true));
    trial.begin_cast(&tree, rays, kNothingTold);
    take_place(trial);
    trial.begin_cast(&other, rays, kNothingTold);
    EXPECT_FALSE(trial.groups_pay(true));
  }
}

TEST(GroupTrial, says_which_groups_are_long) {
  const int tree = 0;
  GroupTrial trial;
  casts_until_due(trial, &tree, kFew);
  EXPECT_EQ(trial.long_ticks(), 0u);
  take_place(trial);
  // The mean of 2048 groups that took 50 * 64 ticks together is 1.56.
  EXPECT_EQ(trial.long_ticks(), 4u);
}

TEST(GroupTrial, takes_one_cast_if_the_host_waits_for_each_answer) {
  using Step = GroupTrial::Step;
  GroupTrial trial;
  EXPECT_EQ(next(trial, nullptr), Step::ask);
  const WarpFindings rays{kOneOrigin, {0u, 0u}, 0u}, times{kOneOrigin, {100u, 50u}, 0u};
  EXPECT_EQ(trial.next_step(&rays), Step::try_and_ask);
  EXPECT_EQ(trial.next_step(&times), Step::none);
  EXPECT_TRUE(trial.groups_pay(false));
  EXPECT_FALSE(trial.is_due());
}

TEST(GroupTrial, takes_several_casts_if_the_host_must_not_wait) {
  using Step = GroupTrial::Step;
  GroupTrial trial;
  EXPECT_EQ(next(trial, nullptr), Step::ask);
  EXPECT_EQ(next(trial, nullptr), Step::none);
  const WarpFindings rays{kOneOrigin, {0u, 0u}, 1u}, times{kOneOrigin, {100u, 50u}, 1u};
  EXPECT_EQ(next(trial, &rays), Step::try_and_ask);
  EXPECT_TRUE(trial.may_be_rows());
  EXPECT_FALSE(trial.groups_pay(false));
  EXPECT_EQ(next(trial, nullptr), Step::none);
  EXPECT_EQ(next(trial, &times), Step::none);
  EXPECT_TRUE(trial.groups_pay(false));
  for (u32 cast = 1; cast < 64u; ++cast) EXPECT_EQ(next(trial, &times), Step::none) << cast;
  EXPECT_EQ(next(trial, &times), Step::ask);
  EXPECT_TRUE(trial.groups_pay(false));
}

TEST(GroupTrial, does_not_take_place_without_waiting_for_rays_of_other_kinds) {
  using Step = GroupTrial::Step;
  for (const u32 kind : {kIncoherent, kCoherent}) {
    GroupTrial trial;
    EXPECT_EQ(next(trial, nullptr), Step::ask);
    const WarpFindings rays{kind, {0u, 0u}, 0u};
    EXPECT_EQ(next(trial, &rays), Step::none);
    EXPECT_FALSE(trial.groups_pay(false));
    EXPECT_FALSE(trial.is_due());
  }
}

TEST(GroupTrial, forgets_what_it_asked_for_when_other_rays_come) {
  using Step = GroupTrial::Step;
  GroupTrial trial;
  EXPECT_EQ(next(trial, nullptr), Step::ask);
  const WarpFindings rays{kOneOrigin, {0u, 0u}, 0u};
  EXPECT_EQ(next(trial, &rays, 2u * kMany), Step::ask);
}

TEST(GroupTrial, does_not_hold_for_rays_of_another_kind_or_order) {
  const int tree = 0;
  const u32 same = told_of(kOneOrigin, false, kMany);
  for (const u32 told :
       {same, kNothingTold, told_of(kCoherent, false, kMany + 1u), told_of(kOneOrigin, true, kMany),
        told_of(kCoherent, false, kMany), told_of(kIncoherent, false, kMany)}) {
    GroupTrial trial;
    trial.begin_cast(&tree, kMany, kNothingTold);
    take_place(trial);  // of rays that lie in no rows
    trial.begin_cast(&tree, kMany, kNothingTold);
    trial.check(told);
    const bool holds = told == same || !is_told_of(told, kMany);
    EXPECT_EQ(trial.groups_pay(false), holds) << told;
    EXPECT_EQ(casts_until_due(trial, &tree, kMany), holds ? 63u : 32u) << told;
  }
}

TEST(GroupTrial, wants_a_larger_lead_for_fewer_rays) {
  bool lists = false;
  const auto pays = [&](u32 rays, u32 percent, u32 kind = kOneOrigin) {
    return WarpFindings{kind, {100u, percent}, 0u}.groups_pay(rays, lists);
  };
  EXPECT_TRUE(pays(kMany, 90u));
  EXPECT_FALSE(pays(kMany, 99u));
  EXPECT_TRUE(pays(5u << 20, 70u));
  EXPECT_FALSE(pays(5u << 20, 90u));
  EXPECT_TRUE(pays(2u << 20, 60u));
  EXPECT_FALSE(pays(2u << 20, 70u));
  EXPECT_FALSE(pays(kFew, 10u));
  EXPECT_FALSE(pays(kMany, 10u, kCoherent));
  lists = true;
  EXPECT_FALSE(pays(kMany, 99u));
  EXPECT_TRUE(pays(2u << 20, 99u));
  EXPECT_FALSE(pays(2u << 20, 101u));
  EXPECT_TRUE(pays(kFew, 80u));
  EXPECT_FALSE(pays(kFew, 90u));
  EXPECT_FALSE(pays(kFew, 10u, kCoherent));
}

TEST(LongLists, take_turns) {
  LongLists lists;
  EXPECT_TRUE(lists.are_used());
  EXPECT_TRUE(lists.are_new());
  for (u32 cast = 0; cast < 10u; ++cast) {
    lists.begin_cast();
    const LongFirst plan = lists.next(4u, 33u);
    EXPECT_EQ(plan.ticks, 4u);
    EXPECT_EQ(plan.places, 33u / LongGroups::kOneOf);
    EXPECT_EQ(plan.list, cast % 3u);
    EXPECT_EQ(plan.knows_misses, cast >= 2u);
    EXPECT_FALSE(lists.are_new());
  }
}

/// The number of casts until the next one with lists.
u32 casts_of_rest(LongLists& lists) {
  u32 casts = 0u;
  for (; !lists.are_used(); ++casts) lists.begin_cast();
  return casts;
}

/// Three casts with lists, of which the last told that they missed, and then one more that did.
void miss_twice(LongLists& lists) {
  for (u32 cast = 0; cast < 3u; ++cast) lists.next(4u, 33u);
  lists.look_at(true);
  EXPECT_TRUE(lists.are_used());
  lists.next(4u, 33u);
  lists.look_at(true);
}

TEST(LongLists, rest_twice_as_long_each_time_that_they_miss) {
  LongLists lists;
  for (const u32 rest : {128u, 256u, 512u, 1024u, 2048u, 2048u}) {
    miss_twice(lists);
    EXPECT_EQ(casts_of_rest(lists), rest);
    EXPECT_TRUE(lists.are_new());
    for (u32 word = 0; word < 3u; ++word) lists.look_at(true);  // of casts before the rest
    EXPECT_TRUE(lists.are_used());
  }
  // After many casts with lists, that is forgotten.
  for (u32 cast = 0; cast < 200u; ++cast) lists.next(4u, 33u);
  miss_twice(lists);
  EXPECT_EQ(casts_of_rest(lists), 128u);
}

TEST(LongLists, go_on_if_only_one_cast_has_other_rays) {
  LongLists lists;
  for (u32 cast = 0; cast < 100u; ++cast) {
    lists.next(4u, 33u);
    lists.look_at(cast % 10u == 9u);
    EXPECT_TRUE(lists.are_used());
  }
}

TEST(GroupTrial, uses_no_lists_for_a_while_if_a_cast_says_that_they_miss) {
  const int tree = 0;
  const u32 told = told_of(kOneOrigin, false, kFew);
  for (const u32 says : {told, told | kListsMiss,
                         told_of(kOneOrigin, false, kFew + 1u) | kListsMiss, kNothingTold}) {
    GroupTrial trial;
    casts_until_due(trial, &tree, kFew);
    take_place(trial);
    for (u32 cast = 0; cast < 4u; ++cast) trial.long_lists().next(4u, 33u);
    for (u32 cast = 0; cast < 2u; ++cast) trial.begin_cast(&tree, kFew, says);
    const bool used = says != (told | kListsMiss);
    EXPECT_EQ(trial.long_lists().are_used(), used) << says;
    EXPECT_EQ(trial.groups_pay(true), used) << says;
    EXPECT_EQ(casts_until_due(trial, &tree, kFew), used ? 62u : 128u) << says;
    trial.begin_cast(&tree, kFew + 1u, kNothingTold);
    EXPECT_TRUE(trial.long_lists().are_new());
  }
}

/// What a host sees that waits for each cast.
class Casts {
 public:
  KnownRays rays;

  /// A cast whose rays are so. Returns whether it was expected to be coherent.
  bool cast(u32 kind, u32 count = kMany) {
    rays.begin_cast(count, std::exchange(told_, kNothingTold));
    const bool expected = rays.are_coherent();
    told_ = told_of(kind, false, count);
    return expected;
  }
  /// A cast that tells nothing.
  void cast_silently() { rays.begin_cast(kMany, std::exchange(told_, kNothingTold)); }

  /// The number of casts of such rays until one is expected.
  u32 until_known(u32 kind) {
    for (u32 casts = 1; casts < 1000u; ++casts)
      if (cast(kind)) return casts;
    return 0u;
  }

 private:
  u32 told_ = kNothingTold;
};

TEST(KnownRays, are_known_when_four_casts_in_a_row_told_the_same) {
  for (const u32 kind : {kCoherent, kOneOrigin}) {
    Casts casts;
    EXPECT_EQ(casts.until_known(kind), 5u);
    EXPECT_EQ(casts.rays.have_one_origin(), kind == kOneOrigin);
  }
  Casts casts;
  EXPECT_EQ(casts.until_known(kIncoherent), 0u);
}

TEST(KnownRays, are_the_same_whether_lists_miss_or_not) {
  KnownRays rays;
  const u32 told = told_of(kOneOrigin, false, kMany);
  for (u32 cast = 0; cast < 6u; ++cast)
    rays.begin_cast(kMany, cast % 2u == 0u ? told : told | kListsMiss);
  EXPECT_TRUE(rays.have_one_origin());
  EXPECT_EQ(rays.last_told(), told);
}

TEST(KnownRays, are_looked_at_again_after_many_casts) {
  Casts casts;
  casts.until_known(kCoherent);
  for (u32 again = 0; again < 3u; ++again) {
    u32 known = 0;
    while (casts.cast(kCoherent)) ++known;
    EXPECT_GE(known, 60u);
    EXPECT_LE(known, 70u);
  }
}

TEST(KnownRays, are_forgotten_if_there_are_more_or_fewer) {
  Casts casts;
  casts.until_known(kCoherent);
  EXPECT_FALSE(casts.cast(kCoherent, kMany + 1u));
  EXPECT_EQ(casts.until_known(kCoherent), 5u);
}

TEST(KnownRays, are_known_later_after_each_wrong_guess) {
  Casts casts;
  casts.until_known(kCoherent);
  for (const u32 needed : {6u, 12u, 24u, 48u, 48u}) {
    EXPECT_TRUE(casts.cast(kOneOrigin));
    EXPECT_FALSE(casts.cast(kCoherent));
    EXPECT_FALSE(casts.cast(kCoherent, kMany + 1u));  // that is not forgotten
    EXPECT_EQ(casts.until_known(kCoherent), needed + 2u);
  }
}

TEST(KnownRays, are_never_known_if_kinds_take_turns) {
  Casts casts;
  for (u32 cast = 0; cast < 200u; ++cast)
    EXPECT_FALSE(casts.cast(cast % 3u == 0u ? kIncoherent : kCoherent));
}

TEST(KnownRays, are_not_known_if_casts_between_told_nothing) {
  Casts casts;
  for (u32 cast = 0; cast < 200u; ++cast) {
    EXPECT_FALSE(casts.cast(kCoherent));
    casts.cast_silently();
  }
}

// The host launches two casts, of which it sees only what the second one told.
TEST(KnownRays, are_not_known_from_every_second_cast) {
  KnownRays rays;
  u32 told = kNothingTold;
  for (u32 frame = 0; frame < 200u; ++frame) {
    rays.begin_cast(kMany, told);
    EXPECT_FALSE(rays.are_coherent());
    rays.begin_cast(kMany, kNothingTold);
    EXPECT_FALSE(rays.are_coherent());
    told = told_of(kCoherent, false, kMany);
  }
}

TEST(KnownRays, hold_while_nothing_is_told) {
  Casts casts;
  casts.until_known(kCoherent);
  for (u32 cast = 0; cast < 3u; ++cast) {
    casts.cast_silently();
    EXPECT_TRUE(casts.rays.are_coherent());
  }
}

}  // namespace past_casts_test
}  // namespace ballotcast::detail
