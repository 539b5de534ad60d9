// Tests whether points are inside, in scenes without instances, by lanes that fetch points
// (point_walks.hpp). It differs from point_inside.hpp, which tests the few points that are left:
//  - boxes are tested in floats
//  - the list of triangles that were counted is longer and not sorted. If it is full, the walk
//    ends, and a second kernel tests the point
#pragma once

#include "kernels/queries/point_inside.hpp"
#include "kernels/queries/point_walks.hpp"

namespace ballotcast::detail {

/// Tests which boxes a ray straight up from a point may meet, in floats. The sides are rounded
/// away from the point, so every box that Above accepts is accepted.
class AboveInFloats {
 public:
  AboveInFloats() = default;
  BC_HD AboveInFloats(const dvec3& p, double wider)
      : low_x_(at_most(p.x - wider)),
        high_x_(-at_most(-(p.x + wider))),
        low_y_(at_most(p.y - wider)),
        high_y_(-at_most(-(p.y + wider))),
        low_z_(at_most(p.z - wider)) {}

  BC_HD bool operator()(const Aabb& box) const {
    return box.low.x <= high_x_ && box.high.x >= low_x_ && box.low.y <= high_y_ &&
           box.high.y >= low_y_ && box.high.z >= low_z_;
  }

 private:
  /// A float that is not larger than `value`, and close to it.
  BC_HD static float at_most(double value) {
    const float near = static_cast<float>(value);
    return near - magnitude_of(near) * 0x1p-23f - 0x1p-126f;
  }

  float low_x_ = 0.0f, high_x_ = 0.0f, low_y_ = 0.0f, high_y_ = 0.0f, low_z_ = 0.0f;
};

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
    u32 open[kDeepestLevel + 1];
    u32 crossed[kMostCrossed];
  };

  BC_DEVICE InsideWalk(Arrays& arrays, const View& view, const PointArray& points, InsideRule rule,
                       u8* inside)
      : view_(view),
        frame_(view.frame(0u)),
        points_(points),
        rule_(rule),
        inside_(inside),
        open_(arrays.open),
        crossed_(arrays.crossed) {}

  BC_DEVICE u32 at() const { return at_; }

  BC_DEVICE void begin(u32 i) {
    point_ = points_.point(i);
    above_ = AboveInFloats(point_, reading_slack(frame_.magnitude));
    sum_ = {};
    open_count_ = known_ = 0u;
    is_full_ = false;
    at_ = is_usable(point_) ? frame_.shape.root : kNowhere;
  }

  BC_DEVICE void step() {
    const ChildBoxes children = Layout::boxes(view_.nodes, at_, frame_.shape);
    const bool a = is_somewhere(children.reference[0]) && above_(children.box[0]),
               b = is_somewhere(children.reference[1]) && above_(children.box[1]);
    if (a && b) open_[open_count_++] = children.reference[1];
    if (a || b)
      at_ = children.reference[a ? 0 : 1];
    else
      pop();
  }

  BC_DEVICE void test_leaf() {
    cross_leaf_above(
        point_, view_.rows_of(at_), 0u, 1, [](vec3 corner) { return corner; },
        [&](u32 id, i32 turn) { add(id, turn); });
    pop();
    if (is_full_) at_ = kNowhere;
  }

  template <class Lane>
  BC_DEVICE void end(Lane&, u32 i) {
    inside_[i] = is_full_ ? kInsideUnknown : sum_.is_inside(rule_) ? 1u : 0u;
  }

 private:
  BC_DEVICE void pop() { at_ = open_count_ > 0u ? open_[--open_count_] : kNowhere; }

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
  u32* const open_;     // the stack
  u32* const crossed_;  // the ids of the triangles that were counted
  u32 open_count_ = 0, known_ = 0;
  bool is_full_ = false;
  u32 at_ = kNowhere;
  dvec3 point_;
  AboveInFloats above_;
  CrossingSum sum_;
};

/// The kernel of these walks.
template <class View>
struct FindInside : WalksOfPoints {
  static constexpr u32 kBlocksAtOnce = 5;  // 96 registers; with 8 blocks it was half as fast

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
    if (i == 0u) choice->next = 0u;
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
