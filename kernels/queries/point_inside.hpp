// Decides whether points are inside, by counting the triangles that a ray straight up from the
// point crosses. Each crossing is decided exactly and counted once (geometry/point_crossing.hpp).
//
// The answer does not depend on the tree. The ray is tested against every triangle whose box it may
// meet. A box is skipped only if the ray misses it by more than the rounding error, so no crossed
// triangle is skipped. A triangle that a builder has cut is in several leaves, so a list remembers
// which triangles were counted. The list is short: if it is full, another walk looks for triangles
// with larger ids.
#pragma once

#include "ballotcast/ray.hpp"
#include "geometry/point_crossing.hpp"
#include "kernels/queries/mesh_in_scene.hpp"

namespace ballotcast::detail {

/// True if a point can be used in queries: its coordinates are neither NaN nor too large; see
/// is_usable.
BC_HD inline bool is_usable(const dvec3& p) {
  constexpr double kMost = double{kLargestCoordinate};
  return magnitude_of(p.x) <= kMost && magnitude_of(p.y) <= kMost && magnitude_of(p.z) <= kMost;
}

/// The crossings with the kMost smallest ids that are at least `from`, each once.
class FirstCrossings {
 public:
  static constexpr u32 kMost = 16;

  BC_HD explicit FirstCrossings(u32 from) : from_(from) {}

  BC_HD void add(u32 id, i32 turn) {
    if (id < from_) return;
    u32 at = size_;
    while (at > 0u && ids_[at - 1u] > id) --at;
    if (at == kMost || (at > 0u && ids_[at - 1u] == id)) return;
    if (size_ < kMost) ++size_;
    for (u32 i = size_ - 1u; i > at; --i) {
      ids_[i] = ids_[i - 1u];
      turns_[i] = turns_[i - 1u];
    }
    ids_[at] = id;
    turns_[at] = turn;
  }

  BC_HD u32 size() const { return size_; }
  BC_HD bool is_full() const { return size_ == kMost; }
  BC_HD u32 last_id() const { return ids_[size_ - 1u]; }
  BC_HD u32 id(u32 i) const { return ids_[i]; }
  BC_HD i32 turn(u32 i) const { return turns_[i]; }

 private:
  u32 from_, size_ = 0;
  u32 ids_[kMost];
  i32 turns_[kMost];
};

/// A walk to each leaf for which meets(box) is true, for the leaf's box and for all boxes around
/// it.
class WhereWalk {
 public:
  /// The memory of the stack; see NearestWalk::Stack.
  using Stack = u32[kDeepestLevel + 1];

  BC_HD explicit WhereWalk(Stack& stack) : open_(stack) {}

  /// The node or leaf where the walk is; kNowhere when the walk is done.
  u32 at = kNowhere;

  BC_HD void begin(u32 root) {
    at = root;
    count_ = 0;
  }

  /// Moves on from a node, whose children are given.
  template <class Meets>
  BC_HD void step(const ChildBoxes& children, const Meets& meets) {
    const bool a = is_somewhere(children.reference[0]) && meets(children.box[0]),
               b = is_somewhere(children.reference[1]) && meets(children.box[1]);
    if (a && b) open_[count_++] = children.reference[1];
    if (a || b)
      at = children.reference[a ? 0 : 1];
    else
      next();
  }

  /// Moves on from a leaf.
  BC_HD void next() { at = count_ > 0u ? open_[--count_] : kNowhere; }

 private:
  u32* const open_;
  u32 count_ = 0;
};

/// Calls on_leaf for each leaf of a WhereWalk. `placed(ChildBoxes)` transforms boxes to the scene.
template <class Layout, class Meets, class Placed, class OnLeaf>
BC_HD inline void walk_where(const typename Layout::Node* nodes, const TreeShape& shape,
                             Meets meets, Placed placed, OnLeaf on_leaf) {
  WhereWalk::Stack stack;
  WhereWalk walk(stack);
  walk.begin(shape.root);
  while (is_somewhere(walk.at)) {
    if (is_node(walk.at)) {
      walk.step(placed(Layout::boxes(nodes, walk.at, shape)), meets);
    } else {
      on_leaf(walk.at);
      walk.next();
    }
  }
}

/// Tests which boxes a ray straight up from a point may meet. `wider`: the amount by which boxes
/// are widened. With Real = float, the sides are rounded away from the point, so every box that is
/// accepted with doubles is accepted.
template <class Real>
class Above {
 public:
  Above() = default;
  BC_HD Above(const dvec3& p, double wider)
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
  /// A number that is not larger than `value`, and close to it.
  BC_HD static Real at_most(double value) {
    if constexpr (sizeof(Real) == sizeof(double)) {
      return value;
    } else {
      const float near = static_cast<float>(value);
      return near - magnitude_of(near) * 0x1p-23f - 0x1p-126f;
    }
  }

  Real low_x_ = 0, high_x_ = 0, low_y_ = 0, high_y_ = 0, low_z_ = 0;
};

/// Calls visit(id, turn) for each crossing with a triangle of a leaf. `placed(corner)` transforms a
/// corner to the scene. The ids are those of the triangles plus `first_id`. `front` is 1, or -1 if
/// the triangles' fronts are reversed.
template <class Placed, class Visit>
BC_HD inline void cross_leaf_above(const dvec3& p, const LeafRows& leaf, u32 first_id, i32 front,
                                   Placed placed, Visit visit) {
  const TriangleRow* row = leaf.row;
  for (u32 left = leaf.count; left > 0u; --left, row += 3) {
    const TriangleRow x = read_whole(row), y = read_whole(row + 1), z = read_whole(row + 2);
    const i32 turn = crossing_above(p, placed({x.a, y.a, z.a}), placed({x.b, y.b, z.b}),
                                    placed({x.c, y.c, z.c}));
    if (turn != 0) visit(first_id + x.id, front * turn);
  }
}

/// The amount by which boxes must be widened, because they are rounded when they are read from
/// nodes (ChildBoxes).
BC_HD inline double reading_slack(double magnitude) { return times(0x1p-44, magnitude) + 1e-40; }

template <class Layout>
BC_HD inline void add_crossings(const TraceView<Layout>& view, const WalkFrame& frame,
                                const dvec3& p, FirstCrossings& found) {
  walk_where<Layout>(
      view.nodes, frame.shape, Above<double>(p, reading_slack(frame.magnitude)),
      [](const ChildBoxes& boxes) { return boxes; },
      [&](u32 leaf) {
        cross_leaf_above(
            p, view.rows_of(leaf), 0u, 1, [](vec3 corner) { return corner; },
            [&](u32 id, i32 turn) { found.add(id, turn); });
      });
}
template <class Layout, bool kShapes>
BC_HD inline void add_crossings(const InstancedView<Layout, kShapes>& view, const WalkFrame& frame,
                                const dvec3& p, FirstCrossings& found) {
  const auto in_shape = [&](const ShapeInScene& at) {
    if (is_inside_shape(at.shape, at.to_scene, p)) found.add(at.id, 1);
  };
  const auto in_mesh = [&](const MeshInScene& mesh) {
    const i32 front = mirrors(mesh.to_scene) ? -1 : 1;
    walk_where<Layout>(
        view.lower_nodes + mesh.tree.first_node, mesh.tree.frame.shape,
        Above<double>(p, placing_slack(mesh.magnitude())),
        [&](const ChildBoxes& boxes) { return mesh.placed(boxes); },
        [&](u32 leaf) {
          cross_leaf_above(
              p, mesh.rows_of(leaf), mesh.first_id, front,
              [&](vec3 corner) { return mesh.corner(corner); },
              [&](u32 id, i32 turn) { found.add(id, turn); });
        });
  };
  walk_where<Layout>(
      view.nodes, frame.shape, Above<double>(p, placing_slack(frame.magnitude)),
      [](const ChildBoxes& boxes) { return boxes; },
      [&](u32 leaf) { for_each_placed(view, leaf, in_shape, in_mesh); });
}

/// The sum over all triangles that a ray straight up from a point crosses.
class CrossingSum {
 public:
  BC_HD void add(u32 id, i32 turn, const CopiesView& copies) {
    const u32 alike = copies.starts ? 1u + copies.starts[id + 1u] - copies.starts[id] : 1u;
    count_ += alike;
    turns_ += turn * static_cast<i32>(alike);
  }
  BC_HD bool is_inside(InsideRule rule) const {
    return rule == InsideRule::parity ? (count_ & 1u) != 0u : turns_ != 0;
  }

 private:
  u32 count_ = 0;
  i32 turns_ = 0;
};

/// True if point `p` is inside of the surface. `i`: the index of the point in its batch, which
/// decides the world that the view shows. Not for InsideRule::winding.
template <class View>
BC_HD inline bool is_inside(const View& view, u32 i, const dvec3& p, InsideRule rule) {
  const WalkFrame frame = view.frame(i);
  CrossingSum sum;
  for (u32 from = 0; is_usable(p);) {
    FirstCrossings found(from);
    add_crossings(view, frame, p, found);
    for (u32 k = 0; k < found.size(); ++k) sum.add(found.id(k), found.turn(k), view.scene.copies);
    if (!found.is_full()) break;
    from = found.last_id() + 1u;
  }
  return sum.is_inside(rule);
}

/// Writes 1 if point i is inside, else 0. `Points`: a PointArray.
struct TestInside {
  template <class View, class Points>
  BC_HD static void item(u32 i, const View& view, const Points& points, InsideRule rule,
                         u8* inside) {
    inside[i] = is_inside(view, i, points.point(i), rule) ? 1u : 0u;
  }
};

}  // namespace ballotcast::detail
