// The closest point of a scene, for each point of a query.
//
// It is the minimum by (squared distance, id) over all triangles, by closest_on_triangle. The
// corners of triangles of instances are transformed first: see mesh_in_scene.hpp. The tree can't
// change the minimum, because every box with a part of the closest triangle is visited: the
// computed distance of the box never exceeds that of the triangle.
//
// Along each axis, with m the largest coordinate of scene and point:
//   f   the found point of the triangle, relative to the given point, as computed
//   t   a true point of the triangle: |f - t| <= 2^-47 m (geometry/point_triangle.hpp)
//   g   the gap to the box of the leaf with the triangle in which t lies: g <= |t|
//       as read from nodes (ChildBoxes), for this box and those around it: off by 2^-45 m
//       as computed: off by 2^-52 m
//   So the gap minus 2^-40 m, if not below 0, is at most |f|.
// Rounding keeps the order of numbers, and both squared distances are summed by squared_length. So
// the computed one of the box is at most the computed one of the triangle.
// Boxes around instances are widened by placing_slack, too; point_in_mesh.hpp has those of meshes.
#pragma once

#include "kernels/queries/point_in_mesh.hpp"

namespace ballotcast::detail {

/// A point whose closest triangle is searched for, and the best so far.
struct PointQuery {
  dvec3 point;
  double slack;  // subtracted from gaps to boxes; see above
  // The closest point so far. At first no triangle, at the largest distance that counts.
  PointOnTriangle best;
  u32 triangle = kNoTriangle;
  double reach;  // best.squared, widened by the slack; see may_be_closer

  BC_HD PointQuery(vec3 at, float scene_magnitude, float max_distance) : point(at) {
    slack = times(0x1p-40, double{max_of(max_of(scene_magnitude, largest_magnitude(at)), 1e-30f)});
    const double most = double{max_distance} * max_distance;
    best = {most < kFarthestSquared ? most : kFarthestSquared, 0.0, 0.0};
    set_reach();
  }

  /// A lower bound for the squared distance to everything in a box that is widened by `wider`.
  BC_HD double squared_to(const Aabb& box, double wider) const {
    const auto gap = [&](double low, double high, double at) {
      const double below = low - at, above = at - high;
      const double outside = below > above ? below : above;
      return (outside > wider ? outside : wider) - wider;  // 0 inside, without a branch
    };
    return squared_length(gap(box.low.x, box.high.x, point.x), gap(box.low.y, box.high.y, point.y),
                          gap(box.low.z, box.high.z, point.z));
  }

  /// Takes over a triangle if it is closer, or equally close with a smaller id.
  BC_HD void offer(const PointOnTriangle& found, u32 id) {
    if (found.squared < best.squared || (found.squared == best.squared && id < triangle)) {
      best = found;
      triangle = id;
      set_reach();
    }
  }

  /// False only if the computed distance of a triangle is larger than the best so far. Measured
  /// along the direction to corner a, no point of the triangle is closer than its closest corner.
  /// `reach` has room for the rounding of these products, and for the found point, which may lie
  /// off the triangle: both are far below `slack`.
  BC_HD bool may_be_closer(vec3 a, vec3 b, vec3 c) const {
    const dvec3 pa = dvec3(a) - point, pb = dvec3(b) - point, pc = dvec3(c) - point;
    const auto along = [&pa](const dvec3& v) {
      return times(pa.x, v.x) + times(pa.y, v.y) + times(pa.z, v.z);
    };
    const double length = along(pa), to_b = along(pb), to_c = along(pc);
    const double bc = to_b < to_c ? to_b : to_c, least = bc < length ? bc : length;
    return !(least > 0.0 && least * least > reach * length);
  }

  /// Offers the triangles of a leaf. `placed(corner)` transforms a corner to the scene. Ids are
  /// those of the triangles plus `first_id`.
  template <class Placed>
  BC_HD void offer_leaf(const LeafRows& leaf, u32 first_id, Placed placed) {
    const vec3 at(point);
    const TriangleRow* row = leaf.row;
    for (u32 left = leaf.count; left > 0u; --left, row += 3) {
      const TriangleRow x = read_whole(row), y = read_whole(row + 1), z = read_whole(row + 2);
      const vec3 a = placed({x.a, y.a, z.a}), b = placed({x.b, y.b, z.b}),
                 c = placed({x.c, y.c, z.c});
      if (may_be_closer(a, b, c)) offer(closest_on_triangle(at, a, b, c), first_id + x.id);
    }
  }

  BC_HD void set_reach() {
    const double distance = sqrt(best.squared) + 2.0 * slack;
    reach = distance * distance * (1.0 + 0x1p-40);
  }

  BC_HD Nearest nearest() const {
    if (triangle == kNoTriangle) return {unbounded(), kNoTriangle, 0.0f, 0.0f};
    // Except for rounding, the weights and their sum are from 0 to 1.
    const float u = clamp_to(static_cast<float>(best.u), 0.0f, 1.0f);
    return {static_cast<float>(sqrt(best.squared)), triangle, u,
            clamp_to(static_cast<float>(best.v), 0.0f, 1.0f - u)};
  }
};

/// Distances from the point of a query to boxes in the space of the scene.
struct DistanceInScene {
  const PointQuery& query;
  double wider;  // the amount by which boxes are widened

  BC_HD double squared_to(const Aabb& box) const { return query.squared_to(box, wider); }
  BC_HD double most() const { return query.best.squared; }
};

/// Distances from the point of a query to boxes in the space of a mesh.
struct DistanceInMesh {
  const PointQuery& query;
  PointInMesh point;
  double best, reach;  // the value for which `reach` was computed

  BC_HD DistanceInMesh(const PointQuery& of, const MeshInScene& mesh)
      : query(of),
        point(mesh, of.point, of.slack),
        best(of.best.squared),
        reach(point.most_for(best)) {}

  BC_HD double squared_to(const Aabb& box) const { return point.squared_to(box); }
  BC_HD double most() {
    if (query.best.squared != best) {
      best = query.best.squared;
      reach = point.most_for(best);
    }
    return reach;
  }
};

/// Walks through a tree, the nearer child first, and calls on_leaf(leaf), which may offer something
/// to a query. Skips boxes that are farther away than distance.most().
template <class Layout, class Distance, class OnLeaf>
BC_HD inline void walk_nearest(const typename Layout::Node* nodes, const TreeShape& shape,
                               Distance distance, OnLeaf on_leaf) {
  struct Open {
    double squared;
    u32 reference;
  };
  Open open[kDeepestLevel + 1];
  u32 count = 0;
  u32 next = shape.root;
  if (!is_somewhere(next)) return;
  for (;;) {
    if (is_node(next)) {
      const ChildBoxes children = Layout::boxes(nodes, next, shape);
      const double a = distance.squared_to(children.box[0]),
                   b = distance.squared_to(children.box[1]), most = distance.most();
      const u32 nearer = b < a ? 1u : 0u;
      const double near = nearer ? b : a, far = nearer ? a : b;
      if (far <= most) open[count++] = {far, children.reference[1u - nearer]};
      if (near <= most) {
        next = children.reference[nearer];
        continue;
      }
    } else {
      on_leaf(next);
    }
    do {
      if (count == 0) return;
      --count;
    } while (!(open[count].squared <= distance.most()));
    next = open[count].reference;
  }
}

template <class Layout>
BC_HD inline void find_closest(const TraceView<Layout>& view, const WalkFrame& frame,
                               PointQuery& query) {
  walk_nearest<Layout>(view.nodes, frame.shape, DistanceInScene{query, query.slack}, [&](u32 leaf) {
    query.offer_leaf(view.rows_of(leaf), 0u, [](vec3 corner) { return corner; });
  });
}
template <class Layout>
BC_HD inline void find_closest(const InstancedView<Layout>& view, const WalkFrame& frame,
                               PointQuery& query) {
  const auto in_mesh = [&](const MeshInScene& mesh) {
    walk_nearest<Layout>(view.lower_nodes + mesh.tree.first_node, mesh.tree.frame.shape,
                         DistanceInMesh(query, mesh), [&](u32 leaf) {
                           query.offer_leaf(mesh.rows_of(leaf), mesh.first_id,
                                            [&](vec3 corner) { return mesh.corner(corner); });
                         });
  };
  walk_nearest<Layout>(view.nodes, frame.shape,
                       DistanceInScene{query, query.slack + placing_slack(frame.magnitude)},
                       [&](u32 leaf) { for_each_placed(view, leaf, in_mesh); });
}

/// The closest point on everything that the view shows for element i of a batch, up to a distance.
template <class View>
BC_HD inline Nearest closest_point(const View& view, u32 i, vec3 point, float max_distance) {
  const WalkFrame frame = view.frame(i);
  PointQuery query(point, frame.magnitude, max_distance);
  if (is_usable(point)) find_closest(view, frame, query);
  return query.nearest();
}

/// Writes the closest point for point i.
struct FindClosestPoint {
  template <class View>
  BC_HD static void item(u32 i, View view, const Vec3f* points, float max_distance,
                         Nearest* nearest) {
    nearest[i] = closest_point(view, i, points[i], max_distance);
  }
};

}  // namespace ballotcast::detail
