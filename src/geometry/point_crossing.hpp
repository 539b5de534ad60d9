// Tests where a ray from a point straight up, along +z, crosses a triangle, with exact arithmetic.
//
// The point is treated as if it were shifted by (e, e^2, e^3), where e is infinitesimal (symbolic
// perturbation: see crossing.hpp). A shifted point is on no plane of a triangle, and the ray from
// it meets no edge. So every point, also on corners, edges and faces, is on one side of a closed
// mesh. A point on a face is inside if the space next to it in direction +x is inside; if the face
// is parallel to x, the space in direction +y decides, and so on. If solids fill space, each point
// is in exactly one of them.
//
// The decisions are signs of areas and volumes of triangles and tetrahedra. Their corners are
// floats, except the given point, which is in doubles. Each sign is first computed in doubles, with
// a bound on the rounding error. Only if this is not precise enough, all products are added without
// rounding (J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric
// Predicates, 1997: sections 2.4 to 2.6, and the bounds of sections 4.3 and 4.4). The product of
// two floats is a double. The product of this double and another double is a sum of two doubles. So
// every product is a sum of two doubles.
//
// The results are exact if nothing underflows: coordinates of the point must be 0 or at least
// 2^-700, as all floats are. Every operation is a single + - * or fma, so all machines compute the
// same bits.
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail {

/// A sum of doubles without rounding. It is stored as numbers whose digits do not overlap, the
/// smallest first (Shewchuk's expansions).
template <u32 kMost>
class ExactSum {
 public:
  /// Adds a number (Shewchuk's Grow-Expansion). At most kMost numbers may be added.
  BC_HD void add(double number) {
    u32 kept = 0;
    for (u32 i = 0; i < count_; ++i) {
      const double part = parts_[i], sum = number + part;
      const double of_part = sum - number;
      // the rounding error of `sum`, computed exactly
      const double rest = (number - (sum - of_part)) + (part - of_part);
      if (rest != 0.0) parts_[kept++] = rest;
      number = sum;
    }
    if (number != 0.0) parts_[kept++] = number;
    count_ = kept;
  }
  /// Adds x * y.
  BC_HD void add_product(double x, double y) {
    const double product = times(x, y);
    add(fused(x, y, -product));
    add(product);
  }
  /// The sign of the sum: 1, -1 or 0. It is the sign of the last number, because the others
  /// together are smaller.
  BC_HD i32 sign() const { return count_ == 0u ? 0 : parts_[count_ - 1u] > 0.0 ? 1 : -1; }

 private:
  double parts_[kMost];
  u32 count_ = 0;
};

BC_HD inline i32 sign_of(double number) { return number > 0.0 ? 1 : number < 0.0 ? -1 : 0; }

/// The x and y of a point.
struct PlanePoint {
  double x, y;
};

/// The sign of the area of the triangle a, b, p, without rounding: 1 if the corners run
/// counter-clockwise. The area is a.x b.y - a.y b.x + p.x (a.y - b.y) + p.y (b.x - a.x).
BC_HD BC_COLD inline i32 exact_area_sign(PlanePoint a, PlanePoint b, PlanePoint p) {
  ExactSum<10> sum;
  sum.add(times(a.x, b.y));
  sum.add(-times(a.y, b.x));
  sum.add_product(p.x, a.y);
  sum.add_product(p.x, -b.y);
  sum.add_product(p.y, b.x);
  sum.add_product(p.y, -a.x);
  return sum.sign();
}

/// An upper bound of the sum of all underflow errors; error bounds include it.
inline constexpr double kBeyondUnderflow = 0x1p-900;

/// The same sign as exact_area_sign. In most cases it is computed with doubles only. The
/// coordinates of a and b must be floats.
BC_HD inline i32 area_sign(PlanePoint a, PlanePoint b, PlanePoint p) {
  const double left = times(a.x - p.x, b.y - p.y), right = times(a.y - p.y, b.x - p.x);
  const double area = left - right;
  const double bound = times(0x1p-51, magnitude_of(left) + magnitude_of(right)) + kBeyondUnderflow;
  return magnitude_of(area) > bound ? sign_of(area) : exact_area_sign(a, b, p);
}

/// The sign of (a - p) . ((b - p) x (c - p)), without rounding. It is computed from the
/// determinants of three corners each: [a b c] - [a b p] - [b c p] - [c a p].
BC_HD BC_COLD inline i32 exact_volume_sign(const dvec3& a, const dvec3& b, const dvec3& c,
                                           const dvec3& p) {
  ExactSum<48> sum;
  const auto add = [&sum](const dvec3& u, const dvec3& v, const dvec3& w) {
    sum.add_product(u.y * v.z, w.x);
    sum.add_product(u.z * v.y, -w.x);
    sum.add_product(u.z * v.x, w.y);
    sum.add_product(u.x * v.z, -w.y);
    sum.add_product(u.x * v.y, w.z);
    sum.add_product(u.y * v.x, -w.z);
  };
  add(a, b, c);
  add(b, a, p);
  add(c, b, p);
  add(a, c, p);
  return sum.sign();
}

/// The same sign as exact_volume_sign, in most cases computed with doubles only: 1 if p is below
/// the plane of a, b, c, whose order is counter-clockwise as seen from above. The coordinates of a,
/// b and c must be floats.
BC_HD inline i32 volume_sign(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& p) {
  const dvec3 pa = a - p, pb = b - p, pc = c - p;
  const double bc = times(pb.x, pc.y), cb = times(pc.x, pb.y), ca = times(pc.x, pa.y),
               ac = times(pa.x, pc.y), ab = times(pa.x, pb.y), ba = times(pb.x, pa.y);
  const double volume = times(pa.z, bc - cb) + times(pb.z, ca - ac) + times(pc.z, ab - ba);
  const double sizes = times(magnitude_of(bc) + magnitude_of(cb), magnitude_of(pa.z)) +
                       times(magnitude_of(ca) + magnitude_of(ac), magnitude_of(pb.z)) +
                       times(magnitude_of(ab) + magnitude_of(ba), magnitude_of(pc.z));
  const double bound = times(0x1p-50, sizes) + kBeyondUnderflow;
  return magnitude_of(volume) > bound ? sign_of(volume) : exact_volume_sign(a, b, c, p);
}

/// The side of the edge a, b on which the shifted point is, as seen from above: 1: left, -1: right.
/// The result is 0 only if the edge is vertical or has no length.
BC_HD inline i32 side_of(PlanePoint a, PlanePoint b, PlanePoint p) {
  const i32 sign = area_sign(a, b, p);
  if (sign != 0) return sign;
  // The sign of the derivative of the area by p.x or, if that is 0, by p.y.
  return a.y != b.y ? sign_of(a.y - b.y) : sign_of(b.x - a.x);
}

/// The sign of the derivative of the volume in the direction of the shift, for a volume of 0.
/// `sides` is the sign of the normal's z.
BC_HD BC_COLD inline i32 sign_of_shifted_volume(const dvec3& a, const dvec3& b, const dvec3& c,
                                                i32 sides) {
  const i32 of_x = area_sign({a.y, a.z}, {b.y, b.z}, {c.y, c.z});
  if (of_x != 0) return -of_x;
  const i32 of_y = area_sign({a.z, a.x}, {b.z, b.x}, {c.z, c.x});
  return of_y != 0 ? -of_y : -sides;
}

/// Returns 1 if the ray leaves through the triangle's front (its corners run counter-clockwise as
/// seen from above), -1 if it passes through the back, 0 if it misses the triangle. Coordinates of
/// corners are floats up to 2^60, coordinates of the point are doubles up to 2^60.
BC_HD inline i32 crossing_above(const dvec3& p, vec3 a, vec3 b, vec3 c) {
  const auto low = [](float u, float v, float w) { return double{min_of(min_of(u, v), w)}; };
  const auto high = [](float u, float v, float w) { return double{max_of(max_of(u, v), w)}; };
  // The point is shifted towards +x, so a point at the high side of the triangle's box is outside.
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
