// Walks for points, by lanes that fetch points. Only for scenes without instances.
//
// The lengths of the walks differ a lot: of 32 points, one takes several times the steps of the
// mean, and even more triangles. So lanes whose point is done fetch another point, as for
// incoherent rays (pipelines/warp/fetching.hpp). In each turn, the lanes of a warp vote whether
// they take steps through nodes or test leaves.
#pragma once

#include "kernels/pipelines/machine.hpp"
#include "kernels/pipelines/warp/choice.hpp"
#include "kernels/queries/query.hpp"

namespace ballotcast::detail {

/// Base of the kernels. They run as many warps as the machine can hold at once.
struct WalksOfPoints {
  using Shared = u32*;
  // The fastest values on an H200. More blocks at once hide more latency, but leave fewer
  // registers.
  static constexpr u32 kBlockSize = 128;
  static constexpr u32 kBlocksAtOnce = 8;
};

/// Runs the walks of all points. All lanes of the grid must call this. `walk`, the state of this
/// lane, has:
///   begin(i)      begins the walk of point i
///   at()          the node or leaf where the walk is; kNowhere if it is done
///   step()        moves on from a node
///   test_leaf()   tests the triangles of a leaf and moves on
///   end(lane, i)  stores the result of point i
template <class Lane, class Walk>
BC_DEVICE void walk_points(Lane& lane, PointOrder order, u32 count, WarpChoice* choice,
                           Walk& walk) {
  constexpr u32 kFetchBelow = 8;  // points are fetched when at most so many lanes are busy
  constexpr u32 kStepsAVote = 4;  // steps through nodes between two votes
  constexpr u32 kNoPoint = 0xffffffffu;
  u32 own = kNoPoint;
  for (bool more = true;;) {
    if (own != kNoPoint && !is_somewhere(walk.at())) {
      walk.end(lane, own);
      own = kNoPoint;
    }
    const bool idle = own == kNoPoint;
    if (more) {
      const u32 wanted = lane.ballot(idle);
      u32 first = 0u;
      if (lane.lane() == 0u) first = lane.fetch_add(&choice->next, count_bits(wanted));
      first = lane.shuffle(first, 0u);
      const u32 next = first + count_bits(wanted & lane.lanes_below());
      more = first + count_bits(wanted) < count;
      if (idle && next < count) {
        own = order[next];
        walk.begin(own);
      }
    } else if (!lane.any(!idle)) {
      return;
    }
    for (const u32 least_busy = more ? kFetchBelow : 0u;;) {
      const u32 at_node = count_bits(lane.ballot(is_node(walk.at()))),
                at_leaf = count_bits(lane.ballot(is_leaf(walk.at())));
      if (at_node + at_leaf <= least_busy) break;
      if (at_node >= at_leaf) {
        for (u32 k = 0; k < kStepsAVote && is_node(walk.at()); ++k) walk.step();
      } else if (is_leaf(walk.at())) {
        walk.test_leaf();
      }
    }
  }
}

/// Calls launches(), which launches a kernel of WalksOfPoints and a kernel that resets the counters
/// of WarpChoice. If a launch fails, resets them, because later casts rely on it.
template <class Machine, class Launches>
void with_counters(Machine& machine, Launches launches) {
  try {
    launches();
  } catch (...) {
    try {
      machine.template each<FetchFromStart>("fetch from the start", 1u, machine.warp_choice());
    } catch (...) {  // the first error is thrown
    }
    throw;
  }
}

/// Launches a kernel of WalksOfPoints for `count` points.
template <class Kernel, class Machine, class... Views>
void launch_walks(Machine& machine, const char* description, u32 count, const Views&... views) {
  const u32 enough = blocks_for(count, Kernel::kBlockSize),
            held = machine.template blocks_at_once<Kernel, Views...>(0u);
  machine.template launch_with_words<Kernel>(description, enough < held ? enough : held, 0u,
                                             views...);
}

}  // namespace ballotcast::detail
