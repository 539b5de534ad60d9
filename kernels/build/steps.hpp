// The steps of building a tree that a machine must offer besides launches: see build.hpp.
#pragma once

#include "kernels/build/grow_cells.hpp"
#include "kernels/build/rebuild_treelets.hpp"
#include "kernels/pipelines/machine.hpp"

namespace ballotcast::detail {

/// Makes a kernel of a step that needs atomics, but no collectives. The kernel runs
/// Step::item(lane, i, views...) for each i below `count`.
template <class Step>
struct LaneStep {
  static constexpr u32 kBlockSize = 256;
  struct Shared {};

  template <class Lane, class... Views>
  BC_DEVICE static void run(Lane& lane, Shared&, u32 count, Views... views) {
    if (lane.id() < count) Step::item(lane, lane.id(), views...);
  }
};

/// A Machine with three more functions, which builds need: each_lane, grow_cells and
/// rebuild_treelets of the list in bvh/host_build_machine.hpp.
template <class Machine>
class WithBuildSteps : public Machine {
 public:
  using Machine::Machine;

  template <class Step, class... Views>
  void each_lane(const char* description, u32 count, const Views&... views) {
    launch_for<LaneStep<Step>>(description, count, count, views...);
  }

  void grow_cells(const ploc::Elements& elements, ploc::Cell* cells) {
    using Grow = ploc::GrowCellsTogether;
    launch_for<Grow>("grow cells", Grow::lanes_for(elements.count), elements, cells);
  }

  void rebuild_treelets(const reinsertion::LooseTree& tree, u32 shift, const u8* begins) {
    launch_for<reinsertion::RebuildTreelets>("rebuild treelets", tree.pairs(), tree, shift, begins);
  }

 private:
  /// Launches at least `lanes` lanes.
  template <class Kernel, class... Views>
  void launch_for(const char* description, u32 lanes, const Views&... views) {
    if (lanes == 0) return;
    Machine::template launch<Kernel>(description, blocks_for(lanes, Kernel::kBlockSize),
                                     Kernel::kBlockSize, views...);
  }
};

}  // namespace ballotcast::detail
