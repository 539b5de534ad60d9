// Finds closest points in scenes without instances, by lanes that fetch points (point_walks.hpp).
//
// Doubles would take half of the registers. So this walk uses floats only. It notes the triangles
// that may be the closest: for most points one or two. Up to four stand in the memory of the
// point's result. More stand in a list in spare memory, for example at a point that is equally far
// from all triangles of a cylinder. A second kernel computes the distances in doubles. A third
// kernel walks again for the few points for which there is no room, and for points far away, which
// need doubles. (On a stream of the caller, there is only spare memory if the points are sorted.)
#pragma once

#include "kernels/queries/closest_point.hpp"
#include "kernels/queries/point_walks.hpp"

namespace ballotcast::detail {

/// The triangles that the walk has noted for a point, in the memory of the point's result.
class NotedPoint {
 public:
  static constexpr u32 kMost = 4;

  BC_HD NotedPoint() = default;
  BC_HD explicit NotedPoint(const Nearest& result)
      : word_{bits_of(result.distance), result.triangle, bits_of(result.u), bits_of(result.v)} {}
  /// More triangles than kMost: `count` elements of a list, from `first` on.
  BC_HD static NotedPoint in_list(u32 first, u32 count) { return {kInList, first, count, kNone}; }
  /// No triangles, because there was no room for them: all are within the distance `reach`.
  BC_HD static NotedPoint no_room(float reach) { return {kNoRoom, bits_of(reach), kNone, kNone}; }

  /// The same words as a Nearest, for the memory of the result.
  BC_HD Nearest as_result() const {
    return {float_of(word_[0]), word_[1], float_of(word_[2]), float_of(word_[3])};
  }

  BC_HD void set(u32 i, u32 place) { word_[i] = place; }
  BC_HD bool has_no_room() const { return word_[0] == kNoRoom; }
  BC_HD float reach() const { return float_of(word_[1]); }

  /// Calls visit(place) for each triangle. `list`: the memory of lists.
  template <class Visit>
  BC_HD void for_each(const u32* list, Visit visit) const {
    const bool in_list = word_[0] == kInList;
    const u32 count = in_list ? word_[2] : kMost;
    BC_NO_UNROLL
    for (u32 i = 0; i < count; ++i) {
      const u32 place = in_list ? list[word_[1] + i] : at(i);
      if (place == kNone) return;
      visit(place);
    }
  }

 private:
  // No index of a triangle is so large.
  static constexpr u32 kNone = 0xffffffffu, kNoRoom = 0xfffffffeu, kInList = 0xfffffffdu;

  BC_HD NotedPoint(u32 a, u32 b, u32 c, u32 d) : word_{a, b, c, d} {}
  /// word_[i], without an array in memory.
  BC_HD u32 at(u32 i) const {
    return i == 0u ? word_[0] : i == 1u ? word_[1] : i == 2u ? word_[2] : word_[3];
  }

  u32 word_[kMost] = {kNone, kNone, kNone, kNone};
};

/// Memory for the lists of points with many triangles. WarpChoice::listed says how much is taken.
struct NotedLists {
  u32* place;
  u32 room;  // in elements of `place`
};

/// The walk for the point of a lane, which notes triangles; see walk_points.
template <class View>
class NotingWalk {
 public:
  using Layout = typename View::LayoutType;
  using Walk = NearestWalk<Layout, float>;
  using List = Candidates<32>;
  /// Memory that is apart from this object; see NearestWalk::Stack.
  struct Arrays {
    typename Walk::Stack stack;
    List::Arrays noted;
  };

  BC_DEVICE NotingWalk(Arrays& arrays, const View& view, const Vec3f* points, float max_distance,
                       WarpChoice* choice, const NotedLists& lists, Nearest* nearest)
      : view_(view),
        frame_(view.frame(0u)),
        points_(points),
        max_distance_(max_distance),
        choice_(choice),
        lists_(lists),
        nearest_(nearest),
        search_(vec3(0.0f), frame_.magnitude, max_distance),
        walk_(arrays.stack),
        noted_(arrays.noted) {}

  BC_DEVICE u32 at() const { return walk_.at; }

  BC_DEVICE void begin(u32 i) {
    search_ = PointSearch<float>(points_[i], frame_.magnitude, max_distance_);
    noted_.clear();
    too_many_ = is_far(search_.point, frame_.magnitude);
    walk_.begin(is_usable(search_.point) && !too_many_ ? frame_.shape.root : kNowhere);
  }

  BC_DEVICE void step() { walk_.step(view_.nodes, frame_.shape, distance()); }

  BC_DEVICE void test_leaf() {
    const u32 first = leaf_first(walk_.at, view_.leaves);
    for (u32 k = 0; k < leaf_count(walk_.at, view_.leaves); ++k) test(first + k);
    walk_.next(distance());
  }

  /// Stores the note about point i, whose walk is done.
  template <class Lane>
  BC_DEVICE void end(Lane& lane, u32 i) {
    nearest_[i] = note(lane).as_result();
  }

 private:
  BC_DEVICE DistanceInScene<float> distance() const { return {search_, search_.slack}; }

  BC_DEVICE void test(u32 place) {
    const PlacedTriangle triangle(view_.triangles, place, AsTheyAre{});
    DistanceBounds bounds;
    if (!may_be_closest(search_, triangle, bounds)) return;
    too_many_ = too_many_ || !noted_.has_room(search_.reach);
    if (!too_many_) noted_.add(triangle, bounds, search_.reach);
  }

  template <class Lane>
  BC_DEVICE NotedPoint note(Lane& lane) const {
    NotedPoint out;
    u32 many = 0;
    noted_.for_each(search_.reach, [&](u32 place) {
      if (many < NotedPoint::kMost) out.set(many, place);
      ++many;
    });
    if (!too_many_ && many <= NotedPoint::kMost) return out;
    if (too_many_ || lists_.room == 0u) return NotedPoint::no_room(search_.reach);
    // There are lists for at most 2^22 points at a time, and each asks for 33 words at most. So
    // sums are below 2^32.
    u32 at = lane.fetch_add(&choice_->listed, many);
    if (at + many > lists_.room) return NotedPoint::no_room(search_.reach);
    out = NotedPoint::in_list(at, many);
    noted_.for_each(search_.reach, [&](u32 place) { lists_.place[at++] = place; });
    return out;
  }

  const View view_;
  const WalkFrame frame_;
  const Vec3f* const points_;
  const float max_distance_;
  WarpChoice* const choice_;
  const NotedLists lists_;
  Nearest* const nearest_;
  PointSearch<float> search_;
  Walk walk_;
  List noted_;
  bool too_many_ = false;
};

/// The kernel of these walks.
template <class View>
struct NoteClosest : WalksOfPoints {
  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32*, View view, const Vec3f* points, PointOrder order,
                            u32 count, float max_distance, WarpChoice* choice, NotedLists lists,
                            Nearest* nearest) {
    typename NotingWalk<View>::Arrays arrays;
    NotingWalk<View> walk(arrays, view, points, max_distance, choice, lists, nearest);
    walk_points(lane, order, count, choice, walk);
  }
};

/// Computes the results of points for which NoteClosest has noted triangles. Also resets `choice`
/// for later kernels.
struct MeasureNoted {
  template <class View>
  BC_HD static void item(u32 i, View view, const Vec3f* points, PointOrder order,
                         float max_distance, WarpChoice* choice, const u32* lists,
                         Nearest* nearest) {
    if (i == 0u) FetchFromStart::item(0u, choice);
    const u32 own = order[i];
    const NotedPoint noted(nearest[own]);
    if (noted.has_no_room()) return;
    PointQuery<float> query(points[own], view.frame(own).magnitude, max_distance);
    noted.for_each(lists, [&](u32 place) {
      const PlacedTriangle triangle(view.triangles, place, AsTheyAre{});
      query.measure(triangle, triangle.id);
    });
    nearest[own] = query.nearest();
  }
};

/// Computes the results of the other points.
struct WalkAgain {
  template <class View>
  BC_HD static void item(u32 i, View view, const Vec3f* points, float max_distance,
                         Nearest* nearest) {
    const NotedPoint noted(nearest[i]);
    if (!noted.has_no_room()) return;
    const WalkFrame frame = view.frame(i);
    if (is_far(points[i], frame.magnitude)) {
      nearest[i] = closest_point(view, i, points[i], max_distance);
      return;
    }
    PointQuery<float> query(points[i], frame.magnitude, max_distance);
    query.reach = noted.reach();
    find_closest(view, frame, query);
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
    WarpChoice* const choice = machine.warp_choice();
    // On a stream of the caller, this function must not allocate memory.
    const bool may_allocate = !q.spare.words && machine.may_wait();
    auto own_lists = machine.template make<u32>(may_allocate ? count : 0u);
    const NotedLists lists = may_allocate ? NotedLists{own_lists.data(), count}
                                          : NotedLists{q.spare.words, q.spare.count};
    with_counters(machine, [&] {
      launch_walks<NoteClosest<View>>(machine, "note triangles for closest points", count, view,
                                      points, q.order, count, q.max_distance, choice, lists,
                                      nearest);
      machine.template each<MeasureNoted>("measure noted triangles", count, view, points, q.order,
                                          q.max_distance, choice,
                                          static_cast<const u32*>(lists.place), nearest);
    });
    machine.template each<WalkAgain>("closest points", count, view, points, q.max_distance,
                                     nearest);
  } else {
    machine.template each<InOrder<FindClosestPoint>>("closest points", count, q.order, view, points,
                                                     q.max_distance, nearest);
  }
}

}  // namespace ballotcast::detail
