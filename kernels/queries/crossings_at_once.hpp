// Finds all crossings of rays that have few crossings, in a single walk. In each turn, the lanes of
// a warp vote whether they take steps through nodes or test leaves, as in LaneWalk.
//
// No crossing ends the walk of a ray, so leaves may come in any order, and each crossing is
// inserted into a sorted list. A triangle may be in several leaves: a crossing that is in the list
// already is ignored. Rays with more crossings than the list can hold are left to crossings.hpp.
#pragma once

#include "kernels/pipelines/machine.hpp"
#include "kernels/pipelines/warp/lane_walk.hpp"
#include "kernels/queries/crossings.hpp"

namespace ballotcast::detail {

/// A lane's walk to all leaves that a ray meets between its t_min and t_max.
template <class View>
class CrossingWalk {
 public:
  using Layout = typename View::LayoutType;

  /// Begins a walk of ray i of a batch. `bottom`: the lowest word of the lane's stack. Stacks lie
  /// in memory as those of LaneWalk do: one column per lane.
  BC_DEVICE CrossingWalk(u32* bottom, const View& view, u32 i, const Ray& given)
      : CrossingWalk(bottom, i, view.frame(i), ray_to_cast(view, i, view.frame(i), given)) {}

  /// Calls take(hit) for each crossing with t in (t_min, t_max]. If a triangle is in several
  /// leaves, calls `take` several times with the same hit. `take` returns false to end the walk.
  /// All lanes of the warp must call this.
  template <class Lane, class Take>
  BC_DEVICE void walk(Lane& lane, const View& view, Take take) {
    constexpr u32 kStepsAVote = 4;
    for (;;) {
      const u32 at_node = lane.ballot(is_node(at_)), at_leaf = lane.ballot(is_leaf(at_));
      if ((at_node | at_leaf) == 0u) return;
      if (count_bits(at_node) >= count_bits(at_leaf)) {
        for (u32 k = 0; k < kStepsAVote && is_node(at_); ++k) step(view);
      } else if (is_leaf(at_)) {
        test(view, take);
      }
    }
  }

 private:
  BC_DEVICE CrossingWalk(u32* bottom, u32 i, const WalkFrame& frame, const RayToCast& cast)
      : ray_(cast.ray),
        setup_(cast.setup),
        slabs_(Layout::slabs_of(setup_, ray_, frame.shape)),
        i_(i),
        at_(setup_.valid ? frame.shape.root : kNowhere),
        top_(bottom) {
    *bottom = kNowhere;
  }

  BC_DEVICE void step(const View& view) {
    const ChildOrder order =
        Layout::cross(view.nodes, at_, slabs_, Layout::limit_of(slabs_, ray_.t_max));
    if (order.both) {
      top_ += kWarpBlock;
      *top_ = order.farther;
    }
    at_ = order.nearer;
    if (!order.any) pop();
  }

  BC_DEVICE void pop() {
    at_ = *top_;
    top_ -= kWarpBlock;
  }

  template <class Take>
  BC_DEVICE void test(const View& view, Take take) {
    bool goes_on = true;
    cross_leaf(view, i_, setup_, ray_, at_, ray_.t_min, ray_.t_max, [&](const Hit& hit) {
      if (goes_on && hit.t > ray_.t_min) goes_on = take(hit);
    });
    pop();
    if (!goes_on) at_ = kNowhere;
  }

  const Ray ray_;
  const RaySetup setup_;
  const typename Layout::Slabs slabs_;
  const u32 i_;  // index of the ray
  u32 at_;       // reference of a node or leaf, or kNowhere
  u32* top_;     // top of the stack: the node or leaf that comes next
};

/// Base of the kernels that use one lane per ray.
struct OneWalkPerRay {
  using Shared = u32*;
  static constexpr u32 kBlockSize = kWarpBlock;
  static constexpr u32 kBlocksAtOnce = 8;
};

/// Calls visit(id) for a triangle and for each of its copies, except for triangle `skip`.
template <class Visit>
BC_HD inline void for_each_copy(u32 triangle, const CopiesView& copies, u32 skip, Visit visit) {
  if (triangle != skip) visit(triangle);
  if (!copies.starts) return;
  for (u32 k = copies.starts[triangle], end = copies.starts[triangle + 1u]; k < end; ++k)
    if (copies.ids[k] != skip) visit(copies.ids[k]);
}

/// Writes the number of crossings of each ray, or kNotCounted if it crosses more than
/// kCrossingsAtOnce triangles of the tree.
template <class View>
struct CountFewCrossings : OneWalkPerRay {
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, View view, const Ray* rays, u32 ray_count,
                            u32* counts) {
    const bool asks = lane.id() < ray_count;
    const u32 i = asks ? lane.id() : 0u;
    CrossingWalk<View> walk(words + lane.thread(), view, i, asks ? rays[i] : idle_ray());
    const u32 skip = view.filter.skip_of(i);
    const CopiesView copies = copies_in(view);
    u32 crossed[kCrossingsAtOnce], known = 0, count = 0;
    // A ray crosses a triangle once, but a shape several times.
    Hit shapes[View::kHasShapes ? kCrossingsAtOnce : 1u];
    walk.walk(lane, view, [&](const Hit& hit) {
      for (u32 k = 0; k < known; ++k)
        if (crossed[k] == hit.triangle &&
            (!View::kHasShapes ||
             (shapes[k].t == hit.t && shapes[k].u == hit.u && shapes[k].v == hit.v)))
          return true;
      if (known == kCrossingsAtOnce) {
        count = kNotCounted;
        return false;
      }
      if constexpr (View::kHasShapes) shapes[known] = hit;
      crossed[known++] = hit.triangle;
      for_each_copy(hit.triangle, copies, skip, [&](u32) { ++count; });
      return true;
    });
    if (asks) counts[i] = count;
  }
};

/// Writes the crossings of each ray that has at most kCrossingsAtOnce of them, in order. The
/// crossings of ray i become the hits from starts[i] up to starts[i + 1].
template <class View>
struct StoreFewCrossings : OneWalkPerRay {
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32* words, View view, const Ray* rays, u32 ray_count,
                            const u64* starts, Hit* hits) {
    const u32 i = lane.id() < ray_count ? lane.id() : 0u;
    const u64 wanted = lane.id() < ray_count ? starts[i + 1u] - starts[i] : 0u;
    const bool asks = wanted > 0u && wanted <= kCrossingsAtOnce;
    CrossingWalk<View> walk(words + lane.thread(), view, i, asks ? rays[i] : idle_ray());
    const u32 skip = view.filter.skip_of(i);
    const CopiesView copies = copies_in(view);
    Hit* const first = hits + starts[i];
    u32 count = 0;
    walk.walk(lane, view, [&](const Hit& hit) {
      for_each_copy(hit.triangle, copies, skip, [&](u32 id) {
        insert_crossing({hit.t, id, hit.u, hit.v}, first, count, static_cast<u32>(wanted));
      });
      return true;
    });
    if (!asks) return;
    const WalkFrame frame = view.frame(i);
    for (u32 k = 0; k < count; ++k) give_back_if_far(rays[i], frame.magnitude, first[k]);
  }
};

/// Counts the crossings of each ray, in the fastest way that the machine supports.
template <class Machine, class View>
void count_crossings(Machine& machine, const View& view, const Ray* rays, u32 ray_count,
                     u32* counts) {
  if constexpr (Machine::kHasLanes) {
    using Few = CountFewCrossings<View>;
    machine.template launch_with_words<Few>(
        "count crossings", blocks_for(ray_count, Few::kBlockSize), stack_words(view.shape.depth),
        view, rays, ray_count, counts);
  }
  machine.template each<CountCrossings>(
      "count many crossings", ray_count, view, rays, counts,
      Machine::kHasLanes ? CountWhich::not_counted : CountWhich::all_rays);
}

/// Stores the crossings of each ray. `starts`: the prefix sums of the counts.
template <class Machine, class View>
void store_crossings(Machine& machine, const View& view, const Ray* rays, u32 ray_count,
                     const u64* starts, Hit* hits) {
  if constexpr (Machine::kHasLanes) {
    using Few = StoreFewCrossings<View>;
    machine.template launch_with_words<Few>(
        "store crossings", blocks_for(ray_count, Few::kBlockSize), stack_words(view.shape.depth),
        view, rays, ray_count, starts, hits);
  }
  machine.template each<StoreCrossings>("store many crossings", ray_count, view, rays, starts, hits,
                                        Machine::kHasLanes ? kCrossingsAtOnce + 1u : 1u);
}

}  // namespace ballotcast::detail
