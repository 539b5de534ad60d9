// The table of reductions, and a reduction that is broken on purpose, to test the checks.
#pragma once

#include "kernels/primitives/reductions/interleaved.hpp"
#include "kernels/primitives/reductions/sequential.hpp"
#include "kernels/primitives/reductions/warp_sums.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using Reductions = TypeList<InterleavedTree, SequentialTree, ShuffleBlock, ReduxBlock,
                            StridedShuffle, StridedRedux>;

/// A reduction that is broken on purpose, to test that the checks find the error. Only tests may
/// use it. It is SequentialTree without the barriers between its steps. So a warp may read a sum
/// that another warp has not finished. The result is wrong whenever the warps of a block drift
/// apart.
struct RacyTree {
  static constexpr PrimitiveInfo info{"racy", "WRONG: the sequential tree without its barriers"};
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
      left = half;
    }
    return shared.values[0];
  }
};

using BrokenReductions = TypeList<RacyTree>;

}  // namespace ballotcast::detail
