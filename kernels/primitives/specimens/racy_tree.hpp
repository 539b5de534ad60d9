// A specimen of what goes wrong, for tests of the tests: nothing else may use it.
#pragma once

#include "kernels/primitives/reductions/reduction.hpp"

namespace ballotcast::detail {

/// SequentialTree without the barriers between its steps: a warp reads what another has not added
/// up yet. Wrong whenever warps of a block drift apart.
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

}  // namespace ballotcast::detail
