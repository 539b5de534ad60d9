// Where a ray crosses surfaces; each crossing counts once.
//
// A ray through an edge or a corner hits all triangles that share it. This is right for closest
// hits, but not for counting. So each crossing belongs to one triangle: the triangle that the ray
// would hit if it were shifted by (e, e*e) across its direction. Here e is so small that the shift
// changes nothing else (symbolic perturbation: H. Edelsbrunner, E. P. Muecke, Simulation of
// Simplicity, 1990; rasterizers use the similar top-left rule). A shifted ray meets no edge and no
// corner. So its crossings of a closed mesh are consistent: the ray leaves the mesh as often as it
// enters, even where it grazes a silhouette.
//
// This requires that corners at the same place have the same coordinates, whether triangles share
// them or repeat them. It also requires that sheared coordinates are 0 or larger than 2^-50,
// because products of smaller numbers underflow.
#pragma once

#include "geometry/triangle.hpp"

namespace ballotcast::detail {

/// The side of the directed edge p-q on which the shifted ray passes: 1 or -1; 0 only if the edge
/// has no length. `weight` is the edge's weight (EdgeWeights). The shift matters only if the weight
/// is 0.
BC_HD inline i32 side_of(float weight, float px, float py, float qx, float qy) {
  if (weight > 0.0f) return 1;
  if (weight < 0.0f) return -1;
  if (qy != py) return qy > py ? 1 : -1;
  return qx < px ? 1 : qx > px ? -1 : 0;
}

/// True if the ray's crossing belongs to this triangle.
BC_HD inline bool owns(const ShearedTriangle& p, const EdgeWeights& e) {
  const i32 of_a = side_of(e.u, p.bx, p.by, p.cx, p.cy);
  const i32 of_b = side_of(e.v, p.cx, p.cy, p.ax, p.ay);
  const i32 of_c = side_of(e.w, p.ax, p.ay, p.bx, p.by);
  return of_a != 0 && of_a == of_b && of_a == of_c;
}

/// True if one crossing comes after another. Crossings are ordered by t, then by id, then by u and
/// v: a ray may cross two places of a heightfield, which has one id, at the same t. A triangle that
/// is tested twice gives the same bits twice.
BC_HD inline bool comes_after(const Hit& hit, const Hit& last) {
  if (hit.t != last.t) return hit.t > last.t;
  if (hit.triangle != last.triangle) return hit.triangle > last.triangle;
  return hit.u > last.u || (hit.u == last.u && hit.v > last.v);
}

/// A crossing, and whether the ray enters through the triangle's front; see meets_front.
struct Crossing {
  Hit hit;
  bool front;
};

/// True if a crossing of the ray with t in [low, high] belongs to the triangle. If so, `found`
/// becomes this crossing, with the same bits as a hit that intersect_triangle finds in this
/// triangle.
BC_HD inline bool cross_triangle(const RaySetup& s, const TriangleRow& x, const TriangleRow& y,
                                 const TriangleRow& z, float low, float high, Crossing& found) {
  const ShearedTriangle p = sheared(s, x, y, z);
  const EdgeWeights e = weights_of(p);
  if (!owns(p, e)) return false;
  if (!(magnitude_of(e.sum()) > kSmallestDeterminant)) return false;
  const float inverse = reciprocal(e.sum());
  found = {{distance_to(p, e, inverse, s.sz), x.id, times(e.v, inverse), times(e.w, inverse)},
           meets_front(inverse, s.sz)};
  return found.hit.t >= low && found.hit.t <= high;
}

}  // namespace ballotcast::detail
