// Pipeline warp: one kernel takes all rays from start to end; ballots of a warp decide when to test
// leaves, when to fetch rays, and when to stop. Which kernel it is, the rays decide: see cast.hpp.
#pragma once

#include "kernels/pipelines/pipeline.hpp"
#include "kernels/pipelines/warp/cast.hpp"

namespace ballotcast::detail {

struct Warp : RaysInOneGo {
  static constexpr PipelineInfo info{"warp", "one kernel; ballots of a warp decide what it does",
                                     false, 0};

  template <class Layout, class Strategy, class Machine>
  static CastCounts run(Machine& machine, const TraceView<Layout>& view,
                        const RayBatch<Layout>& batch, const CastPlan&) {
    const bool plain = !view.scene.has_cutouts && !batch.visits;
    if (batch.kind == RayKind::any)
      plain ? cast<Layout, RayKind::any, true>(machine, view, batch)
            : cast<Layout, RayKind::any, false>(machine, view, batch);
    else
      plain ? cast<Layout, RayKind::closest, true>(machine, view, batch)
            : cast<Layout, RayKind::closest, false>(machine, view, batch);
    return {batch.count, 1, 0};
  }

 private:
  /// Rays from which on coherent ones are many: there plain walks were 4 % faster than votes on an
  /// H200, below 2 % slower (tools/results).
  static constexpr u32 kMany = 6u << 20;

  template <class Layout, RayKind kKind, bool kPlain, class Machine>
  static void cast(Machine& machine, const TraceView<Layout>& view, const RayBatch<Layout>& batch) {
    WarpChoice* choice = machine.warp_choice();
    // A walk's stack holds the farther child of each node above, and where the walk ends.
    const u32 words = view.shape.depth + 1u;
    using Fetched = CastByWarp<Layout, kKind, Supply::fetched, kPlain>;
    const u32 enough = blocks_for(batch.count, Fetched::kBlockSize);
    const u32 held =
        machine.template blocks_at_once<Fetched, TraceView<Layout>, RayBatch<Layout>, WarpChoice*>(
            words);
    machine.template launch_with_words<Fetched>(
        "cast by warp, fetching", enough < held ? enough : held, words, view, batch, choice);
    // Where there are many rays, blocks that find themselves not chosen cost more than a host that
    // asks first (80 us against 10 of 16 Mi rays on an H200).
    const bool ask = kKind == RayKind::closest && batch.count >= kMany && machine.may_wait();
    if (kKind == RayKind::any || (ask && machine.read(choice).coherent == 0u))
      machine.template each<FetchFromStart>("fetch from the start", 1u, choice);
    else if (batch.count < kMany)
      cast_coherent<CastByWarp<Layout, kKind, Supply::few, kPlain>>(machine, view, batch, words);
    else
      cast_coherent<CastByWarp<Layout, kKind, Supply::many, kPlain>>(machine, view, batch, words);
  }

  template <class Kernel, class Layout, class Machine>
  static void cast_coherent(Machine& machine, const TraceView<Layout>& view,
                            const RayBatch<Layout>& batch, u32 words) {
    machine.template launch_with_words<Kernel>("cast by warp",
                                               blocks_for(batch.count, Kernel::kBlockSize), words,
                                               view, batch, machine.warp_choice());
  }
};

}  // namespace ballotcast::detail
