// A step of building that needs atomics, but no collectives, as a kernel.
#pragma once

#include "kernels/lane.hpp"

namespace ballotcast::detail {

/// Runs Step::item(lane, i, views...) for each i below `count`.
template <class Step>
struct LaneStep {
  static constexpr u32 kBlockSize = 256;
  struct Shared {};

  template <class Lane, class... Views>
  BC_DEVICE static void run(Lane& lane, Shared&, u32 count, Views... views) {
    if (lane.id() < count) Step::item(lane, lane.id(), views...);
  }
};

}  // namespace ballotcast::detail
