// Tests whether points are inside, in scenes without instances, by lanes that fetch points
// (point_walks.hpp). It differs from point_inside.hpp, which tests the few points that are left:
//  - boxes are tested in floats
//  - the list of triangles that were counted is longer and not sorted. If it is full, the walk
//    ends, and a second kernel tests the point
#pragma once

#include "kernels/queries/point_inside.hpp"
#include "kernels/queries/point_walks.hpp"

namespace ballotcast::detail {

/// The result of points that are left to the second kernel.
inline constexpr u8 kInsideUnknown = 2u;

/// The walk for the point of a lane; see walk_points.
template <class View>
class InsideWalk {
 public:
  using Layout = typename View::LayoutType;
  // In Sponza, some rays cross more than 96 triangles. The second kernel would take 3 ms for eight
  // such points, because each keeps a lane busy for so long.
  static constexpr u32 kMostCrossed = 256;
  /// Memory that is apart from this object; see NearestWalk::Stack.
  struct Arrays {
    WhereWalk::Stack stack;
    u32 crossed[kMostCrossed];
  };

  BC_DEVICE InsideWalk(Arrays& arrays, const View& view, const PointArray& points, InsideRule rule,
                       u8* inside)
      : view_(view),
        frame_(view.frame(0u)),
        points_(points),
        rule_(rule),
        inside_(inside),
        walk_(arrays.stack),
        crossed_(arrays.crossed) {}

  BC_DEVICE u32 at() const { return walk_.at; }

  BC_DEVICE void begin(u32 i) {
    point_ = points_.point(i);
    above_ = Above<float>(point_, reading_slack(frame_.magnitude));
    sum_ = {};
    known_ = 0u;
    is_full_ = false;
    walk_.begin(is_usable(point_) ? frame_.shape.root : kNowhere);
  }

  BC_DEVICE void step() { walk_.step(Layout::boxes(view_.nodes, walk_.at, frame_.shape), above_); }

  BC_DEVICE void test_leaf() {
    cross_leaf_above(
        point_, view_.rows_of(walk_.at), 0u, 1, [](vec3 corner) { return corner; },
        [&](u32 id, i32 turn) { add(id, turn); });
    if (is_full_)
      walk_.begin(kNowhere);
    else
      walk_.next();
  }

  template <class Lane>
  BC_DEVICE void end(Lane&, u32 i) {
    inside_[i] = is_full_ ? kInsideUnknown : sum_.is_inside(rule_) ? 1u : 0u;
  }

 private:
  BC_DEVICE void add(u32 id, i32 turn) {
    for (u32 k = 0; k < known_; ++k)
      if (crossed_[k] == id) return;
    is_full_ = known_ == kMostCrossed;
    if (is_full_) return;
    crossed_[known_++] = id;
    sum_.add(id, turn, view_.scene.copies);
  }

  const View view_;
  const WalkFrame frame_;
  const PointArray points_;
  const InsideRule rule_;
  u8* const inside_;
  WhereWalk walk_;
  u32* const crossed_;  // the ids of the triangles that were counted
  u32 known_ = 0;       // their number
  bool is_full_ = false;
  dvec3 point_;
  Above<float> above_;
  CrossingSum sum_;
};

/// The kernel of these walks.
template <class View>
struct FindInside : WalksOfPoints {
  static constexpr u32 kBlocksAtOnce = 5;  // 96 registers; with 8 blocks it was a third slower

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, u32*, View view, PointArray points, PointOrder order,
                            u32 count, InsideRule rule, WarpChoice* choice, u8* inside) {
    typename InsideWalk<View>::Arrays arrays;
    InsideWalk<View> walk(arrays, view, points, rule, inside);
    walk_points(lane, order, count, choice, walk);
  }
};

/// Tests the points that FindInside has left. Also resets `choice` for later kernels.
struct TestRest {
  template <class View>
  BC_HD static void item(u32 i, const View& view, const PointArray& points, InsideRule rule,
                         WarpChoice* choice, u8* inside) {
    if (i == 0u) FetchFromStart::item(0u, choice);
    if (inside[i] == kInsideUnknown) TestInside::item(i, view, points, rule, inside);
  }
};

/// Tests the points of a query whose rule is not InsideRule::winding, in the fastest way that the
/// machine supports.
template <class Machine, class View>
void find_inside(Machine& machine, const View& view, const Query& q) {
  const u32 count = static_cast<u32>(q.count);
  const PointArray points = q.point_array();
  u8* const inside = q.results_as<u8>();
  if constexpr (Machine::kHasLanes && !View::kHasInstances) {
    WarpChoice* const choice = machine.warp_choice();
    with_counters(machine, [&] {
      launch_walks<FindInside<View>>(machine, "inside", count, view, points, q.order, count, q.rule,
                                     choice, inside);
      machine.template each<TestRest>("inside", count, view, points, q.rule, choice, inside);
    });
  } else {
    machine.template each<InOrder<TestInside>>("inside", count, q.order, view, points, q.rule,
                                               inside);
  }
}

}  // namespace ballotcast::detail
