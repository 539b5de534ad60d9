// Pipeline warp: one kernel casts each ray from start to end. Ballots of a warp decide when it
// tests leaves, when it fetches rays, and when it stops. There are different kernels for incoherent
// rays (fetching.hpp), for coherent rays (coherent.hpp), for many rays from one point (groups.hpp),
// and for casts that need only part of the machine (at_once.hpp and, for few rays,
// ray_per_warp.hpp).
#pragma once

#include "kernels/pipelines/pipeline.hpp"
#include "kernels/pipelines/warp/at_once.hpp"
#include "kernels/pipelines/warp/fetching.hpp"
#include "kernels/pipelines/warp/groups.hpp"
#include "kernels/pipelines/warp/past_casts.hpp"
#include "kernels/pipelines/warp/ray_per_warp.hpp"

namespace ballotcast::detail {

struct Warp : RaysInOneGo {
  static constexpr PipelineInfo info{"warp", "one kernel; ballots of a warp decide what it does",
                                     false, 0};

  /// `View`: a TraceView, a MovingTraceView or an InstancedView.
  template <class Layout, class Strategy, class Machine, class View>
  static CastCounts run(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                        const CastPlan&) {
    const bool plain = !view.scene.has_cutouts && !batch.visits;
    if (batch.kind == RayKind::any)
      plain ? cast<RayKind::any, true>(machine, view, batch)
            : cast<RayKind::any, false>(machine, view, batch);
    else
      plain ? cast<RayKind::closest, true>(machine, view, batch)
            : cast<RayKind::closest, false>(machine, view, batch);
    return {batch.count, 1, 0};
  }

 private:
  /// From this number of rays on the host reads what kind of rays they are, and launches no kernel
  /// in vain. Reading takes less time than a grid whose blocks all return at once (10 us against 80
  /// us for 16 Mi rays on an H200).
  static constexpr u32 kWorthReading = 6u << 20;
  /// From this number of rays on, a cast for any hits loses more by the register that sharing takes
  /// (last_rays.hpp) than it gains at its end.
  static constexpr u32 kTooManyToShare = 4u << 20;
  /// A ray per warp is faster than a ray per lane up to so many times the warps that the machine
  /// holds at once.
  static constexpr u32 kRoundsOfWarps = 3;

  template <RayKind kKind, bool kPlain, class Machine, class View, class Layout>
  static void cast(Machine& machine, const View& view, const RayBatch<Layout>& batch) {
    const u32 words = stack_words(view.shape.depth);
    if (cast_few<kKind, kPlain>(machine, view, batch, words)) return;
    constexpr bool kShares = kMayShare<View, kPlain>;
    if constexpr (kKind == RayKind::closest) {
      cast_closest<kPlain>(machine, view, batch, words);
    } else {
      if (batch.count >= kTooManyToShare)
        launch_fetching<CastFetching<View, kKind, kPlain, false>>(machine, view, batch, words);
      else
        launch_fetching<CastFetching<View, kKind, kPlain, kShares>>(machine, view, batch, words);
      fetch_from_start(machine);
    }
  }

  /// The kernel that casts what CastFetching has not cast. `none`: it casts all rays.
  enum class Second { coherent, groups, none };

  template <bool kPlain, class Machine, class View, class Layout>
  static void cast_closest(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                           u32 words) {
    const bool for_groups = kPlain && View::kForGroups && batch.count >= GroupTrial::kFewest;
    PastCasts& past = machine.past_casts();
    const u32 told = machine.take_told();
    past.rays.begin_cast(batch.count, told);
    if (for_groups) past.trial.begin_cast(view.nodes, batch.count, told);
    // A graph may cast rays of other kinds later. A trial wants to know the rays of this cast.
    const bool alone =
        machine.may_ask() && past.rays.are_coherent() && !(for_groups && past.trial.is_due());
    Second second = Second::coherent;
    if (!alone) {
      using Fetching = CastFetching<View, RayKind::closest, kPlain, kMayShare<View, kPlain>>;
      launch_fetching<Fetching>(machine, view, batch, words);
      second = second_for<kPlain>(machine, view, batch, for_groups);
    } else if (for_groups && past.trial.groups_pay(true) && past.rays.have_one_origin()) {
      second = Second::groups;
    }
    switch (second) {
      case Second::coherent: {
        using Coherent = CastCoherent<View, RayKind::closest, kPlain>;
        return machine.template launch_with_words<Coherent>(
            "cast by warp", blocks_for(batch.count, Coherent::kBlockSize), words, view, batch,
            machine.warp_choice(), alone);
      }
      case Second::groups:
        if constexpr (kPlain && View::kForGroups) cast_groups(machine, view, batch, 0u, alone);
        return;
      case Second::none:
        return fetch_from_start(machine);
    }
  }

  template <class Machine>
  static void fetch_from_start(Machine& machine) {
    machine.template each<FetchFromStart>("fetch from the start", 1u, machine.warp_choice());
  }

  template <class Fetching, class Machine, class View, class Layout>
  static void launch_fetching(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                              u32 words) {
    const u32 enough = blocks_for(batch.count, Fetching::kBlockSize);
    const u32 held =
        machine.template blocks_at_once<Fetching, View, RayBatch<Layout>, WarpChoice*, u32>(words);
    machine.template launch_with_words<Fetching>(
        "cast by warp, fetching", enough < held ? enough : held, words, view, batch,
        machine.warp_choice(), Fetching::Last::fewest(view.shape.depth));
  }

  /// Casts few rays by one kernel, if the machine has room for all of them at once. Else returns
  /// false. So a small cast costs one launch, and nobody finds out what kind of rays it has.
  template <RayKind kKind, bool kPlain, class Machine, class View, class Layout>
  static bool cast_few(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                       u32 words) {
    if constexpr (kPlain && View::kForGroups) {
      using Kernel = CastRayPerWarp<View, kKind>;
      const u32 its_words = Kernel::words(view.shape.depth);
      const u32 held =
          machine.template blocks_at_once<Kernel, View, RayBatch<Layout>, u32>(its_words);
      const u32 blocks = blocks_for(batch.count, Kernel::kRaysPerBlock);
      if (blocks <= kRoundsOfWarps * held) {
        machine.template launch_with_words<Kernel>("cast by warp, a ray per warp", blocks,
                                                   its_words, view, batch, its_words);
        return true;
      }
    }
    using Kernel = CastAtOnce<View, kKind, kPlain>;
    const u32 held = machine.template blocks_at_once<Kernel, View, RayBatch<Layout>, u32>(words);
    const u32 blocks = blocks_for(batch.count, Kernel::kBlockSize);
    if (blocks > held) return false;
    machine.template launch_with_words<Kernel>("cast by warp, at once", blocks, words, view, batch,
                                               Kernel::Last::fewest(view.shape.depth));
    return true;
  }

  /// Decides after CastFetching is launched. `for_groups`: whether groups may be faster.
  template <bool kPlain, class Machine, class View, class Layout>
  static Second second_for(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                           bool for_groups) {
    PastCasts& past = machine.past_casts();
    GroupTrial& trial = past.trial;
    const bool reads = machine.may_wait() && batch.count >= kWorthReading;
    bool groups_pay = false;
    if constexpr (kPlain && View::kForGroups)
      if (for_groups) {
        if (!reads) trial.check(past.rays.last_told());
        if (machine.may_ask()) go_on_with(trial, machine, view, batch);
        groups_pay = trial.groups_pay(machine.may_ask());
      }
    if (reads) {
      machine.ask(machine.warp_choice());
      const WarpFindings& found = *machine.answer();
      trial.look_at(found);
      if (found.kind == kIncoherent) return Second::none;
      groups_pay = groups_pay && found.kind == kOneOrigin;
    }
    return groups_pay ? Second::groups : Second::coherent;
  }

  /// Takes the steps of the trial that are due. If the host must not wait, what it asks for at one
  /// cast is there at a later one.
  template <class Machine, class View, class Layout>
  static void go_on_with(GroupTrial& trial, Machine& machine, const View& view,
                         const RayBatch<Layout>& batch) {
    using Step = GroupTrial::Step;
    for (Step step; (step = trial.next_step(machine.answer())) != Step::none;) {
      if (step == Step::try_and_ask)
        cast_groups(machine, view, batch, batch.count / kGroupRays / kTrialGroups, false);
      machine.ask(machine.warp_choice());
    }
  }

  /// `stride`, `alone`: see GroupPlan.
  template <class Machine, class View, class Layout>
  static void cast_groups(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                          u32 stride, bool alone) {
    const GroupPlan plan{stride, CastGroups<View, false, false>::patience(batch.count), alone,
                         stride > 0u ? LongFirst{} : long_first(machine, batch.count)};
    const bool rows = machine.past_casts().trial.may_be_rows();
    if (plan.long_first.ticks > 0u)
      rows ? cast_groups<CastGroups<View, true, true>>(machine, view, batch, plan)
           : cast_groups<CastGroups<View, false, true>>(machine, view, batch, plan);
    else
      rows ? cast_groups<CastGroups<View, true, false>>(machine, view, batch, plan)
           : cast_groups<CastGroups<View, false, false>>(machine, view, batch, plan);
  }
  static u32 groups_of(u32 rays) { return blocks_for(rays, kGroupRays); }

  /// A graph has no lists: when it casts, they may be those of other rays.
  template <class Machine>
  static LongFirst long_first(Machine& machine, u32 rays) {
    GroupTrial& trial = machine.past_casts().trial;
    LongLists& lists = trial.long_lists();
    if (!machine.may_ask() || !lists.are_used() || rays >= kManyForGroups) return {};
    if (lists.are_new())
      machine.template each<EmptyLists>("empty lists", LongGroups::kWords, machine.warp_choice());
    return lists.next(trial.long_ticks(), groups_of(rays));
  }

  template <class Kernel, class Machine, class View, class Layout>
  static void cast_groups(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                          const GroupPlan& plan) {
    const u32 groups = plan.stride > 0u ? kTrialGroups : groups_of(batch.count);
    const u32 warps = groups + plan.long_first.warps();
    machine.template launch_with_words<Kernel>(
        plan.stride > 0u ? "cast by warp, trial of groups" : "cast by warp, in groups",
        blocks_for(warps * kWarpSize, Kernel::kBlockSize), Kernel::kWords, view, batch,
        machine.warp_choice(), plan);
  }
};

}  // namespace ballotcast::detail
