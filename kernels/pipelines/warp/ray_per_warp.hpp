// Casts of few rays: a whole warp walks with one ray.
//
// A small cast has far fewer rays than a GPU has room for lanes. It takes as long as its slowest
// ray, which waits for memory at every step. So the lanes of a warp share the steps of one ray
// (warp_walk.hpp).
#pragma once

#include "kernels/pipelines/warp/warp_walk.hpp"

namespace ballotcast::detail {

/// `View`: without cut-outs, and without leaf visits to count.
template <class View, RayKind kKind>
struct CastRayPerWarp {
  using Layout = typename View::LayoutType;
  using Walk = WarpWalk<View, kKind>;
  using Shared = u32*;
  static constexpr u32 kBlockSize = kWarpBlock;
  static constexpr u32 kBlocksAtOnce = 8;
  static constexpr u32 kRaysPerBlock = kBlockSize / kWarpSize;

  /// The words of shared memory per lane, for a tree of this depth.
  static u32 words(u32 depth) { return 2u * most_warp_rows(depth); }

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* shared, View view, RayBatch<Layout> batch, u32 words) {
    const u32 i = lane.id() / kWarpSize;
    if (i >= batch.count) return;
    forget_what_is_plain<true>(view, batch);
    const Ray given = batch.rays[i];
    const WalkFrame frame = view.frame(i);
    const RayToCast cast = ray_to_cast(view, i, frame, given);
    Hit best = miss_of(given);
    if (cast.setup.valid) {
      best = miss_of(cast.ray);
      WarpStack<kWarpSize> stack(shared + lane.warp() * kWarpSize * words, words / 2u);
      best = Walk::walk_from(lane, frame.shape.root, stack, view, frame, cast, best);
      best = given_hit(given, frame.magnitude, kKind, best);
    }
    if (lane.lane() == 0u) batch.hits[i] = best;
  }
};

}  // namespace ballotcast::detail
