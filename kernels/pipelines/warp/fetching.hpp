// The kernel of pipeline warp for incoherent rays: lanes that are done fetch new rays.
#pragma once

#include "kernels/pipelines/warp/choice.hpp"
#include "kernels/pipelines/warp/last_rays.hpp"

namespace ballotcast::detail {

/// Runs as many warps as the machine can hold at once. Their lanes vote on the next step
/// (LaneWalk). When few lanes are busy, the others fetch new rays (after T. Aila, S. Laine,
/// Understanding the Efficiency of Ray Traversal on GPUs, 2009).
///
///   lanes   N N L N . L N N    5 at nodes, 2 at leaves: the lanes at nodes take steps
///           L L L L . L N L    1 at a node, 6 at leaves: the lanes at leaves test them
///           . N . . . . N .    few lanes are busy: the others fetch rays          (8 lanes shown)
///
/// This is the first launch of a cast, unless earlier casts have reported that such rays are
/// coherent (policy.hpp). For any hits it is the only launch. For closest hits, it finds out
/// whether the rays are coherent, and whether they are rows of a picture. It casts incoherent rays,
/// and then a second kernel only resets the index of the next ray to fetch. Coherent rays are cast
/// by the second kernel (at_once.hpp or groups.hpp).
///
/// `kShares`: when no rays are left to fetch, and at most `fewest` lanes of a warp are busy, the
/// whole warp takes over their rays (last_rays.hpp).
template <class View, RayKind kKind, bool kPlain, bool kShares>
struct CastFetching {
  using Last = LastRays<View, kKind, kPlain, kShares>;
  using Walk = LaneWalk<View, kKind, kPlain>;
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  // The fastest values on an H200: see docs/results/rays-notes.md.
  static constexpr u32 kBlockSize = kWarpBlock;
  static constexpr u32 kBlocksAtOnce = kKind == RayKind::any ? 10 : 9;
  static constexpr u32 kFetchBelow = 10;  // rays are fetched when at most this many lanes are busy

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, View view, RayBatch<Layout> batch,
                            WarpChoice* choice, u32 fewest) {
    if constexpr (kKind == RayKind::closest) {
      const bool may_be_rows = look_for_rows(lane, batch.rays, batch.count, choice->rows);
      const u32 kind = kind_of<kBlockSize>(lane, batch.rays, batch.count);
      if (lane.id() == 0u)
        static_cast<WarpFindings&>(*choice) = {kind, {0u, 0u}, may_be_rows ? 1u : 0u};
      if (kind != kIncoherent) return;
    }
    assume_plain<kPlain>(view, batch);
    u32* const bottom = words + lane.thread();
    Walk walk(bottom);
    bool more = true;  // true while there are rays left to fetch
    while (more) {
      more = fetch(lane, walk, bottom, view, batch, choice);
      walk.template walk_by_votes<1u>(lane, more ? kFetchBelow : fewest, view, batch);
    }
    Last::cast(lane, walk, words + lane.warp() * kWarpSize, view, batch);
    walk.end(batch);
  }

 private:
  /// Gives new rays to lanes that are done. Returns false if no rays are left to fetch.
  template <class Lane>
  BC_DEVICE static bool fetch(Lane& lane, Walk& walk, u32* bottom, const View& view,
                              const RayBatch<Layout>& batch, WarpChoice* choice) {
    const bool idle = !walk.busy();
    if (idle) walk.end(batch);
    const u32 wanted = lane.ballot(idle);
    u32 first = 0u;
    if (lane.lane() == 0u) first = lane.fetch_add(&choice->next, count_bits(wanted));
    first = lane.shuffle(first, 0u);
    const u32 place = first + count_bits(wanted & lane.lanes_below());
    if (idle && place < batch.count) walk.begin(bottom, place, view, batch);
    return first + count_bits(wanted) < batch.count;
  }
};

}  // namespace ballotcast::detail
