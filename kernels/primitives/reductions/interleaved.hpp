// Reduction interleaved: adds neighbouring values, then neighbouring sums, and so on. The distance
// between active lanes doubles in each step.
#pragma once

#include "kernels/primitives/reductions/reduction.hpp"

namespace ballotcast::detail {

/// Interleaved addressing with the % operator (M. Harris, Optimizing Parallel Reduction in CUDA,
/// 2007, kernel 1). All warps stay busy in the first steps, with fewer and fewer active lanes.
/// Cost: a barrier and a division per step. The picture shows which lanes add which values:
///
///   lane      0  1  2  3  4  5  6  7
///   step = 1  0<-1  2<-3  4<-5  6<-7
///   step = 2  0<----2     4<----6
///   step = 4  0<----------4
struct InterleavedTree {
  static constexpr PrimitiveInfo info{"interleaved", "tree over neighbours in shared memory"};
  static constexpr bool kStrided = false;
  using Shared = ValueOfEachLane;

  template <class Lane>
  BC_DEVICE static u32 sum(Lane& lane, Shared& shared, u32 value) {
    const u32 t = lane.thread();
    shared.values[t] = value;
    lane.sync_block();
    for (u32 step = 1; step < lane.block_size(); step *= 2u) {
      if (t % (2u * step) == 0u && t + step < lane.block_size())
        shared.values[t] += shared.values[t + step];
      lane.sync_block();
    }
    return shared.values[0];
  }
};

}  // namespace ballotcast::detail
