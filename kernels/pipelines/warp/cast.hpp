// The kernels of pipeline warp: the lanes of a warp vote on the warp's next step.
#pragma once

#include "kernels/lane.hpp"
#include "kernels/pipelines/warp/choice.hpp"

namespace ballotcast::detail {

/// How the warps of a launch get their rays, and how they alternate between nodes and leaves.
enum class Supply {
  many,  // one ray per lane, no votes: for many coherent rays
  few,   // one ray per lane, with votes: for fewer coherent rays, where the slowest warps matter
  // For incoherent rays: as many warps as the machine can hold at once. They vote, and they fetch
  // new rays for lanes that are done.
  fetched,
};

/// Each lane is at a node or at a leaf of its ray's walk. Ballots count the lanes at nodes and the
/// lanes at leaves. The warp then does what most of them need: a few steps through nodes, or the
/// test of one leaf per lane (majority votes: after S. Frey, G. Reina, T. Ertl, SIMT
/// Microscheduling, 2011; fetching: T. Aila, S. Laine, 2009).
///
///   lanes   N N L N . L N N    5 at nodes, 2 at leaves: the lanes at nodes take steps
///           L L L L . L N L    1 at a node, 6 at leaves: the lanes at leaves test them
///           . N . . . . N .    few lanes are busy: the others fetch rays          (8 lanes shown)
///
/// The stacks are in the block's shared memory, one column per lane: word k of a lane's stack is
/// words[k * kBlockSize + thread].
///
/// A cast for closest hits makes two launches. The first is the fetching kernel. It tests whether
/// the rays are coherent, and casts them if they are not. If they are, the second kernel casts
/// them; otherwise it only resets the index of the next ray to fetch. A cast for any hits always
/// uses the fetching kernel.
///
/// `View`: a TraceView, a MovingTraceView or an InstancedView. `kPlain`: no surface in the scene is
/// cut out, and leaf visits are not counted.
template <class View, RayKind kKind, Supply kSupply, bool kPlain>
struct CastByWarp {
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  static constexpr bool kFetches = kSupply == Supply::fetched;
  static_assert(kFetches || kKind == RayKind::closest);
  // Best values on an H200; see tools/results.
  static constexpr u32 kBlockSize = 128;
  static constexpr u32 kBlocksAtOnce = kKind == RayKind::any ? 10 : kFetches ? 9 : 8;
  static constexpr u32 kStepsAVote = 4;
  static constexpr u32 kFetchBelow = 10;  // rays are fetched when at most this many lanes are busy

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, View view, RayBatch<Layout> batch,
                            WarpChoice* choice) {
    if constexpr (kFetches && kKind == RayKind::closest) {
      const bool coherent = are_coherent(lane, batch.rays, batch.count);
      if (lane.id() == 0u) choice->coherent = coherent ? 1u : 0u;
      if (coherent) return;
    }
    if constexpr (!kFetches) {
      if (choice->coherent == 0u) {
        if (lane.id() == 0u) choice->next = 0u;
        return;
      }
    }
    if constexpr (kPlain) {
      view.scene.has_cutouts = 0u;
      batch.visits = nullptr;
    }
    u32* const bottom = words + lane.thread();
    State s{};
    s.place = kNone;
    s.at = kNowhere;
    s.top = bottom;
    // The warp goes on voting while more than `fewest` lanes are busy. 0: no rays left to fetch.
    u32 fewest = kFetches ? kFetchBelow : 0u;
    if (!kFetches && lane.id() < batch.count) begin(s, bottom, lane.id(), view, batch);
    while (kSupply == Supply::many && is_somewhere(s.at)) {
      while (is_node(s.at)) step(s, view);
      if (is_leaf(s.at)) test(s, view, batch);
    }
    while (kSupply != Supply::many) {
      if (kFetches && fewest > 0u && !fetch(lane, s, bottom, view, batch, choice)) fewest = 0u;
      for (;;) {
        const u32 at_node = lane.ballot(is_node(s.at));
        const u32 at_leaf = lane.ballot(is_leaf(s.at));
        const u32 nodes = count_bits(at_node), leaves = count_bits(at_leaf);
        if (nodes + leaves <= fewest) break;
        // Coherent rays reach leaves at about the same time. So their leaves are tested as soon as
        // more than a third of the busy lanes are at one.
        const bool to_nodes = kFetches ? nodes >= leaves : nodes >= 2u * leaves;
        if constexpr (kKind == RayKind::any) {
          if (to_nodes)
            some_steps(s, view);
          else if (is_leaf(s.at))
            test(s, view, batch);
        } else {
          // After a leaf most lanes are at a node, so they step on without another vote.
          if (!to_nodes && is_leaf(s.at)) test(s, view, batch);
          some_steps(s, view);
        }
      }
      if (fewest == 0u) break;
    }
    end(s, batch);
  }

 private:
  static constexpr u32 kNone = 0xffffffffu;
  /// This bit of `place` marks a moved ray (geometry/far_origin.hpp). It is free, because batches
  /// have fewer than 2^31 rays.
  static constexpr u32 kMoved = 0x80000000u;

  struct State {
    Ray ray;
    RaySetup setup;
    typename Layout::Slabs slabs;
    decltype(Layout::limit_of(typename Layout::Slabs{}, 0.0f)) limit;
    Hit best;
    u32 place;  // index of the ray in the batch, with kMoved set if it was moved; or kNone
    u32 at;     // reference of a node or leaf, or kNowhere
    u32* top;   // top of the stack: the node or leaf that comes next
    u32 visits;
  };

  BC_DEVICE static void begin(State& s, u32* bottom, u32 place, const View& view,
                              const RayBatch<Layout>& batch) {
    s.place = place;
    s.ray = batch.rays[place];
    const WalkFrame frame = view.frame(place);
    // Not by ray_to_cast, because of what is noted for a far ray.
    if (is_far(s.ray, frame.magnitude)) {
      const MovedRay moved = moved_near(s.ray, frame.magnitude);
      batch.hits[place] = far_note(s.ray.t_max, moved.shift);
      s.place |= kMoved;
      s.ray = moved.ray;
    }
    s.setup = make_setup(s.ray, frame.magnitude);
    view.adapt(place, s.ray, s.setup);
    s.slabs = Layout::slabs_of(s.setup, s.ray, frame.shape);
    s.best = miss_of(s.ray);
    s.limit = Layout::limit_of(s.slabs, s.best.t);
    s.visits = 0u;
    s.top = bottom;
    *bottom = kNowhere;
    s.at = s.setup.valid ? frame.shape.root : kNowhere;
  }

  /// Stores the result of the lane's ray, if the lane has a ray whose result is not stored yet.
  BC_DEVICE static void end(State& s, const RayBatch<Layout>& batch) {
    if (s.place == kNone) return;
    // With RayKind::any a hit is stored as soon as it is found. A ray that gets here has none.
    store(s, kKind == RayKind::any ? miss_of(s.ray) : s.best, batch);
  }

  BC_DEVICE static void store(State& s, const Hit& hit, const RayBatch<Layout>& batch) {
    if ((s.place & kMoved) == 0u) {
      batch.hits[s.place] = hit;
    } else {
      s.place &= ~kMoved;
      Hit& to = batch.hits[s.place];
      to = {kKind == RayKind::any ? to.t : noted_t(to, hit), hit.triangle, hit.u, hit.v};
    }
    if (batch.visits) batch.visits[s.place] = s.visits;
    s.place = kNone;
  }

  /// Gives new rays to lanes that are done. Returns false if no rays are left to fetch.
  template <class Lane>
  BC_DEVICE static bool fetch(Lane& lane, State& s, u32* bottom, const View& view,
                              const RayBatch<Layout>& batch, WarpChoice* choice) {
    const bool idle = !is_somewhere(s.at);
    if (idle) end(s, batch);
    const u32 wanted = lane.ballot(idle);
    u32 first = 0u;
    if (lane.lane() == 0u) first = lane.fetch_add(&choice->next, count_bits(wanted));
    first = lane.shuffle(first, 0u);
    const u32 place = first + count_bits(wanted & lane.lanes_below());
    if (idle && place < batch.count) begin(s, bottom, place, view, batch);
    return first + count_bits(wanted) < batch.count;
  }

  BC_DEVICE static void step(State& s, const View& view) {
    const ChildOrder order = Layout::cross(view.nodes, s.at, s.slabs, s.limit);
    if (order.both) {
      s.top += kBlockSize;
      *s.top = order.farther;
    }
    s.at = order.nearer;
    if (!order.any) pop(s);
  }

  BC_DEVICE static void some_steps(State& s, const View& view) {
    BC_UNROLL
    for (u32 k = 0; k < kStepsAVote; ++k) {
      if (!is_node(s.at)) break;
      step(s, view);
    }
  }

  BC_DEVICE static void pop(State& s) {
    s.at = *s.top;
    s.top -= kBlockSize;
  }

  BC_DEVICE static void test(State& s, const View& view, const RayBatch<Layout>& batch) {
    if constexpr (!kPlain) ++s.visits;
    if constexpr (kKind == RayKind::any) {
      Hit hit = miss_of(s.ray);
      intersect_leaf(view, s.setup, s.ray, s.at, kKind, hit);
      if (hit.found()) {
        store(s, answer_of(s.ray, true), batch);
        s.at = kNowhere;
      } else {
        pop(s);
      }
    } else {
      intersect_leaf(view, s.setup, s.ray, s.at, kKind, s.best);
      s.limit = Layout::limit_of(s.slabs, s.best.t);
      pop(s);
    }
  }
};

}  // namespace ballotcast::detail
