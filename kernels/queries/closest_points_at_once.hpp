// Finds closest points in scenes without instances, by lanes that fetch points.
//
// The lengths of the walks differ a lot: of 32 points, one takes five times the steps of the mean,
// and ten times the triangles. So lanes whose point is done fetch another point, as for incoherent
// rays (pipelines/warp/fetching.hpp).
//
// Doubles would take half of the registers. So this walk uses floats only. For each point, it
// stores the triangles that may be the closest in the memory of the point's result: four words have
// room for four triangles. A second kernel computes their distances in doubles. If more than four
// triangles may be the closest, this kernel walks again, with the search radius that is then known.
// It also does the walks for points far away, which need doubles.
#pragma once

#include "kernels/pipelines/machine.hpp"
#include "kernels/pipelines/warp/choice.hpp"
#include "kernels/queries/closest_point.hpp"
#include "kernels/queries/query.hpp"

namespace ballotcast::detail {

/// The triangles that the walk stores for a point. They stand in the memory of its result.
struct NotedPoint {
  static constexpr u32 kMost = 4, kNone = 0xffffffffu, kTooMany = 0xfffffffeu;
  u32 place[kMost] = {kNone, kNone, kNone, kNone};

  /// The same words as a Nearest, for the memory of the result.
  BC_HD Nearest as_result() const {
    return {float_of(place[0]), place[1], float_of(place[2]), float_of(place[3])};
  }
  BC_HD static NotedPoint of(const Nearest& result) {
    return {{bits_of(result.distance), result.triangle, bits_of(result.u), bits_of(result.v)}};
  }
  /// The note that more than kMost triangles are within this distance.
  BC_HD static NotedPoint too_many(float reach) {
    NotedPoint noted;
    noted.place[0] = kTooMany;
    noted.place[1] = bits_of(reach);
    return noted;
  }
  BC_HD bool has_too_many() const { return place[0] == kTooMany; }
  BC_HD float reach() const { return float_of(place[1]); }
};

/// The kernel of the walks. Runs as many warps as the machine can hold at once.
template <class View>
struct NoteClosest {
  using Layout = typename View::LayoutType;
  using Shared = u32*;
  // The fastest values on an H200. More blocks at once hide more latency, but leave fewer
  // registers.
  static constexpr u32 kBlockSize = 128;
  static constexpr u32 kBlocksAtOnce = 8;
  // Points are fetched when at most this many lanes of a warp are busy.
  static constexpr u32 kFetchBelow = 12;
  static constexpr u32 kStepsAVote = 4;  // steps through nodes between two votes

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32*, View view, const Vec3f* points, u32 count,
                            float max_distance, WarpChoice* choice, Nearest* nearest) {
    constexpr u32 kNoPoint = 0xffffffffu;
    const WalkFrame frame = view.frame(0u);
    const auto search_from = [&](vec3 point) {
      return PointSearch<float>(point, frame.magnitude, max_distance);
    };
    PointSearch<float> search = search_from(vec3(0.0f));
    u32 own = kNoPoint;
    NearestWalk<Layout, float> walk;
    Candidates<NotedPoint::kMost> noted;
    bool too_many = false;
    const auto test = [&](u32 place) {
      const PlacedTriangle triangle(view.triangles, place, AsTheyAre{});
      DistanceBounds bounds;
      if (!may_be_closest(search, triangle, bounds)) return;
      too_many = too_many || !noted.has_room(search.reach);
      if (!too_many) noted.add(triangle, bounds, search.reach);
    };
    const auto end = [&] {
      NotedPoint out;
      u32 many = 0;
      noted.for_each(search.reach, [&](u32 place) {
        if (many < NotedPoint::kMost) out.place[many] = place;
        ++many;
      });
      if (too_many || many > NotedPoint::kMost) out = NotedPoint::too_many(search.reach);
      nearest[own] = out.as_result();
      own = kNoPoint;
    };
    for (bool more = true; more;) {
      const bool idle = !is_somewhere(walk.at);
      if (idle && own != kNoPoint) end();
      const u32 wanted = lane.ballot(idle);
      u32 first = 0u;
      if (lane.lane() == 0u) first = lane.fetch_add(&choice->next, count_bits(wanted));
      first = lane.shuffle(first, 0u);
      const u32 place = first + count_bits(wanted & lane.lanes_below());
      more = first + count_bits(wanted) < count;
      if (idle && place < count) {
        own = place;
        search = search_from(points[place]);
        noted.clear();
        too_many = is_far(search.point, frame.magnitude);
        walk.begin(is_usable(search.point) && !too_many ? frame.shape.root : kNowhere);
      }
      for (const u32 least_busy = more ? kFetchBelow : 0u;;) {
        const u32 at_node = count_bits(lane.ballot(is_node(walk.at))),
                  at_leaf = count_bits(lane.ballot(is_leaf(walk.at)));
        if (at_node + at_leaf <= least_busy) break;
        DistanceInScene<float> from{search, search.slack};
        if (at_node >= at_leaf) {
          for (u32 k = 0; k < kStepsAVote && is_node(walk.at); ++k)
            walk.step(view.nodes, frame.shape, from);
        } else if (is_leaf(walk.at)) {
          const u32 at = leaf_first(walk.at, view.leaves);
          for (u32 k = 0; k < leaf_count(walk.at, view.leaves); ++k) test(at + k);
          walk.next(from);
        }
      }
    }
    if (own != kNoPoint) end();
  }
};

/// Computes the result of point i from what NoteClosest has stored, and writes it. Also resets
/// `choice` for later kernels.
struct MeasureNoted {
  template <class View>
  BC_HD static void item(u32 i, View view, const Vec3f* points, float max_distance,
                         WarpChoice* choice, Nearest* nearest) {
    if (i == 0u) choice->next = 0u;
    const NotedPoint noted = NotedPoint::of(nearest[i]);
    const WalkFrame frame = view.frame(i);
    if (is_far(points[i], frame.magnitude)) {
      nearest[i] = closest_point(view, i, points[i], max_distance);
      return;
    }
    PointQuery<float> query(points[i], frame.magnitude, max_distance);
    if (noted.has_too_many()) {
      query.reach = noted.reach();
      find_closest(view, frame, query);
    } else {
      for (u32 k = 0; k < NotedPoint::kMost && noted.place[k] != NotedPoint::kNone; ++k) {
        const PlacedTriangle triangle(view.triangles, noted.place[k], AsTheyAre{});
        query.measure(triangle, triangle.id);
      }
    }
    nearest[i] = query.nearest();
  }
};

/// Finds the closest points of a query, in the fastest way that the machine supports.
template <class Machine, class View>
void find_closest_points(Machine& machine, const View& view, const Query& q) {
  const u32 count = static_cast<u32>(q.count);
  const Vec3f* const points = q.items_as<Vec3f>();
  Nearest* const nearest = q.results_as<Nearest>();
  if constexpr (Machine::kHasLanes && !View::kHasInstances) {
    using Kernel = NoteClosest<View>;
    WarpChoice* const choice = machine.warp_choice();
    const u32 enough = blocks_for(count, Kernel::kBlockSize);
    const u32 held = machine.template blocks_at_once<Kernel, View, const Vec3f*, u32, float,
                                                     WarpChoice*, Nearest*>(0u);
    machine.template launch_with_words<Kernel>("note triangles for closest points",
                                               enough < held ? enough : held, 0u, view, points,
                                               count, q.max_distance, choice, nearest);
    machine.template each<MeasureNoted>("closest points", count, view, points, q.max_distance,
                                        choice, nearest);
  } else {
    machine.template each<FindClosestPoint>("closest points", count, view, points, q.max_distance,
                                            nearest);
  }
}

}  // namespace ballotcast::detail
