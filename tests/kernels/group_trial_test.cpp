// When trials of groups take place, and what follows from them.
#include <gtest/gtest.h>

#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {
namespace {

constexpr u32 kMany = 32u << 20, kFew = GroupTrial::kFewest;

/// The number of casts until a trial is due, that one included.
u32 casts_until_due(GroupTrial& trial, const void* nodes, u32 rays) {
  for (u32 casts = 1; casts < 1000u; ++casts) {
    trial.begin_cast(nodes, rays);
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
  trial.begin_cast(&tree, rays);
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
    EXPECT_TRUE(trial.groups_pay());
    EXPECT_EQ(casts_until_due(trial, &tree, rays), 64u);
    EXPECT_TRUE(trial.groups_pay());
    trial.begin_cast(&tree, rays + 1u);
    EXPECT_FALSE(trial.groups_pay());
    trial.begin_cast(&tree, rays);
    take_place(trial);
    trial.begin_cast(&other, rays);
    EXPECT_FALSE(trial.groups_pay());
  }
}

TEST(GroupTrial, takes_one_cast_if_the_host_waits_for_each_answer) {
  using Step = GroupTrial::Step;
  GroupTrial trial;
  EXPECT_EQ(next(trial, nullptr), Step::ask);
  const WarpFindings rays{kOneOrigin, {0u, 0u}, 0u}, times{kOneOrigin, {100u, 50u}, 0u};
  EXPECT_EQ(trial.next_step(&rays), Step::try_and_ask);
  EXPECT_EQ(trial.next_step(&times), Step::none);
  EXPECT_TRUE(trial.groups_pay());
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
  EXPECT_FALSE(trial.groups_pay());
  EXPECT_EQ(next(trial, nullptr), Step::none);
  EXPECT_EQ(next(trial, &times), Step::none);
  EXPECT_TRUE(trial.groups_pay());
  for (u32 cast = 1; cast < 64u; ++cast) EXPECT_EQ(next(trial, &times), Step::none) << cast;
  EXPECT_EQ(next(trial, &times), Step::ask);
  EXPECT_TRUE(trial.groups_pay());
}

TEST(GroupTrial, does_not_take_place_without_waiting_for_rays_of_other_kinds) {
  using Step = GroupTrial::Step;
  for (const u32 kind : {kIncoherent, kCoherent}) {
    GroupTrial trial;
    EXPECT_EQ(next(trial, nullptr), Step::ask);
    const WarpFindings rays{kind, {0u, 0u}, 0u};
    EXPECT_EQ(next(trial, &rays), Step::none);
    EXPECT_FALSE(trial.groups_pay());
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
  for (const u32 told : {told_of(kOneOrigin, false), kNothingTold, told_of(kOneOrigin, true),
                         told_of(kCoherent, false), told_of(kIncoherent, false)}) {
    GroupTrial trial;
    trial.begin_cast(&tree, kMany);
    take_place(trial);  // of rays that lie in no rows
    trial.begin_cast(&tree, kMany);
    trial.check(told);
    const bool holds = told == told_of(kOneOrigin, false) || told == kNothingTold;
    EXPECT_EQ(trial.groups_pay(), holds) << told;
    EXPECT_EQ(casts_until_due(trial, &tree, kMany), holds ? 63u : 32u) << told;
  }
}

TEST(GroupTrial, wants_a_larger_lead_for_fewer_rays) {
  const auto pays = [](u32 rays, u32 percent, u32 kind = kOneOrigin) {
    return WarpFindings{kind, {100u, percent}, 0u}.groups_pay(rays);
  };
  EXPECT_TRUE(pays(kMany, 90u));
  EXPECT_FALSE(pays(kMany, 99u));
  EXPECT_TRUE(pays(5u << 20, 70u));
  EXPECT_FALSE(pays(5u << 20, 90u));
  EXPECT_TRUE(pays(kFew, 60u));
  EXPECT_FALSE(pays(kFew, 70u));
  EXPECT_FALSE(pays(kMany, 10u, kCoherent));
}

}  // namespace
}  // namespace ballotcast::detail
