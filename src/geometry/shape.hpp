// Shapes: where rays cross them, and the points of their surfaces. The same bits on every machine.
//
// Everything is computed in double precision in the shape's own space, where each shape has a
// simple form: its size is divided out, axis by axis.
//
//   sphere, ellipsoid   |p| < 1                        cone   x^2 + y^2 < ((1 - z) / 2)^2, |z| < 1
//   box                 |x|, |y|, |z| < 1              disc   z = 0, x^2 + y^2 < 1
//   cylinder            x^2 + y^2 < 1, |z| < 1         plane  z = 0, |x| < 1, |y| < 1; also floor,
//                                                             whose back is not hit
//   capsule             closer than 1 to the line from (0, 0, -L) to (0, 0, L)
//
// All solids are convex, so a line is inside of one in a single interval of t. A ray enters the
// solid where the interval begins, and leaves it where the interval ends. Both are rounded to
// floats; if the two floats are equal, the ray misses. So a ray enters a solid as often as it
// leaves it. A line that only touches a solid, or that runs along a face of it, has an empty
// interval.
//
// Error of t. The origin is first moved along the ray to the point closest to the shape's centre,
// by `shift`. With u = 2^-53, D the distance of the origin from the centre in units of the shape's
// size, and k the distortion of the instance's transform: the moved line is off by at most 16 u k
// D. A root of a quadratic equation near the centre has no cancellation, so t is off by at most 16
// u k D / cos, where cos belongs to the angle between ray and normal, plus half an ulp of a float.
// For k D / cos < 2^24 this is less than one ulp of a float.
#pragma once

#include "ballotcast/shape.hpp"
#include "geometry/transform.hpp"

namespace ballotcast::detail {

/// The corners of a triangle, in the space of the scene.
struct Corners {
  vec3 a, b, c;
};

/// The factors by which the simple form of a shape is scaled.
BC_HD inline dvec3 scale_of(const Shape& shape) {
  const double a = shape.size[0], b = shape.size[1], c = shape.size[2];
  switch (shape.kind) {
    case ShapeKind::ellipsoid:
    case ShapeKind::box:
      return {a, b, c};
    case ShapeKind::cylinder:
    case ShapeKind::cone:
      return {a, a, b};
    case ShapeKind::plane:
    case ShapeKind::floor:
      return {a, b, 1.0};
    case ShapeKind::disc:
      return {a, a, 1.0};
    default:
      return {a, a, a};
  }
}

/// L of a capsule: half the length of its straight part, in units of its radius.
BC_HD inline double straight_part(const Shape& shape) {
  return double{shape.size[1]} / double{shape.size[0]};
}

BC_HD inline bool is_flat(ShapeKind kind) {
  return kind == ShapeKind::disc || kind == ShapeKind::plane || kind == ShapeKind::floor;
}

/// The map from the space of the scene to that of a shape.
class IntoShape {
 public:
  BC_HD IntoShape(const Shape& shape, const Transform& to_scene) : at_(column(to_scene, 3)) {
    const Cofactors c = cofactors_of(to_scene);
    const dvec3 scale = scale_of(shape);
    x_ = c.x * (1.0 / times(c.determinant, scale.x));
    y_ = c.y * (1.0 / times(c.determinant, scale.y));
    z_ = c.z * (1.0 / times(c.determinant, scale.z));
  }
  BC_HD dvec3 direction(const dvec3& v) const { return {dot(x_, v), dot(y_, v), dot(z_, v)}; }
  BC_HD dvec3 point(const dvec3& p) const { return direction(p - at_); }

 private:
  dvec3 x_, y_, z_, at_;
};

/// The values of t for which a line is inside of something. Empty unless enter < leave.
struct Interval {
  double enter, leave;

  BC_HD bool is_empty() const { return !(enter < leave); }
};

/// Larger than every |t|.
inline constexpr double kEndless = 0x1p500;
BC_HD inline Interval whole_line() { return {-kEndless, kEndless}; }
BC_HD inline Interval no_part() { return {kEndless, -kEndless}; }

/// What is in both intervals.
BC_HD inline Interval common(const Interval& a, const Interval& b) {
  return {a.enter > b.enter ? a.enter : b.enter, a.leave < b.leave ? a.leave : b.leave};
}
/// The interval that begins with the first and ends with the last of two intervals.
BC_HD inline Interval joined(const Interval& a, const Interval& b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {a.enter < b.enter ? a.enter : b.enter, a.leave > b.leave ? a.leave : b.leave};
}

/// Where |o + t d| < half.
BC_HD inline Interval between_planes(double o, double d, double half) {
  if (d == 0.0) return magnitude_of(o) < half ? whole_line() : no_part();
  const double low = (-half - o) / d, high = (half - o) / d;
  return low < high ? Interval{low, high} : Interval{high, low};
}

/// Where |o + t d| < 1. For vectors with z = 0 this is a circular cylinder.
BC_HD inline Interval in_ball(const dvec3& o, const dvec3& d) {
  const double a = dot(d, d);
  if (!(a > 0.0)) return dot(o, o) < 1.0 ? whole_line() : no_part();
  const double nearest = -dot(o, d) / a;
  const dvec3 q = o + d * nearest;
  const double room = 1.0 - dot(q, q);
  if (!(room > 0.0)) return no_part();
  const double half = sqrt(room / a);
  return {nearest - half, nearest + half};
}

/// Where x^2 + y^2 < w^2, with w = (1 - z) / 2, below the apex.
BC_HD inline Interval in_cone(const dvec3& o, const dvec3& d) {
  const double w = times(0.5, 1.0 - o.z), v = times(-0.5, d.z);
  // The sign of a t^2 + 2 b t + c says on which side of the cone's surface the line is.
  const double a = (times(d.x, d.x) + times(d.y, d.y)) - times(v, v);
  const double b = (times(o.x, d.x) + times(o.y, d.y)) - times(w, v);
  const double c = (times(o.x, o.x) + times(o.y, o.y)) - times(w, w);
  const Interval below_apex = d.z > 0.0   ? Interval{-kEndless, (1.0 - o.z) / d.z}
                              : d.z < 0.0 ? Interval{(1.0 - o.z) / d.z, kEndless}
                              : o.z < 1.0 ? whole_line()
                                          : no_part();
  const double root = difference_of_products(b, b, a, c);
  if (!(root > 0.0)) return a < 0.0 ? below_apex : no_part();
  const double q = b > 0.0 ? -(b + sqrt(root)) : sqrt(root) - b;  // never 0
  const double first = c / q;
  if (a == 0.0)
    return common(below_apex, b > 0.0 ? Interval{-kEndless, first} : Interval{first, kEndless});
  const double second = q / a, low = first < second ? first : second,
               high = first < second ? second : first;
  if (a > 0.0) return common(below_apex, {low, high});
  // The line passes through both halves of the double cone. It is in the lower half where z is
  // small.
  return common(below_apex, d.z > 0.0 ? Interval{-kEndless, low} : Interval{high, kEndless});
}

BC_HD inline dvec3 without_z(const dvec3& v) { return {v.x, v.y, 0.0}; }

/// Where a line is inside of a solid.
BC_HD inline Interval interval_in(const Shape& shape, const dvec3& o, const dvec3& d) {
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
      return in_ball(o, d);
    case ShapeKind::box:
      return common(between_planes(o.x, d.x, 1.0),
                    common(between_planes(o.y, d.y, 1.0), between_planes(o.z, d.z, 1.0)));
    case ShapeKind::cylinder:
      return common(in_ball(without_z(o), without_z(d)), between_planes(o.z, d.z, 1.0));
    case ShapeKind::capsule: {
      const double half = straight_part(shape);
      const dvec3 up = {0.0, 0.0, half};
      const Interval side =
          common(in_ball(without_z(o), without_z(d)), between_planes(o.z, d.z, half));
      return joined(side, joined(in_ball(o - up, d), in_ball(o + up, d)));
    }
    case ShapeKind::cone:
      return common(in_cone(o, d), between_planes(o.z, d.z, 1.0));
    default:
      return no_part();
  }
}

/// The octahedral coordinates of a direction, from 0 to 1 (Q. Meyer et al., On Floating-Point
/// Normal Vectors, 2010): the octahedron |x| + |y| + |z| = 1, with its lower half folded outwards.
struct Octahedral {
  double u, v;
};
BC_HD inline Octahedral octahedral_of(const dvec3& way) {
  const double sum = magnitude_of(way.x) + magnitude_of(way.y) + magnitude_of(way.z);
  double x = way.x / sum, y = way.y / sum;
  if (way.z < 0.0) {
    const double folded = x >= 0.0 ? 1.0 - magnitude_of(y) : magnitude_of(y) - 1.0;
    y = y >= 0.0 ? 1.0 - magnitude_of(x) : magnitude_of(x) - 1.0;
    x = folded;
  }
  return {times(0.5, x + 1.0), times(0.5, y + 1.0)};
}
BC_HD inline dvec3 direction_at(const Octahedral& at) {
  double x = times(2.0, at.u) - 1.0, y = times(2.0, at.v) - 1.0;
  const double z = (1.0 - magnitude_of(x)) - magnitude_of(y);
  if (z < 0.0) {
    const double folded = x >= 0.0 ? 1.0 - magnitude_of(y) : magnitude_of(y) - 1.0;
    y = y >= 0.0 ? 1.0 - magnitude_of(x) : magnitude_of(x) - 1.0;
    x = folded;
  }
  return {x, y, z};
}

/// A point on a shape's surface and the normal there, outwards, of any length; both in the space of
/// the shape.
struct PointOfShape {
  dvec3 point, normal;
};

/// The point of a solid's surface that lies in this direction from the centre.
BC_HD inline PointOfShape surface_towards(const Shape& shape, const dvec3& d) {
  const double round = sqrt(times(d.x, d.x) + times(d.y, d.y)), up = magnitude_of(d.z);
  const dvec3 end = {0.0, 0.0, d.z < 0.0 ? -1.0 : 1.0};
  switch (shape.kind) {
    case ShapeKind::box: {
      const double x = magnitude_of(d.x), y = magnitude_of(d.y);
      if (up >= x && up >= y) return {d * (1.0 / up), end};
      if (x >= y) return {d * (1.0 / x), {d.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0}};
      return {d * (1.0 / y), {0.0, d.y < 0.0 ? -1.0 : 1.0, 0.0}};
    }
    case ShapeKind::cylinder:
      if (up >= round) return {d * (1.0 / up), end};
      return {d * (1.0 / round), without_z(d)};
    case ShapeKind::cone: {
      // The side is reached at s = 1 / (2 round + z), the base at s = -1 / z.
      const double side = times(2.0, round) + d.z;
      if (-d.z >= side) return {d * (-1.0 / d.z), end};
      return {d * (1.0 / side), {d.x, d.y, times(0.5, round)}};
    }
    case ShapeKind::capsule: {
      const double half = straight_part(shape);
      if (up <= times(half, round)) return {d * (1.0 / round), without_z(d)};
      const dvec3 middle = end * half;
      const double a = dot(d, d), along = times(up, half);
      const double s = (along + sqrt(times(along, along) - times(a, times(half, half) - 1.0))) / a;
      const dvec3 p = d * s;
      return {p, p - middle};
    }
    default: {
      const dvec3 p = d * (1.0 / sqrt(dot(d, d)));
      return {p, p};
    }
  }
}

/// The point of a shape with the coordinates u and v of a hit.
BC_HD inline PointOfShape point_of_shape(const Shape& shape, float u, float v) {
  if (is_flat(shape.kind))
    return {{times(2.0, double{u}) - 1.0, times(2.0, double{v}) - 1.0, 0.0}, {0.0, 0.0, 1.0}};
  return surface_towards(shape, direction_at({double{u}, double{v}}));
}

/// The crossings of a ray with a shape, in the order of t: at most two.
struct ShapeCrossings {
  u32 count = 0;
  float t[2];
  bool front[2];  // true if the ray meets the outside; for flat shapes, the side of +z
  Octahedral at[2];
};

/// Sets a crossing at `t` of the line o + t d. `shift`: the amount by which o was moved.
BC_HD inline void add_crossing(const Shape& shape, const dvec3& o, const dvec3& d, double t,
                               double shift, bool front, ShapeCrossings& to) {
  const dvec3 p = o + d * t;
  to.t[to.count] = static_cast<float>(t + shift) + 0.0f;
  to.front[to.count] = front;
  to.at[to.count++] = is_flat(shape.kind) ? Octahedral{times(0.5, p.x + 1.0), times(0.5, p.y + 1.0)}
                                          : octahedral_of(p);
}

/// All crossings of the line of a ray with a shape. Not inlined, because few scenes have shapes and
/// inlined code takes registers in every kernel.
BC_HD BC_COLD inline ShapeCrossings cross_shape(const Shape& shape, const Transform& to_scene,
                                                const Ray& ray) {
  ShapeCrossings found;
  const IntoShape into(shape, to_scene);
  const dvec3 from = into.point(dvec3(vec3(ray.origin))),
              d = into.direction(dvec3(vec3(ray.direction)));
  const double squared = dot(d, d);
  if (!(squared > 0.0 && squared < kEndless)) return found;  // also if the instance is hidden
  const double shift = -dot(from, d) / squared;
  const dvec3 o = from + d * shift;
  if (is_flat(shape.kind)) {
    const double t = -o.z / d.z;
    const double x = o.x + times(d.x, t), y = o.y + times(d.y, t);
    const bool inside = shape.kind == ShapeKind::disc
                            ? times(x, x) + times(y, y) < 1.0
                            : magnitude_of(x) < 1.0 && magnitude_of(y) < 1.0;
    const bool front = d.z < 0.0;
    const bool back = d.z > 0.0 && shape.kind != ShapeKind::floor;
    if (inside && (front || back)) add_crossing(shape, o, d, t, shift, front, found);
    return found;
  }
  const Interval interval = interval_in(shape, o, d);
  if (interval.is_empty() || !(magnitude_of(interval.enter) < kEndless)) return found;
  add_crossing(shape, o, d, interval.enter, shift, true, found);
  add_crossing(shape, o, d, interval.leave, shift, false, found);
  if (!(found.t[0] < found.t[1])) found.count = 0;
  return found;
}

/// A triangle that touches a shape at the point with the coordinates u and v of a hit: this point
/// is (1-u-v) a + u b + v c, and the triangle has the normal of the shape there. So code that
/// shades triangles can shade shapes.
///
/// The triangle is about as large as the coordinates of the point, so that rounding of its corners
/// hardly turns the normal.
BC_HD BC_COLD inline Corners touching_triangle(const Shape& shape, const Transform& to_scene,
                                               float u, float v) {
  const PointOfShape at = point_of_shape(shape, u, v);
  const dvec3 scale = scale_of(shape);
  const dvec3 p = at.point * scale;
  const dvec3 x = column(to_scene, 0), y = column(to_scene, 1), z = column(to_scene, 2);
  const dvec3 point = x * p.x + y * p.y + z * p.z + column(to_scene, 3);
  const Cofactors c = cofactors_of(to_scene);
  // With the sign of the determinant: triangles of a mirrored instance turn the other way.
  const dvec3 across =
      c.x * (at.normal.x / scale.x) + c.y * (at.normal.y / scale.y) + c.z * (at.normal.z / scale.z);
  const dvec3 n = across * (1.0 / sqrt(dot(across, across)));
  // Two directions across n (T. Duff et al., Building an Orthonormal Basis, Revisited, 2017)
  const double sign = n.z < 0.0 ? -1.0 : 1.0, k = -1.0 / (sign + n.z);
  const double m = times(times(n.x, n.y), k);
  const double size = sqrt(dot(point, point)) + sqrt(dot(x, x)) * scale.x +
                      sqrt(dot(y, y)) * scale.y + sqrt(dot(z, z)) * scale.z;
  const dvec3 ab = dvec3(1.0 + times(sign * k, times(n.x, n.x)), sign * m, -(sign * n.x)) * size;
  const dvec3 ac = dvec3(m, sign + times(times(n.y, n.y), k), -n.y) * size;
  const dvec3 a = point - ab * double{u} - ac * double{v};
  return {vec3(a), vec3(a + ab), vec3(a + ac)};
}

/// True if a point, in the space of the scene, is inside of a solid shape. Points on the surface
/// are outside.
BC_HD BC_COLD inline bool is_inside_shape(const Shape& shape, const Transform& to_scene,
                                          const dvec3& point) {
  const dvec3 p = IntoShape(shape, to_scene).point(point);
  const double round = times(p.x, p.x) + times(p.y, p.y), up = magnitude_of(p.z);
  switch (shape.kind) {
    case ShapeKind::sphere:
    case ShapeKind::ellipsoid:
      return dot(p, p) < 1.0;
    case ShapeKind::box:
      return magnitude_of(p.x) < 1.0 && magnitude_of(p.y) < 1.0 && up < 1.0;
    case ShapeKind::cylinder:
      return round < 1.0 && up < 1.0;
    case ShapeKind::capsule: {
      const double half = straight_part(shape), above = up > half ? up - half : 0.0;
      return round + times(above, above) < 1.0;
    }
    case ShapeKind::cone: {
      const double w = times(0.5, 1.0 - p.z);
      return round < times(w, w) && up < 1.0;
    }
    default:
      return false;
  }
}

}  // namespace ballotcast::detail
