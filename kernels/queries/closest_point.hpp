// The closest point of a scene, for each point of a query.
//
// The result is the minimum by (squared distance, id) over all triangles and shapes, where
// closest_on_triangle and closest_on_shape compute the distance. The corners of triangles of
// instances are transformed first: see mesh_in_scene.hpp. The result does not depend on the tree,
// because every box that contains a part of the closest triangle is visited: the computed distance
// to the box never exceeds the computed distance to the triangle.
//
// Along each axis, with m the largest coordinate of scene and point:
//  f   the found point of the triangle, relative to the given point, as computed
//  t   a true point of the triangle: |f - t| <= 2^-47 m (geometry/point_triangle.hpp)
//  g   the gap to the box of the leaf with the triangle in which t lies: g <= |t|
//      as read from nodes (ChildBoxes), for this box and those around it: off by 2^-45 m
//  So the gap minus 2^-40 m, if not below 0, is at most |f|. The code subtracts twice as much.
// For points near the scene, gaps are computed in floats. The sides of boxes and the points are
// floats, so each rounding error is relative to the rounded difference. The error of a sum of
// squared gaps is at most 2^-20 of the sum, and the square of the search radius is enlarged by
// 2^-19. Boxes around instances are also widened by placing_slack; for boxes in the space of a
// mesh, see point_in_mesh.hpp.
//
// Distances to triangles are also bounded in floats first (geometry/triangle_bounds.hpp). The
// triangles that may be the closest are noted, and their distances are computed in doubles when the
// walk is done. Mostly this is one triangle, or two if the closest point lies on an edge. For
// points far away, floats can't tell the distances of the triangles apart. So for these points gaps
// are computed in doubles, and each triangle is measured in doubles as soon as the walk meets it.
// So are shapes for all points. The found point of a shape lies on its surface but for 2^-49 m
// (geometry/shape_distance.hpp), so the rule for boxes above holds for shapes, too.
#pragma once

#include "geometry/shape_distance.hpp"
#include "geometry/triangle_bounds.hpp"
#include "kernels/queries/nearest_walk.hpp"
#include "kernels/queries/point_in_mesh.hpp"

namespace ballotcast::detail {

/// The arithmetic for distances to boxes and triangles: floats, or doubles for points far away.
template <class Real>
struct Precision;
template <>
struct Precision<float> {
  static constexpr float kSquareRoom = 1.0f + 0x1p-19f, kRoom = 1.0f + 0x1p-20f;
};
template <>
struct Precision<double> {
  static constexpr double kSquareRoom = 1.0 + 0x1p-40, kRoom = 1.0 + 0x1p-45;
};

/// True if a point is so far from the scene that floats can't tell the distances of its triangles
/// apart.
BC_HD inline bool is_far(vec3 point, float scene_magnitude) {
  return largest_magnitude(point) > 0x1p8f * scene_magnitude;
}

/// A search for the closest triangle of a point, within a distance that shrinks during the search.
template <class Real>
struct PointSearch {
  vec3 point;
  Real slack;  // subtracted from gaps to boxes; see above
  Real reach;  // the search radius: triangles farther away than this are not the closest

  BC_HD PointSearch(vec3 at, float scene_magnitude, float max_distance)
      : point(at), reach(reach_of(largest_squared(max_distance))) {
    slack = times(0x1p-39f, max_of(max_of(scene_magnitude, largest_magnitude(at)), 1e-30f));
  }

  BC_HD static double largest_squared(float max_distance) {
    const double most = double{max_distance} * max_distance;
    return most < kFarthestSquared ? most : kFarthestSquared;
  }
  /// An upper bound of the distance whose square is `squared`.
  BC_HD static Real reach_of(double squared) {
    return either_fused(static_cast<Real>(sqrt(squared)), Precision<Real>::kRoom, Real(0x1p-120));
  }
  /// An upper bound of the computed square of any distance up to `reach`. The addend is for squares
  /// that are too small for floats.
  BC_HD Real most_squared() const {
    return either_fused(reach * reach, Precision<Real>::kSquareRoom, Real(0x1p-120));
  }

  /// A lower bound for the squared distance to everything in a box that is widened by `wider`.
  BC_HD Real squared_to(const Aabb& box, Real wider) const {
    const auto gap = [wider](Real low, Real high, Real at) {
      return either_max(either_max(low - at, at - high), wider) - wider;  // 0 inside
    };
    const Real x = gap(box.low.x, box.high.x, point.x), y = gap(box.low.y, box.high.y, point.y),
               z = gap(box.low.z, box.high.z, point.z);
    return either_fused(x, x, either_fused(y, y, z * z));
  }
};

/// A triangle with its corners in the space of the scene, its id, and its index among the triangles
/// of leaves.
struct PlacedTriangle {
  vec3 a, b, c;
  u32 id, place;

  /// Reads triangle `at`. `placed(corner)` transforms a corner to the space of the scene.
  template <class Placed>
  BC_HD PlacedTriangle(const TriangleRows* triangles, u32 at, Placed placed) : place(at) {
    const TriangleRow* row = triangles[at].row;
    const TriangleRow x = read_whole(row), y = read_whole(row + 1), z = read_whole(row + 2);
    a = placed(vec3(x.a, y.a, z.a));
    b = placed(vec3(x.b, y.b, z.b));
    c = placed(vec3(x.c, y.c, z.c));
    id = x.id;
  }
};

/// Returns false if a triangle is certainly not the closest. Else sets `bounds` to bounds of its
/// distance, and reduces the search radius to the upper bound.
BC_HD inline bool may_be_closest(PointSearch<float>& search, const PlacedTriangle& triangle,
                                 DistanceBounds& bounds) {
  bounds = distance_bounds(search.point, triangle.a, triangle.b, triangle.c);
  if (bounds.least > search.reach) return false;
  search.reach = either_min(search.reach, bounds.most);
  return true;
}

/// The transform of corners that are already in the space of the scene: it changes nothing.
struct AsTheyAre {
  BC_HD vec3 operator()(vec3 corner) const { return corner; }
};

/// A list of up to kMost triangles that may be the closest. Its arrays are apart from it, as
/// the stack of NearestWalk is.
template <u32 kMost>
class Candidates {
 public:
  struct Arrays {
    u32 place[kMost];
    float least[kMost];
  };

  BC_HD explicit Candidates(Arrays& arrays) : place_(arrays.place), least_(arrays.least) {}
  Candidates(const Candidates&) = delete;

  BC_HD void clear() {
    count_ = 0;
    has_corner_ = false;
  }

  /// True if add() may be called. If the list is full, first drops the triangles that are farther
  /// away than `reach`.
  BC_HD bool has_room(float reach) {
    if (count_ < kMost) return true;
    count_ = 0;
    for (u32 i = 0; i < kMost; ++i)
      if (least_[i] <= reach) keep(place_[i], least_[i]);
    return count_ < kMost;
  }

  /// Adds a triangle. If a corner is its closest point, this may be true for all triangles around
  /// the corner. They have the same distance, so only the one with the smallest id is kept.
  BC_HD void add(const PlacedTriangle& triangle, const DistanceBounds& bounds, float reach) {
    if (bounds.corner == 3u) return keep(triangle.place, bounds.least);
    const vec3 at = bounds.corner == 0u   ? triangle.a
                    : bounds.corner == 1u ? triangle.b
                                          : triangle.c;
    if (has_corner_ && at.x == corner_.x && at.y == corner_.y && at.z == corner_.z) {
      if (triangle.id < corner_id_) {
        corner_id_ = triangle.id;
        corner_place_ = triangle.place;
      }
      return;
    }
    if (has_corner_ && corner_least_ <= reach) keep(corner_place_, corner_least_);
    has_corner_ = true;
    corner_ = at;
    corner_id_ = triangle.id;
    corner_place_ = triangle.place;
    corner_least_ = bounds.least;
  }

  /// Calls visit(place) for each triangle that is not farther away than `reach`.
  template <class Visit>
  BC_HD void for_each(float reach, Visit visit) const {
    for (u32 i = 0; i < count_; ++i)
      if (least_[i] <= reach) visit(place_[i]);
    if (has_corner_ && corner_least_ <= reach) visit(corner_place_);
  }

 private:
  BC_HD void keep(u32 place, float least) {
    place_[count_] = place;
    least_[count_++] = least;
  }

  u32* const place_;
  float* const least_;
  u32 count_ = 0;
  bool has_corner_ = false;  // true if there is one more triangle, whose closest point is a corner
  vec3 corner_;              // meaningless unless has_corner_
  u32 corner_id_ = 0, corner_place_ = 0;
  float corner_least_ = 0.0f;
};

/// A search, and the closest of the triangles measured so far.
template <class Real>
struct PointQuery : PointSearch<Real> {
  // At the beginning there is no triangle, and `best` is at the largest distance that counts.
  PointOnTriangle best;
  u32 triangle = kNoTriangle;
  bool on_shape = false;  // true if `best` has coordinates of a shape, not weights of corners

  BC_HD PointQuery(vec3 at, float scene_magnitude, float max_distance)
      : PointSearch<Real>(at, scene_magnitude, max_distance) {
    best = {PointSearch<Real>::largest_squared(max_distance), 0.0, 0.0};
  }

  /// Keeps a triangle if it is closer than the best, or equally close with a smaller id.
  BC_HD void offer(const PointOnTriangle& found, u32 id, bool of_shape = false) {
    if (found.squared < best.squared || (found.squared == best.squared && id < triangle)) {
      best = found;
      triangle = id;
      on_shape = of_shape;
    }
  }
  BC_HD void measure(const PlacedTriangle& at, u32 id) {
    offer(closest_on_triangle(this->point, at.a, at.b, at.c), id);
  }
  BC_HD void measure(const ShapeInScene& of) {
    const ClosestOnShape found = closest_on_shape(of.shape, of.to_scene, dvec3(this->point));
    const Octahedral at = coordinates_on(of.shape, found.at);
    offer({found.squared, at.u, at.v}, of.id, true);
    const Real nearer = this->reach_of(best.squared);
    if (nearer < this->reach) this->reach = nearer;
  }

  BC_HD Nearest nearest() const {
    if (triangle == kNoTriangle) return {unbounded(), kNoTriangle, 0.0f, 0.0f};
    // Except for rounding, the weights and their sum are from 0 to 1.
    const float u = clamp_to(static_cast<float>(best.u), 0.0f, 1.0f);
    return {static_cast<float>(sqrt(best.squared)), triangle, u,
            clamp_to(static_cast<float>(best.v), 0.0f, on_shape ? 1.0f : 1.0f - u)};
  }
};

/// Tests the triangles in each leaf that the walk through the tree of a mesh reaches.
template <class Real, class Placed>
struct LeavesOfQuery;

template <class Placed>
struct LeavesOfQuery<float, Placed> {
  PointQuery<float>& query;
  const TriangleRows* triangles;
  u32 first_id;  // added to the ids of the mesh's triangles
  Placed placed;
  Candidates<8>::Arrays arrays = {};
  Candidates<8> noted{arrays};

  BC_HD void note(u32 first, u32 count) {
    for (u32 at = first; at < first + count; ++at) {
      const PlacedTriangle triangle(triangles, at, placed);
      DistanceBounds bounds;
      if (!may_be_closest(query, triangle, bounds)) continue;
      if (!noted.has_room(query.reach)) measure();
      noted.add(triangle, bounds, query.reach);
    }
  }

  /// Computes the exact distances of the noted triangles.
  BC_HD void measure() {
    noted.for_each(query.reach, [&](u32 place) {
      const PlacedTriangle triangle(triangles, place, placed);
      query.measure(triangle, first_id + triangle.id);
    });
    noted.clear();
    query.reach = either_min(query.reach, query.reach_of(query.best.squared));
  }
};

/// The search for points far away: computes all distances in doubles at once.
template <class Placed>
struct LeavesOfQuery<double, Placed> {
  PointQuery<double>& query;
  const TriangleRows* triangles;
  u32 first_id;
  Placed placed;

  BC_HD void note(u32 first, u32 count) {
    for (u32 at = first; at < first + count; ++at) {
      const PlacedTriangle triangle(triangles, at, placed);
      if (!may_be_closer(triangle)) continue;
      query.measure(triangle, first_id + triangle.id);
      query.reach = query.reach_of(query.best.squared);
    }
  }
  BC_HD void measure() {}

 private:
  /// True if a triangle may be closer than the best so far. This may be true for a triangle that
  /// is not, but not the other way round. The test: along the direction to corner a, no point of
  /// the triangle is closer than the triangle's closest corner. `slack` covers the rounding of
  /// these products, and that the computed closest point may lie slightly off the triangle.
  BC_HD bool may_be_closer(const PlacedTriangle& t) const {
    const dvec3 point(query.point), pa = dvec3(t.a) - point, pb = dvec3(t.b) - point,
                                    pc = dvec3(t.c) - point;
    const auto along = [&pa](const dvec3& v) {
      return either_fused(pa.x, v.x, either_fused(pa.y, v.y, pa.z * v.z));
    };
    const double length = along(pa), to_b = along(pb), to_c = along(pc);
    const double bc = to_b < to_c ? to_b : to_c, least = bc < length ? bc : length;
    const double reach = either_fused(2.0, query.slack, query.reach);
    return !(least > 0.0 &&
             least * least > reach * reach * Precision<double>::kSquareRoom * length);
  }
};

/// The distances from the point of a search to boxes in the space of the scene.
template <class Real>
struct DistanceInScene {
  using Squared = Real;
  const PointSearch<Real>& search;
  Real wider;  // the amount by which boxes are widened

  BC_HD Real squared_to(const Aabb& box) const { return search.squared_to(box, wider); }
  BC_HD Real most() const { return search.most_squared(); }
};

/// The distances from the point of a search to boxes in the space of a mesh.
template <class Real>
struct DistanceInMesh {
  using Squared = double;
  const PointSearch<Real>& search;
  PointInMesh point;
  Real reach;  // the search radius for which `squared` was computed
  double squared;

  BC_HD DistanceInMesh(const PointSearch<Real>& of, const MeshInScene& mesh)
      : search(of),
        point(mesh, dvec3(of.point), of.slack),
        reach(of.reach),
        squared(point.most_for(reach)) {}

  BC_HD double squared_to(const Aabb& box) const { return point.squared_to(box); }
  BC_HD double most() {
    if (search.reach != reach) {
      reach = search.reach;
      squared = point.most_for(reach);
    }
    return squared;
  }
};

template <class Layout, class Real>
BC_HD inline void find_closest(const TraceView<Layout>& view, const WalkFrame& frame,
                               PointQuery<Real>& query) {
  LeavesOfQuery<Real, AsTheyAre> leaves{query, view.triangles, 0u, {}};
  walk_nearest<Layout>(
      view.nodes, frame.shape, DistanceInScene<Real>{query, query.slack},
      [&](u32 leaf) { leaves.note(leaf_first(leaf, view.leaves), leaf_count(leaf, view.leaves)); });
  leaves.measure();
}
template <class Layout, bool kShapes, class Real>
BC_HD inline void find_closest(const InstancedView<Layout, kShapes>& view, const WalkFrame& frame,
                               PointQuery<Real>& query) {
  const auto in_mesh = [&](const MeshInScene& mesh) {
    const auto placed = [&mesh](vec3 corner) { return mesh.corner(corner); };
    LeavesOfQuery<Real, decltype(placed)> leaves{query, mesh.rows, mesh.first_id, placed};
    walk_nearest<Layout>(view.lower_nodes + mesh.tree.first_node, mesh.tree.frame.shape,
                         DistanceInMesh<Real>(query, mesh),
                         [&](u32 leaf) { leaves.note(leaf_first(leaf), leaf_count(leaf)); });
    leaves.measure();
  };
  const double wider = query.slack + placing_slack(frame.magnitude);
  walk_nearest<Layout>(
      view.nodes, frame.shape,
      DistanceInScene<Real>{query, times(static_cast<Real>(wider), Precision<Real>::kRoom)},
      [&](u32 leaf) {
        for_each_placed(
            view, leaf, [&](const ShapeInScene& at) { query.measure(at); }, in_mesh);
      });
}

/// The result of a finished search, as the query returns it.
template <class View, class Real>
BC_HD inline Nearest result_of(const View& view, const WalkFrame& frame, PointQuery<Real> query) {
  if (is_usable(query.point)) find_closest(view, frame, query);
  return query.nearest();
}

/// The point of the scene that is closest to `point`, within max_distance. `i`: the index of the
/// point in its batch, which decides the world that the view shows.
template <class View>
BC_HD inline Nearest closest_point(const View& view, u32 i, vec3 point, float max_distance) {
  const WalkFrame frame = view.frame(i);
  if (!(max_distance >= 0.0f)) return {unbounded(), kNoTriangle, 0.0f, 0.0f};
  return is_far(point, frame.magnitude)
             ? result_of(view, frame, PointQuery<double>(point, frame.magnitude, max_distance))
             : result_of(view, frame, PointQuery<float>(point, frame.magnitude, max_distance));
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
