// Tests which kernel casts which rays: trials of groups, kinds of rays, and the decisions that
// follow.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "kernels/pipelines/warp/policy.hpp"

namespace ballotcast::detail {
namespace warp_policy_test {

constexpr u32 kMany = 32u << 20, kFew = 7u << 18;
constexpr const WarpTuning& kTuning = kWarpTunings[0];

/// The number of casts up to and including the cast at which a trial is due.
u32 casts_until_due(GroupTrial& trial, const void* nodes, u32 rays) {
  for (u32 casts = 1; casts < 1000u; ++casts) {
    trial.begin_cast(nodes, rays);
    if (trial.is_due()) return casts;
  }
  return 0u;
}

TEST(GroupTrial, comes_at_once_for_many_rays_and_later_for_few) {
  const int tree = 0;
  GroupTrial trial(kTuning);
  EXPECT_EQ(casts_until_due(trial, &tree, kMany), 1u);
  EXPECT_EQ(casts_until_due(trial, &tree, kFew), 5u);
}

/// The step of the trial at the next cast.
GroupTrial::Step next(GroupTrial& trial, const WarpFindings* answer, u32 rays = kMany) {
  static const int tree = 0;
  trial.begin_cast(&tree, rays);
  return trial.next_step(answer);
}

/// Carries out a trial which finds that groups are faster.
void take_place(GroupTrial& trial) {
  const WarpFindings found{kOneOrigin, {100u, 50u}, 0u};
  while (trial.next_step(&found) != GroupTrial::Step::none) continue;
}

TEST(GroupTrial, holds_for_64_casts_of_as_many_rays_of_one_tree) {
  const int tree = 0, other = 0;
  GroupTrial trial(kTuning);
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
  GroupTrial trial(kTuning);
  EXPECT_EQ(next(trial, nullptr), Step::ask);
  const WarpFindings rays{kOneOrigin, {0u, 0u}, 0u}, times{kOneOrigin, {100u, 50u}, 0u};
  EXPECT_EQ(trial.next_step(&rays), Step::try_and_ask);
  EXPECT_EQ(trial.next_step(&times), Step::none);
  EXPECT_TRUE(trial.groups_pay());
  EXPECT_FALSE(trial.is_due());
}

TEST(GroupTrial, takes_several_casts_if_the_host_must_not_wait) {
  using Step = GroupTrial::Step;
  GroupTrial trial(kTuning);
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
    GroupTrial trial(kTuning);
    EXPECT_EQ(next(trial, nullptr), Step::ask);
    const WarpFindings rays{kind, {0u, 0u}, 0u};
    EXPECT_EQ(next(trial, &rays), Step::none);
    EXPECT_FALSE(trial.groups_pay());
    EXPECT_FALSE(trial.is_due());
  }
}

TEST(GroupTrial, forgets_what_it_asked_for_when_other_rays_come) {
  using Step = GroupTrial::Step;
  GroupTrial trial(kTuning);
  EXPECT_EQ(next(trial, nullptr), Step::ask);
  const WarpFindings rays{kOneOrigin, {0u, 0u}, 0u};
  EXPECT_EQ(next(trial, &rays, 2u * kMany), Step::ask);
}

TEST(GroupTrial, does_not_hold_for_rays_of_another_kind_or_order) {
  const int tree = 0;
  const u32 same = report_of(kOneOrigin, false, kMany);
  for (const u32 report : {same, kNoReport, report_of(kCoherent, false, kMany + 1u),
                           report_of(kOneOrigin, true, kMany), report_of(kCoherent, false, kMany),
                           report_of(kIncoherent, false, kMany)}) {
    GroupTrial trial(kTuning);
    trial.begin_cast(&tree, kMany);
    take_place(trial);  // a trial with rays that do not come in rows
    trial.begin_cast(&tree, kMany);
    trial.check(report);
    const bool holds = report == same || !is_report_of(report, kMany);
    EXPECT_EQ(trial.groups_pay(), holds) << report;
    EXPECT_EQ(casts_until_due(trial, &tree, kMany), holds ? 63u : 32u) << report;
  }
}

TEST(GroupTrial, wants_a_larger_lead_for_fewer_rays) {
  const auto pays = [&](u32 rays, u32 percent, u32 kind = kOneOrigin) {
    const int tree = 0;
    GroupTrial trial(kTuning);
    casts_until_due(trial, &tree, rays);
    const WarpFindings found{kind, {100u, percent}, 0u};
    while (trial.next_step(&found) != GroupTrial::Step::none) continue;
    return trial.groups_pay();
  };
  EXPECT_TRUE(pays(kMany, 90u));
  EXPECT_FALSE(pays(kMany, 99u));
  EXPECT_TRUE(pays(5u << 20, 70u));
  EXPECT_FALSE(pays(5u << 20, 90u));
  EXPECT_TRUE(pays(2u << 20, 60u));
  EXPECT_FALSE(pays(2u << 20, 70u));
  EXPECT_FALSE(pays(1u << 20, 10u));
  EXPECT_FALSE(pays(kMany, 10u, kCoherent));
}

TEST(WarpTuning, of_an_architecture_is_the_newest_that_is_not_newer) {
  u32 before = 0;
  for (const WarpTuning& row : kWarpTunings) {
    EXPECT_LT(before, row.architecture);
    EXPECT_EQ(&warp_tuning_for(row.architecture), &row);
    before = row.architecture;
  }
  EXPECT_EQ(&warp_tuning_for(10u), &kWarpTunings[0]);
  EXPECT_EQ(&warp_tuning_for(1000u), std::end(kWarpTunings) - 1);
}

TEST(WarpTuning, has_rows_of_groups_for_more_and_more_rays) {
  for (const WarpTuning& tuning : kWarpTunings) {
    EXPECT_EQ(tuning.groups_for(tuning.fewest_in_groups() - 1u), nullptr);
    for (const WarpTuning::Groups& row : tuning.groups) {
      EXPECT_EQ(tuning.groups_for(row.rays), &row);
      EXPECT_LE(row.percent, 100u);
    }
  }
}

/// A host that waits for each cast, so that it gets every report.
class Casts {
 public:
  KnownRays rays;

  /// Begins a cast of rays of this kind. Returns whether the kind was expected to be coherent.
  bool cast(u32 kind, u32 count = kMany) {
    rays.begin_cast(count, std::exchange(report_, kNoReport));
    const bool expected = rays.are_coherent();
    report_ = report_of(kind, false, count);
    return expected;
  }
  /// Begins a cast whose report does not arrive.
  void cast_silently() { rays.begin_cast(kMany, std::exchange(report_, kNoReport)); }

  /// The number of casts of this kind until the kind is expected.
  u32 until_known(u32 kind) {
    for (u32 casts = 1; casts < 1000u; ++casts)
      if (cast(kind)) return casts;
    return 0u;
  }

 private:
  u32 report_ = kNoReport;
};

TEST(KnownRays, are_known_when_four_casts_in_a_row_reported_the_same) {
  for (const u32 kind : {kCoherent, kOneOrigin}) {
    Casts casts;
    EXPECT_EQ(casts.until_known(kind), 5u);
    EXPECT_EQ(casts.rays.have_one_origin(), kind == kOneOrigin);
  }
  Casts casts;
  EXPECT_EQ(casts.until_known(kIncoherent), 0u);
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
    // The report of the cast with another number of rays was kept.
    EXPECT_FALSE(casts.cast(kCoherent, kMany + 1u));
    EXPECT_EQ(casts.until_known(kCoherent), needed + 2u);
  }
}

TEST(KnownRays, are_never_known_if_kinds_take_turns) {
  Casts casts;
  for (u32 cast = 0; cast < 200u; ++cast)
    EXPECT_FALSE(casts.cast(cast % 3u == 0u ? kIncoherent : kCoherent));
}

TEST(KnownRays, are_not_known_if_casts_between_reported_nothing) {
  Casts casts;
  for (u32 cast = 0; cast < 200u; ++cast) {
    EXPECT_FALSE(casts.cast(kCoherent));
    casts.cast_silently();
  }
}

// The host launches two casts, and then receives only the report of the second cast.
TEST(KnownRays, are_not_known_from_every_second_cast) {
  KnownRays rays;
  u32 report = kNoReport;
  for (u32 frame = 0; frame < 200u; ++frame) {
    rays.begin_cast(kMany, report);
    EXPECT_FALSE(rays.are_coherent());
    rays.begin_cast(kMany, kNoReport);
    EXPECT_FALSE(rays.are_coherent());
    report = report_of(kCoherent, false, kMany);
  }
}

TEST(KnownRays, hold_while_nothing_is_reported) {
  Casts casts;
  casts.until_known(kCoherent);
  for (u32 cast = 0; cast < 3u; ++cast) {
    casts.cast_silently();
    EXPECT_TRUE(casts.rays.are_coherent());
  }
}

/// A host that waits for each cast, with a machine that always reports the same findings.
class Host {
 public:
  explicit Host(u32 rays, WarpFindings found) : rays_(rays), found_(found) {}

  /// The kernels that a cast launches, as letters: L for the kernel that looks at the rays first, T
  /// for a trial of groups, then C (coherent), G (groups) or nothing.
  std::string cast() {
    std::string launched;
    if (policy_.begin({&tree_, rays_, for_groups, !in_graph, waits},
                      std::exchange(report_, kNoReport))) {
      launched += "L";
      using Step = GroupTrial::Step;
      for (Step step; (step = policy_.next_step(&found_)) != Step::none;)
        if (step == Step::try_and_ask) launched += "T";
      if (policy_.reads()) policy_.read(found_);
    }
    if (policy_.second() == WarpPolicy::Second::coherent) launched += "C";
    if (policy_.second() == WarpPolicy::Second::groups) launched += "G";
    report_ = report_of(found_.kind, found_.may_be_rows != 0u, rays_);
    return launched;
  }
  std::string casts(u32 count) {
    std::string all;
    for (u32 k = 0; k < count; ++k) all += (k > 0u ? " " : "") + cast();
    return all;
  }

  bool for_groups = true, in_graph = false, waits = true;

 private:
  const int tree_ = 0;
  const u32 rays_;
  const WarpFindings found_;
  WarpPolicy policy_{kTuning};
  u32 report_ = kNoReport;
};

TEST(WarpPolicy, looks_at_rays_until_they_are_known) {
  EXPECT_EQ(Host(100u, {kCoherent, {0u, 0u}, 0u}).casts(7), "LC LC LC LC C C C");
  EXPECT_EQ(Host(100u, {kIncoherent, {0u, 0u}, 0u}).casts(7), "LC LC LC LC LC LC LC");
}

TEST(WarpPolicy, launches_no_second_kernel_in_vain_for_many_rays) {
  EXPECT_EQ(Host(kMany, {kIncoherent, {0u, 0u}, 0u}).casts(3), "L L L");
  EXPECT_EQ(Host(kMany, {kCoherent, {0u, 0u}, 0u}).casts(6), "LC LC LC LC C C");
}

TEST(WarpPolicy, casts_in_groups_if_a_trial_says_so) {
  EXPECT_EQ(Host(kMany, {kOneOrigin, {100u, 50u}, 0u}).casts(6), "LTG LG LG LG G G");
  EXPECT_EQ(Host(kMany, {kOneOrigin, {100u, 96u}, 0u}).casts(6), "LTC LC LC LC C C");
  // With fewer rays, the trial is delayed until some casts of this kind have come.
  EXPECT_EQ(Host(kFew, {kOneOrigin, {100u, 50u}, 0u}).casts(7), "LC LC LC LC LTG G G");
  EXPECT_EQ(Host(kFew - 1u, {kOneOrigin, {100u, 1u}, 0u}).casts(6), "LC LC LC LC C C");
}

TEST(WarpPolicy, casts_in_no_groups_where_there_is_no_kernel_for_them) {
  Host host(kMany, {kOneOrigin, {100u, 50u}, 0u});
  host.for_groups = false;
  EXPECT_EQ(host.casts(6), "LC LC LC LC C C");
}

// A graph may be replayed with rays of other kinds.
TEST(WarpPolicy, always_looks_at_the_rays_of_a_graph) {
  Host host(kMany, {kOneOrigin, {100u, 50u}, 0u});
  host.casts(6);
  host.in_graph = true;
  host.waits = false;
  EXPECT_EQ(host.casts(3), "LG LG LG");
}

TEST(WarpPolicy, has_more_patience_with_groups_of_many_rays) {
  WarpPolicy policy(kTuning);
  const int tree = 0;
  policy.begin({&tree, kMany, true, true, true}, kNoReport);
  EXPECT_EQ(policy.groups().patience, 160);
  policy.begin({&tree, kFew, true, true, true}, kNoReport);
  EXPECT_EQ(policy.groups().patience, 50);
}

}  // namespace warp_policy_test
}  // namespace ballotcast::detail
