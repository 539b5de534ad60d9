// Where a ray crosses a surface, each place once.
//
// A hit on an edge or a corner is a hit of every triangle there, which is what a closest hit wants,
// and wrong for counting. A crossing has one owner: the triangle that the ray would meet if it were
// shifted by (e, e*e) across its direction, with an e too small to matter anywhere else (symbolic
// perturbation: H. Edelsbrunner, E. P. Muecke, Simulation of Simplicity, 1990; on pixels it is
// known as the top-left rule). A shifted ray meets no edge and no corner, so through a closed mesh
// its crossings are a real ray's: as many ways in as out, also where it grazes a silhouette.
//
// It holds for corners with the same coordinates, whether a mesh shares them or repeats them, and
// where sheared coordinates are 0 or larger than 2^-50, below which products vanish.
#pragma once

#include "geometry/triangle.hpp"

namespace ballotcast::detail {

/// On which side of the directed edge p-q the shifted ray passes; `weight` is the edge's. Never 0
/// but for an edge of no length.
BC_HD inline i32 side_of(float weight, float px, float py, float qx, float qy) {
  if (weight > 0.0f) return 1;
  if (weight < 0.0f) return -1;
  if (qy != py) return qy > py ? 1 : -1;
  return qx < px ? 1 : qx > px ? -1 : 0;
}

/// Does the triangle own the ray's crossing?
BC_HD inline bool owns(const ShearedTriangle& p, const EdgeWeights& e) {
  const i32 of_a = side_of(e.u, p.bx, p.by, p.cx, p.cy);
  const i32 of_b = side_of(e.v, p.cx, p.cy, p.ax, p.ay);
  const i32 of_c = side_of(e.w, p.ax, p.ay, p.bx, p.by);
  return of_a != 0 && of_a == of_b && of_a == of_c;
}

/// Does crossing (t, triangle) come after `last`? Nearest first, then the smallest id.
BC_HD inline bool comes_after(float t, u32 triangle, const Hit& last) {
  return t > last.t || (t == last.t && triangle > last.triangle);
}

/// As intersect_triangle, for a crossing with t in [low, high]: it is `found`, with the bits that a
/// closest hit of this triangle has. False if there is none.
BC_HD inline bool cross_triangle(const RaySetup& s, const TriangleRow& x, const TriangleRow& y,
                                 const TriangleRow& z, float low, float high, Hit& found) {
  const ShearedTriangle p = sheared(s, x, y, z);
  const EdgeWeights e = weights_of(p);
  if (!owns(p, e)) return false;
  if (!(magnitude_of(e.sum()) > kSmallestDeterminant)) return false;
  const float inverse = reciprocal(e.sum());
  found = {distance_to(p, e, inverse, s.sz), x.id, e.v * inverse, e.w * inverse};
  return found.t >= low && found.t <= high;
}

}  // namespace ballotcast::detail
