// Where a ray from a point straight up, along +z, crosses a triangle; decided exactly.
//
// The point counts as shifted by (e, e^2, e^3), where e is smaller than any number (symbolic
// perturbation: see crossing.hpp). A shifted point is on no plane of a triangle, and the ray from
// it meets no edge. So every point, on corners, edges and faces too, is on one side of a closed
// mesh: a point on a face is inside if what lies towards +x of it is; on a face across x towards
// +y, and so on. Of solids that fill space, each point is in exactly one.
#pragma once

#include "geometry/exact_sign.hpp"

namespace ballotcast::detail {

/// The side of the edge a, b on which the shifted point is, as seen from above: 1: left, -1: right.
/// 0 only if the edge is vertical or has no length.
BC_HD inline i32 side_of(PlanePoint a, PlanePoint b, PlanePoint p) {
  const i32 sign = area_sign(a, b, p);
  if (sign != 0) return sign;
  // The derivatives of the area for p.x, then for p.y.
  return a.y != b.y ? sign_of(a.y - b.y) : sign_of(b.x - a.x);
}

/// The derivative of the volume for the shift, as a sign. `sides`: that of the normal's z.
BC_HD BC_COLD inline i32 sign_of_shifted_volume(const dvec3& a, const dvec3& b, const dvec3& c,
                                                i32 sides) {
  const i32 of_x = area_sign({a.y, a.z}, {b.y, b.z}, {c.y, c.z});
  if (of_x != 0) return -of_x;
  const i32 of_y = area_sign({a.z, a.x}, {b.z, b.x}, {c.z, c.x});
  return of_y != 0 ? -of_y : -sides;
}

/// 1 if the ray leaves through the triangle's front (its corners run counter-clockwise as seen from
/// above), -1 if it goes through the back, 0 if it passes the triangle. Coordinates of corners are
/// floats up to 2^60, those of the point doubles up to 2^60.
BC_HD inline i32 crossing_above(const dvec3& p, vec3 a, vec3 b, vec3 c) {
  const auto low = [](float u, float v, float w) { return double{min_of(min_of(u, v), w)}; };
  const auto high = [](float u, float v, float w) { return double{max_of(max_of(u, v), w)}; };
  // As the point is shifted, one at the high side of the triangle's box is outside.
  if (p.x < low(a.x, b.x, c.x) || p.x >= high(a.x, b.x, c.x)) return 0;
  if (p.y < low(a.y, b.y, c.y) || p.y >= high(a.y, b.y, c.y)) return 0;
  if (p.z > high(a.z, b.z, c.z)) return 0;
  const dvec3 da(a), db(b), dc(c);
  const PlanePoint pa{da.x, da.y}, pb{db.x, db.y}, pc{dc.x, dc.y}, pp{p.x, p.y};
  const i32 side = side_of(pa, pb, pp);
  if (side == 0 || side_of(pb, pc, pp) != side || side_of(pc, pa, pp) != side) return 0;
  if (p.z < low(a.z, b.z, c.z)) return side;
  i32 above = volume_sign(da, db, dc, p);
  if (above == 0) above = sign_of_shifted_volume(da, db, dc, side);
  return above == side ? side : 0;
}

}  // namespace ballotcast::detail
