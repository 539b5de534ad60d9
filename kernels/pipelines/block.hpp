// Pipeline block: one kernel casts each ray from start to end. In each turn, every lane walks to
// its next leaf and tests its triangles. The loop ends when a vote of the block finds that no lane
// has reached a leaf.
#pragma once

#include "kernels/pipelines/pipeline.hpp"

namespace ballotcast::detail {

/// Each lane casts one ray from start to end. The state of its walk stays in registers.
template <class View>
struct CastByBlock {
  using Layout = typename View::LayoutType;
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, View view, RayBatch<Layout> batch) {
    const u32 i = lane.id();
    const bool exists = i < batch.count;
    const Ray given = exists ? batch.rays[i] : idle_ray();
    const u32 frame_of = exists ? i : 0u;
    const WalkFrame frame = view.frame(frame_of);
    const RayToCast cast = ray_to_cast(view, frame_of, frame, given);
    const auto slabs = Layout::slabs_of(cast.setup, cast.ray, frame.shape);
    Hit best = miss_of(cast.ray);
    auto walk = Layout::start();
    bool alive = cast.setup.valid;
    u32 visits = 0;
    for (;;) {
      alive = alive && Layout::advance(view.nodes, frame.shape, slabs,
                                       Layout::limit_of(slabs, best.t), walk);
      if (!lane.block_or(alive)) break;
      if (!alive) continue;
      intersect_leaf(view, i, cast.setup, cast.ray, Layout::leaf(view.nodes, frame.shape, walk),
                     batch.kind, best);
      ++visits;
      alive = !(batch.kind == RayKind::any && best.found());
    }
    if (!exists) return;
    if (batch.visits) batch.visits[i] = visits;
    if (batch.kind == RayKind::any) best = answer_of(given, best.found());
    batch.hits[i] = best;
    if (cast.moved && batch.kind == RayKind::closest)
      give_back(batch.rays[i], frame.magnitude, batch.hits[i]);
  }
};

struct Block : RaysInOneGo {
  static constexpr PipelineInfo info{"block", "one kernel; a vote of each block ends its loop",
                                     false, 0};

  template <class Layout, class Strategy, class Machine, class View>
  static CastCounts run(Machine& machine, const View& view, const RayBatch<Layout>& batch,
                        const CastPlan& plan) {
    machine.template launch<CastByBlock<View>>(
        "cast by block", blocks_for(batch.count, plan.block_size), plan.block_size, view, batch);
    return {batch.count, 1, 0};
  }
};

}  // namespace ballotcast::detail
