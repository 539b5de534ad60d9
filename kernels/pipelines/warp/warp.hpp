// Pipeline warp: one kernel casts each ray from start to end. In each warp, ballots decide when the
// warp tests leaves, fetches rays, and stops. There are different kernels for incoherent rays
// (fetching.hpp), for coherent rays (at_once.hpp), for many rays from one point (groups.hpp), and
// for casts that need only part of the machine (at_once.hpp and, for few rays, warp_walk.hpp). This
// file launches them; policy.hpp decides which.
#pragma once

#include "kernels/pipelines/pipeline.hpp"
#include "kernels/pipelines/warp/at_once.hpp"
#include "kernels/pipelines/warp/fetching.hpp"
#include "kernels/pipelines/warp/groups.hpp"
#include "kernels/pipelines/warp/policy.hpp"
#include "kernels/pipelines/warp/warp_walk.hpp"

namespace ballotcast::detail {

struct Warp : RaysInOneGo {
  static constexpr PipelineInfo info{"warp", "one kernel; ballots of a warp decide what it does",
                                     false, 0};

  /// `View`: a TraceView, a MovingTraceView or an InstancedView.
  template <class Layout, class Strategy, class Machine, class View>
  static CastCounts run(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                        const CastPlan&) {
    const bool plain = !view.may_refuse && !batch.visits;
    if (batch.kind == RayKind::any)
      plain ? cast<RayKind::any, true>(machine, view, batch)
            : cast<RayKind::any, false>(machine, view, batch);
    else
      plain ? cast<RayKind::closest, true>(machine, view, batch)
            : cast<RayKind::closest, false>(machine, view, batch);
    return {batch.count, 1, 0};
  }

 private:
  template <RayKind kKind, bool kPlain, class Machine, class View, class Layout>
  static void cast(Machine& machine, const View& view, const RayBatch<Layout>& batch) {
    const u32 words = words_for(view);
    if (cast_few<kKind, kPlain>(machine, view, batch, words)) return;
    constexpr bool kShares = kMayShare<View, kPlain>;
    if constexpr (kKind == RayKind::closest) {
      cast_closest<kPlain>(machine, view, batch, words);
    } else {
      if (batch.count >= machine.warp_policy().tuning().too_many_to_share)
        launch_fetching<CastFetching<View, kKind, kPlain, false>>(machine, view, batch, words);
      else
        launch_fetching<CastFetching<View, kKind, kPlain, kShares>>(machine, view, batch, words);
      fetch_from_start(machine);
    }
  }

  template <bool kPlain, class Machine, class View, class Layout>
  static void cast_closest(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                           u32 words) {
    using Second = WarpPolicy::Second;
    constexpr bool kForGroups = kPlain && View::kForGroups;
    WarpPolicy& policy = machine.warp_policy();
    // A variable, because nvcc 13 miscompiles a braced list behind a "!".
    const WarpPolicy::Cast this_cast{view.nodes, batch.count, kForGroups, machine.may_ask(),
                                     machine.may_wait()};
    const bool alone = !policy.begin(this_cast, machine.take_report());
    if (!alone) {
      using Fetching = CastFetching<View, RayKind::closest, kPlain, kMayShare<View, kPlain>>;
      launch_fetching<Fetching>(machine, view, batch, words);
      if constexpr (kForGroups) try_groups(machine, view, batch);
      if (policy.reads()) {
        machine.ask(machine.warp_choice());
        policy.read(*machine.answer());
      }
    }
    switch (policy.second()) {
      case Second::coherent: {
        using Coherent = CastCoherent<View, RayKind::closest, kPlain>;
        return machine.template launch_with_words<Coherent>(
            "cast by warp", blocks_for(batch.count, Coherent::kBlockSize), words, view, batch,
            machine.warp_choice(), alone);
      }
      case Second::groups:
        if constexpr (kForGroups) cast_groups(machine, view, batch, 0u, alone);
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

  /// Casts the rays with one kernel if the machine can run all of them at once; else returns false.
  /// So a small cast costs one launch, and needs not know the kind of its rays.
  template <RayKind kKind, bool kPlain, class Machine, class View, class Layout>
  static bool cast_few(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                       u32 words) {
    if constexpr (kPlain && View::kForGroups) {
      using Kernel = CastRayPerWarp<View, kKind>;
      const u32 its_words = Kernel::words(view.shape.depth);
      const u32 held =
          machine.template blocks_at_once<Kernel, View, RayBatch<Layout>, u32>(its_words);
      const u32 blocks = blocks_for(batch.count, Kernel::kRaysPerBlock);
      if (blocks <= machine.warp_policy().tuning().rounds_of_warps * held) {
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

  /// Does the steps of the trial of groups that are due.
  template <class Machine, class View, class Layout>
  static void try_groups(Machine& machine, const View& view, const RayBatch<Layout>& batch) {
    using Step = GroupTrial::Step;
    WarpPolicy& policy = machine.warp_policy();
    for (Step step; (step = policy.next_step(machine.answer())) != Step::none;) {
      if (step == Step::try_and_ask)
        cast_groups(machine, view, batch, batch.count / kGroupRays / kTrialGroups, false);
      machine.ask(machine.warp_choice());
    }
  }

  /// Launches CastGroups: as a trial of every stride-th group, or with `stride` 0 for all groups.
  /// `alone`: no earlier kernel has looked at the rays.
  template <class Machine, class View, class Layout>
  static void cast_groups(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                          u32 stride, bool alone) {
    const WarpPolicy& policy = machine.warp_policy();
    const GroupPlan plan{stride, policy.groups().patience, alone};
    const bool shares = policy.groups().shares && stride == 0u;
    policy.may_be_rows() ? cast_groups<true>(machine, view, batch, plan, shares)
                         : cast_groups<false>(machine, view, batch, plan, shares);
  }

  template <bool kRows, class Machine, class View, class Layout>
  static void cast_groups(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                          const GroupPlan& plan, bool shares) {
    shares ? launch_groups<CastGroups<View, kRows, true>>(machine, view, batch, plan)
           : launch_groups<CastGroups<View, kRows, false>>(machine, view, batch, plan);
  }

  template <class Kernel, class Machine, class View, class Layout>
  static void launch_groups(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                            const GroupPlan& plan) {
    const u32 warps = plan.stride > 0u ? kTrialGroups : blocks_for(batch.count, kGroupRays);
    machine.template launch_with_words<Kernel>(
        plan.stride > 0u ? "cast by warp, trial of groups" : "cast by warp, in groups",
        blocks_for(warps * kWarpSize, Kernel::kBlockSize), Kernel::kWords, view, batch,
        machine.warp_choice(), plan);
  }
};

}  // namespace ballotcast::detail
