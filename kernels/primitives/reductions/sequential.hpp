// A tree that folds the upper half onto the lower.
#pragma once

#include "kernels/primitives/reductions/reduction.hpp"

namespace ballotcast::detail {

/// Sequential addressing (M. Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 3): the
/// lanes at work are neighbours, so warps go idle as a whole and no two lanes want one bank. An odd
/// value in the middle waits for the next step. Cost: a barrier a step.
struct SequentialTree {
  static constexpr PrimitiveInfo info{"sequential", "tree that folds halves in shared memory"};
  static constexpr bool kStrided = false;
  using Shared = ValueOfEachLane;

  template <class Lane>
  BC_DEVICE static u32 sum(Lane& lane, Shared& shared, u32 value) {
    const u32 t = lane.thread();
    shared.values[t] = value;
    lane.sync_block();
    for (u32 left = lane.block_size(); left > 1u;) {
      const u32 half = (left + 1u) / 2u;
      if (t < left / 2u) shared.values[t] += shared.values[t + half];
      lane.sync_block();
      left = half;
    }
    return shared.values[0];
  }
};

}  // namespace ballotcast::detail
