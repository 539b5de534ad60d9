// Reduction sequential: a tree that adds the upper half of the values to the lower half.
#pragma once

#include "kernels/primitives/reductions/reduction.hpp"

namespace ballotcast::detail {

/// Sequential addressing (M. Harris, Optimizing Parallel Reduction in CUDA, 2007, kernel 3). The
/// active lanes are neighbours. So whole warps become idle, and there are no bank conflicts in
/// shared memory. If the number of values is odd, the middle value is added in a later step. Cost:
/// a barrier per step. `kBarriers` is false only for RacyTree. The picture shows which lanes add
/// which values:
///
///   lane      0  1  2  3  4  5  6  7
///   step 1    0<----------4                 and 1<-5, 2<-6, 3<-7
///   step 2    0<----2                       and 1<-3
///   step 3    0<-1
template <bool kBarriers>
struct TreeOfHalves {
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
      if constexpr (kBarriers) lane.sync_block();
      left = half;
    }
    return shared.values[0];
  }
};

struct SequentialTree : TreeOfHalves<true> {
  static constexpr PrimitiveInfo info{"sequential", "tree that folds halves in shared memory"};
};

/// A reduction that is broken on purpose, to test that the checks find the error. Only tests may
/// use it. Without the barriers, a warp may read a sum that another warp has not finished. The
/// result is wrong whenever the warps of a block drift apart.
struct RacyTree : TreeOfHalves<false> {
  static constexpr PrimitiveInfo info{"racy", "WRONG: the sequential tree without its barriers"};
};

}  // namespace ballotcast::detail
