// The point of a triangle that is closest to a given point, with the same bits on every machine.
//
// Which part of a triangle is closest (C. Ericson, Real-Time Collision Detection, 2005, section
// 5.1.5): its inside, if the point's projection to the plane lies inside; else a point of an edge
// that the projection lies beyond; of an edge, an end or a point between them. A point between the
// ends of an edge that the projection lies beyond is the closest.
//
//          beyond ca  \     /
//                      \ c /
//                       / \                an edge counts unless the projection is certainly
//            ca        /   \  bc           on the inner side of it
//                     /     \  beyond bc
//                ___ a ------ b ___
//                       ab
//                   beyond ab
//
// Triangles that share an edge or a corner agree on the bits of the distance to it. Two things make
// them agree.
// - An edge is treated without the rest of its triangle, and swapping its ends swaps the terms of
//   sums, which changes no bit. A corner's distance depends on the corner alone.
// - Each test has a margin that is larger than its rounding error. So if the closest point lies on
//   an edge, the inside is never taken, and if it is a corner, no point between the ends of an
//   edge that has this corner is. (For thin triangles, or from far away, a point of another edge
//   may be taken if it is equally close up to rounding.)
// A triangle without area has no inside: no test is ever certain. It is the union of its edges.
//
// Error of the distance. With R the largest distance of the point to a corner:
// - The found point is a mean of the corners with weights from 0 to 1, so it is a point of the
//   triangle but for rounding: off by at most 2^-49 R per axis. So a computed distance is never too
//   small by more than 2^-48 R.
// - It is too large if the weights are wrong. Differences of floats are exact in doubles if they
//   are not beyond 2^29 times one another or 0. Then the normal N and its products have errors
//   relative to themselves, however thin the triangle is, and the point is off along the triangle
//   by e <= 2^-47 (k h + L), where k is the triangle's length over its width, h the distance to its
//   plane, and L its longest side. The distance grows by at most e, and by at most e^2 / (2 h),
//   which is below 2^-46 R: the point stays in the triangle, and the margins reject the inside
//   where k h > 2^47 L / k. The margins themselves move a point by as much, to an edge.
// Together: |computed - exact| <= 2^-45 R. Where differences are rounded, a thin triangle can cost
// more, up to the width of a triangle for which k = 2^22: 2^-22 R.
#pragma once

#include "geometry/triangle.hpp"

namespace ballotcast::detail {

/// The closest point found so far, or of one part of a triangle: (1-u-v) a + u b + v c.
struct PointOnTriangle {
  double squared;  // the squared distance to the given point
  double u, v;
};

/// Larger than every squared distance between usable points (is_usable).
inline constexpr double kFarthestSquared = 0x1p84;

/// The squared length of a vector. It never decreases if the magnitude of a component grows.
BC_HD inline double squared_length(double x, double y, double z) {
  return (times(x, x) + times(y, y)) + times(z, z);
}
BC_HD inline double squared_length(const dvec3& v) { return squared_length(v.x, v.y, v.z); }

BC_HD inline double largest_of(double a, double b, double c) {
  const double ab = a > b ? a : b;
  return ab > c ? ab : c;
}
BC_HD inline double largest_magnitude(const dvec3& v) {
  return largest_of(magnitude_of(v.x), magnitude_of(v.y), magnitude_of(v.z));
}
BC_HD inline double sum_of_magnitudes(const dvec3& v) {
  return magnitude_of(v.x) + magnitude_of(v.y) + magnitude_of(v.z);
}

/// The cross product. Each component has an error of at most 1.5 ulp.
BC_HD inline dvec3 precise_cross(const dvec3& a, const dvec3& b) {
  return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
          difference_of_products(a.x, b.y, a.y, b.x)};
}

/// An edge, given by the vectors `from` and `to` from the given point to its ends, and by the
/// vector `way` between its ends.
struct EdgeSeen {
  const dvec3 &from, &to, &way;
};

/// The closest point of an edge: from + along * way (see EdgeSeen). If the ends of the edge are
/// swapped, `along` becomes 1 - along, and nothing else changes.
struct PointOnEdge {
  double squared;
  double before, along;  // the weights of the two ends; their sum is 1 except for rounding
  bool is_between;       // true if the point is certainly not an end of the edge
};

/// A scalar product, and the scale of its rounding errors. Its factors are rounded differences, so
/// with u = 2^-53 its error is at most 6 u times `scale`.
struct ScalarProduct {
  double value, scale;

  BC_HD ScalarProduct(const dvec3& a, const dvec3& b) {
    const dvec3 p = {times(a.x, b.x), times(a.y, b.y), times(a.z, b.z)};
    value = (p.x + p.y) + p.z;
    scale = sum_of_magnitudes(p);
  }
  BC_HD bool certainly_positive() const { return value > 0x1p-50 * scale; }
  BC_HD bool certainly_negative() const { return -value > 0x1p-50 * scale; }
};

BC_HD inline PointOnEdge closest_on_edge(const EdgeSeen& e) {
  const dvec3 &f = e.from, &t = e.to;
  const double at_from = squared_length(f), at_to = squared_length(t);
  PointOnEdge best = at_from <= at_to ? PointOnEdge{at_from, 1.0, 0.0, false}
                                      : PointOnEdge{at_to, 0.0, 1.0, false};
  const ScalarProduct before(f, e.way), after(t, e.way);
  if (!before.certainly_negative() || !after.certainly_positive()) return best;
  best.is_between = true;
  const double r = after.value, s = -before.value, inverse = 1.0 / (r + s);
  const auto mean = [&](double of_f, double of_t) {
    return (times(r, of_f) + times(s, of_t)) * inverse;
  };
  const double squared = squared_length(mean(f.x, t.x), mean(f.y, t.y), mean(f.z, t.z));
  if (squared < best.squared) best = {squared, r * inverse, s * inverse, true};
  return best;
}

/// The plane of a triangle.
struct TrianglePlane {
  dvec3 normal;    // its length is twice the area
  double sum;      // the sum of the magnitudes of the normal's components
  double product;  // the product of the lengths of the two edges from which the normal was computed

  /// Twice the area between an edge and the projection of the given point, times the length of the
  /// normal: positive if the projection is certainly on the inner side of the edge, negative if it
  /// is certainly on the outer side, else 0.
  ///
  /// The margin, with u = 2^-53 and lengths as largest components: the normal is off by at most
  /// 8 u times `product` per component, `area` by 8 u |from| |way|, because differences were
  /// rounded. So their scalar product is off by at most 14 u sum |from| |way| + 8 u product times
  /// the sum of the area's components.
  BC_HD double side_of(const EdgeSeen& e) const {
    const dvec3 area = precise_cross(e.from, e.way);
    const double value =
        (times(normal.x, area.x) + times(normal.y, area.y)) + times(normal.z, area.z);
    const double margin = times(sum * largest_magnitude(e.from), largest_magnitude(e.way)) +
                          times(product, sum_of_magnitudes(area));
    return magnitude_of(value) > 0x1p-48 * margin ? value : 0.0;
  }
};

/// Returns the point of the triangle a, b, c that is closest to p. All coordinates must be usable
/// (is_usable), so that no product overflows or underflows.
BC_HD inline PointOnTriangle closest_on_triangle(const dvec3& p, vec3 a, vec3 b, vec3 c) {
  const dvec3 da(a), db(b), dc(c);
  const dvec3 pa = da - p, pb = db - p, pc = dc - p, ab = db - da, bc = dc - db, ca = da - dc;
  const EdgeSeen to_b{pa, pb, ab}, to_c{pb, pc, bc}, to_a{pc, pa, ca};
  TrianglePlane plane;
  plane.normal = precise_cross(ca, ab);
  plane.sum = sum_of_magnitudes(plane.normal);
  plane.product = largest_magnitude(ab) * largest_magnitude(ca);
  const double of_c = plane.side_of(to_b), of_a = plane.side_of(to_c), of_b = plane.side_of(to_a);
  PointOnTriangle best{kFarthestSquared, 0.0, 0.0};
  const bool is_inside = of_a > 0.0 && of_b > 0.0 && of_c > 0.0;
  if (is_inside) {
    const double sum = (of_a + of_b) + of_c, inverse = 1.0 / sum;
    const auto mean = [&](double at_a, double at_b, double at_c) {
      return ((times(of_a, at_a) + times(of_b, at_b)) + times(of_c, at_c)) * inverse;
    };
    best = {squared_length(mean(pa.x, pb.x, pc.x), mean(pa.y, pb.y, pc.y), mean(pa.z, pb.z, pc.z)),
            of_b * inverse, of_c * inverse};
    // The weights of a thin triangle can be wrong. Then a point on an edge may be closer.
    const double longest = largest_of(largest_magnitude(ab), largest_magnitude(bc),
                                      largest_magnitude(ca)),
                 square = longest * longest;
    if (sum > 0x1p-20 * (square * square)) return best;
  }
  // Returns true if the closest point is certainly on this edge.
  const auto offer = [&best](double side, const PointOnEdge& at, double u, double v) {
    const bool certain = side < 0.0 && at.is_between;
    if (certain || at.squared < best.squared) best = {at.squared, u, v};
    return certain;
  };
  if (is_inside || !(of_c > 0.0)) {
    const PointOnEdge at = closest_on_edge(to_b);
    if (offer(of_c, at, at.along, 0.0)) return best;
  }
  if (is_inside || !(of_a > 0.0)) {
    const PointOnEdge at = closest_on_edge(to_c);
    if (offer(of_a, at, at.before, at.along)) return best;
  }
  if (is_inside || !(of_b > 0.0)) {
    const PointOnEdge at = closest_on_edge(to_a);
    offer(of_b, at, 0.0, at.before);
  }
  return best;
}
BC_HD inline PointOnTriangle closest_on_triangle(vec3 point, vec3 a, vec3 b, vec3 c) {
  return closest_on_triangle(dvec3(point), a, b, c);
}

}  // namespace ballotcast::detail
