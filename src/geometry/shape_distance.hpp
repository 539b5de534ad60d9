// The point of a shape's surface that is closest to a given point, for any affine transform. The
// same bits on every machine.
//
// A surface consists of patches: parallelograms, filled ellipses, ellipsoids, and the sides of
// cylinders and cones. Each patch offers a few points, and the closest of all is the result. Every
// offered point lies on the surface, but for rounding. So a distance is never too small, and the
// result is right if the closest point is among those offered. It is:
//
// - From outside, the solid has one closest point, because it is convex. If that point lies within
//   a patch, it is also the closest one of the patch's whole ellipsoid, cylinder or cone. Else it
//   lies on an end of a side, and there the search along a line of the side stops, too.
// - From inside, the largest ball in the solid touches a patch within. The ball is also inside of
//   the whole ellipsoid, cylinder or cone, so again the point is the closest one of the whole.
// - The caps of a capsule are an exception: the ball may be inside of the capsule, but not inside
//   of the ellipsoid of a cap. There the point is at least locally the closest on the ellipsoid.
//   Besides the closest point, an ellipsoid has at most one that is locally the closest
//   (J. M. Martinez, Local minimizers of quadratic functions on Euclidean balls and spheres, 1994).
//
// A point of a side is computed from its line: the point of this line that is closest. So the error
// of the line's direction moves the point along the surface only, and hardly changes the distance.
//
// Error of the distance: with R the distance of the given point from the farthest point of the
// shape, and k the distortion of the transform and of the sizes, at most 2^-48 k R for a point
// beside the surface; elsewhere errors along the surface cancel, and it is 2^-46 R.
#pragma once

#include "geometry/point_triangle.hpp"
#include "geometry/shape.hpp"

namespace ballotcast::detail {

/// The point of a shape's surface that is closest to a given point.
struct ClosestOnShape {
  double squared;  // the squared distance
  dvec3 at;        // the point in the space of the shape, where the shape has its simple form
  dvec3 place;     // the point in the space of the scene
};

/// Two or three vectors, turned into one another until they are perpendicular: axis[i] is the sum
/// of vector k times turn[i][k]. So they are the half axes of the ellipse or ellipsoid that the
/// vectors make of the unit circle or sphere.
struct HalfAxes {
  dvec3 axis[3];
  double turn[3][3];
  double squared[3];  // the squared lengths

  /// One-sided Jacobi rotations (M. R. Hestenes, Inversion of Matrices by Biorthogonalization and
  /// Related Results, 1958). With z = 0 the third axis stays 0.
  BC_HD HalfAxes(const dvec3& x, const dvec3& y, const dvec3& z)
      : axis{x, y, z}, turn{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}} {
    constexpr u32 kMostTurns = 16;
    bool turned = true;
    for (u32 round = 0; turned && round < kMostTurns; ++round) {
      turned = rotate(0u, 1u);
      turned = rotate(0u, 2u) || turned;
      turned = rotate(1u, 2u) || turned;
    }
    for (u32 i = 0; i < 3u; ++i) squared[i] = dot(axis[i], axis[i]);
  }

  /// The sum of the axes times `z`, as factors of the vectors.
  BC_HD dvec3 turned_back(const double* z) const {
    double out[3];
    for (u32 k = 0; k < 3u; ++k)
      out[k] = (times(z[0], turn[0][k]) + times(z[1], turn[1][k])) + times(z[2], turn[2][k]);
    return {out[0], out[1], out[2]};
  }

 private:
  BC_HD bool rotate(u32 i, u32 j) {
    const double a = dot(axis[i], axis[i]), b = dot(axis[j], axis[j]), c = dot(axis[i], axis[j]);
    if (!(times(c, c) > 0x1p-104 * times(a, b))) return false;
    const double zeta = (b - a) / times(2.0, c);
    const double t =
        (zeta < 0.0 ? -1.0 : 1.0) / (magnitude_of(zeta) + sqrt(1.0 + times(zeta, zeta)));
    const double cosine = 1.0 / sqrt(1.0 + times(t, t)), sine = times(t, cosine);
    const dvec3 of_i = axis[i];
    axis[i] = of_i * cosine - axis[j] * sine;
    axis[j] = of_i * sine + axis[j] * cosine;
    for (u32 k = 0; k < 3u; ++k) {
      const double of_k = turn[i][k];
      turn[i][k] = times(of_k, cosine) - times(turn[j][k], sine);
      turn[j][k] = times(of_k, sine) + times(turn[j][k], cosine);
    }
    return true;
  }
};

/// The search for the point of an ellipsoid, or of an ellipse, that is closest to a given point.
///
/// With axes of length a, and w the scalar products of the axes and the point, the closest point
/// has the coordinates z = w / (s + gap) along the axes, in units of them, where gap = a^2 - m^2, m
/// is the shortest axis, and s > 0 is such that |z| = 1 (D. Eberly, Distance from a Point to an
/// Ellipse, an Ellipsoid, or a Hyperellipsoid, 2013; the step is that of J. J. More, D. C.
/// Sorensen, Computing a Trust Region Step, 1983, and never passes the root). If the point has no
/// part along the shortest axis, s may be 0, and the last coordinate follows from |z| = 1. This is
/// also so for a filled ellipse, which is an ellipsoid with an axis of length 0.
class OnEllipsoid {
 public:
  double z[3];  // the result; |z| = 1

  /// `count`: 2 for an ellipse, 3 for an ellipsoid.
  BC_HD OnEllipsoid(const HalfAxes& axes, const dvec3& point, u32 count) : z{0.0, 0.0, 0.0} {
    shortest_ = 0;
    for (u32 i = 1; i < count; ++i)
      if (axes.squared[i] < axes.squared[shortest_]) shortest_ = i;
    for (u32 i = 0; i < 3u; ++i) {
      w_[i] = i < count ? dot(axes.axis[i], point) : 0.0;
      gap_[i] = i < count ? axes.squared[i] - axes.squared[shortest_] : 0.0;
    }
  }

  /// Finds the closest point. If two are equally close, the first on the positive shortest axis.
  BC_HD void find_closest() {
    double s = 0.0;
    for (u32 i = 0; i < 3u; ++i) {
      const double least = magnitude_of(w_[i]) - gap_[i];
      if (least > s) s = least;
    }
    if (!(s > 0.0)) {
      const double square = set(0.0);
      if (square <= 1.0) {
        z[shortest_] = sqrt(1.0 - square);
        return;
      }
    }
    for (u32 i = 0; i < kMostSteps; ++i) {
      const double square = set(s), length = sqrt(square);
      const double step = times(length - 1.0, square) / slope(s);
      if (!(length > 1.0) || !(s + step > s)) break;
      s += step;
    }
    make_unit();
  }

  /// Finds the other point that is locally the closest, after find_closest(). Returns false if
  /// there is none. It has -gap < s < 0, and |z| grows there.
  BC_HD bool find_other() {
    if (w_[shortest_] == 0.0) {
      z[shortest_] = -z[shortest_];
      return z[shortest_] != 0.0;
    }
    double room = kEndless;
    for (u32 i = 0; i < 3u; ++i)
      if (i != shortest_ && gap_[i] < room) room = gap_[i];
    double s = -magnitude_of(w_[shortest_]);
    for (u32 i = 0; i < kMostSteps; ++i) {
      if (!(s > -room)) return false;
      const double square = set(s), growth = times(-2.0, slope(s));
      if (!(growth > 0.0)) return false;
      const double step = (square - 1.0) / growth;
      if (!(step > 0.0) || !(s - step < s)) break;
      s -= step;
    }
    const double square = set(s);
    if (!(magnitude_of(square - 1.0) < 0x1p-20)) return false;
    make_unit();
    return true;
  }

 private:
  static constexpr u32 kMostSteps = 64;

  /// Sets z for a value of s, and returns |z|^2.
  BC_HD double set(double s) {
    for (u32 i = 0; i < 3u; ++i) z[i] = w_[i] == 0.0 ? 0.0 : w_[i] / (s + gap_[i]);
    return squared_length(z[0], z[1], z[2]);
  }
  /// The sum of z^2 / (s + gap).
  BC_HD double slope(double s) const {
    double sum = 0.0;
    for (u32 i = 0; i < 3u; ++i)
      if (z[i] != 0.0) sum += times(z[i], z[i]) / (s + gap_[i]);
    return sum;
  }
  BC_HD void make_unit() {
    const double inverse = 1.0 / sqrt(squared_length(z[0], z[1], z[2]));
    for (double& part : z) part = times(part, inverse);
  }

  u32 shortest_;
  double w_[3], gap_[3];
};

/// `value`, moved to [low, high].
BC_HD inline double clamp_to(double value, double low, double high) {
  return value > low ? (value < high ? value : high) : low;
}

/// The direction, in the circle of a cone's base, of the line of its side that is closest to a
/// point. `point` is relative to the apex; the vectors go from there to the base's centre (`down`),
/// and from there to its rim. Not of length 1.
///
/// The double cone is y B y = 0. In the coordinates along the eigenvectors of B, with c = 1 /
/// eigenvalue, the closest point is y = q c / (c + l) with some l. l lies between -c of the shorter
/// axis and -c < 0, the only one that is positive, if the cone opens towards the point, and above
/// it if not. There one root is left, which is found by halving an interval.
BC_HD inline dvec3 line_of_cone(const dvec3& x, const dvec3& y, const dvec3& down,
                                const dvec3& point) {
  const dvec3 yz = cross(y, down), zx = cross(down, x), xy = cross(x, y);
  const double inverse = 1.0 / dot(x, yz);
  const dvec3 rx = yz * inverse, ry = zx * inverse, rz = xy * inverse;
  const auto entry = [&](double ax, double bx, double ay, double by, double az, double bz) {
    return (times(ax, bx) + times(ay, by)) - times(az, bz);
  };
  double b[3][3] = {
      {entry(rx.x, rx.x, ry.x, ry.x, rz.x, rz.x), entry(rx.x, rx.y, ry.x, ry.y, rz.x, rz.y),
       entry(rx.x, rx.z, ry.x, ry.z, rz.x, rz.z)},
      {0.0, entry(rx.y, rx.y, ry.y, ry.y, rz.y, rz.y), entry(rx.y, rx.z, ry.y, ry.z, rz.y, rz.z)},
      {0.0, 0.0, entry(rx.z, rx.z, ry.z, ry.z, rz.z, rz.z)}};
  double e[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};  // rows: eigenvectors
  // Jacobi rotations (G. H. Golub, C. F. Van Loan, Matrix Computations, section 8.5)
  const auto rotate = [&](u32 i, u32 j, u32 k) {  // i < j; k is the third axis
    const double a = b[i][i], d = b[j][j], c = b[i][j];
    if (!(times(c, c) > 0x1p-104 * magnitude_of(times(a, d)))) return false;
    const double zeta = (d - a) / times(2.0, c);
    const double t =
        (zeta < 0.0 ? -1.0 : 1.0) / (magnitude_of(zeta) + sqrt(1.0 + times(zeta, zeta)));
    const double cosine = 1.0 / sqrt(1.0 + times(t, t)), sine = times(t, cosine);
    double &ik = i < k ? b[i][k] : b[k][i], &jk = j < k ? b[j][k] : b[k][j];
    const double of_i = ik;
    b[i][i] = a - times(t, c);
    b[j][j] = d + times(t, c);
    b[i][j] = 0.0;
    ik = times(of_i, cosine) - times(jk, sine);
    jk = times(of_i, sine) + times(jk, cosine);
    for (u32 m = 0; m < 3u; ++m) {
      const double of_m = e[i][m];
      e[i][m] = times(of_m, cosine) - times(e[j][m], sine);
      e[j][m] = times(of_m, sine) + times(e[j][m], cosine);
    }
    return true;
  };
  constexpr u32 kMostTurns = 16, kMostHalvings = 128;
  bool turned = true;
  for (u32 round = 0; turned && round < kMostTurns; ++round) {
    turned = rotate(0u, 1u, 2u);
    turned = rotate(0u, 2u, 1u) || turned;
    turned = rotate(1u, 2u, 0u) || turned;
  }
  // n: the axis along which the cone opens; p and r: the others, c of p is the smaller one
  const u32 n = b[0][0] < 0.0 ? 0u : b[1][1] < 0.0 ? 1u : 2u;
  u32 p = n == 0u ? 1u : 0u, r = n == 2u ? 1u : 2u;
  if (b[p][p] < b[r][r]) {
    const u32 other = p;
    p = r;
    r = other;
  }
  const dvec3 ep = {e[p][0], e[p][1], e[p][2]}, er = {e[r][0], e[r][1], e[r][2]};
  dvec3 en = {e[n][0], e[n][1], e[n][2]};
  if (dot(en, down) < 0.0) en = -en;
  const double cp = 1.0 / b[p][p], cr = 1.0 / b[r][r], cn = -1.0 / b[n][n];
  const double qp = dot(ep, point), qr = dot(er, point), qn = dot(en, point);
  const double sp = times(qp, qp), sr = times(qr, qr), sn = times(qn, qn);
  const bool opens = qn >= 0.0, inside = opens && sp / cp + sr / cr < sn / cn;
  // The place of the root: l + cp from inside, else |cn - l|
  const double sign = opens ? -1.0 : 1.0;
  const auto part = [](double c, double s, double sum) {
    return s == 0.0 ? 0.0 : times(c, s) / times(sum, sum);
  };
  const auto too_low = [&](double at) {  // true if the root is above
    return inside ? part(cp, sp, at) + part(cr, sr, (cr - cp) + at) > part(cn, sn, (cn + cp) - at)
                  : part(cn, sn, at) > part(cp, sp, (cp + cn) + times(sign, at)) +
                                           part(cr, sr, (cr + cn) + times(sign, at));
  };
  // Behind the cone, where no line is closer than the apex
  if (!opens && times(cp, sp) + times(cr, sr) <= times(cn, sn)) return {1.0, 0.0, 0.0};
  double low = 0.0, high = inside ? cp : cn;
  for (u32 i = 0; !opens && i < kMostHalvings && too_low(high); ++i) high = times(2.0, high);
  for (u32 i = 0; i < kMostHalvings; ++i) {
    const double middle = times(0.5, low + high);
    if (!(low < middle && middle < high)) break;
    (too_low(middle) ? low : high) = middle;
  }
  const auto coordinate = [](double q, double c, double sum) {
    return q == 0.0 ? 0.0 : times(q, c) / sum;
  };
  double yp, yr, yn;
  if (inside) {
    yr = coordinate(qr, cr, (cr - cp) + high);
    yn = coordinate(qn, cn, (cn + cp) - high);
    yp = coordinate(qp, cp, high);
    if (high < 0x1p-50 * cp) {  // the point is hardly off the plane through the other two axes
      const double square = times(yn, yn) / cn - times(yr, yr) / cr;
      yp = square > 0.0 ? sqrt(times(cp, square)) : 0.0;
      if (qp < 0.0) yp = -yp;
    }
  } else {
    yp = coordinate(qp, cp, (cp + cn) + times(sign, high));
    yr = coordinate(qr, cr, (cr + cn) + times(sign, high));
    yn = sqrt(times(cn, times(yp, yp) / cp + times(yr, yr) / cr));
  }
  const dvec3 place = ep * yp + er * yr + en * yn;
  return {dot(rx, place), dot(ry, place), 0.0};
}

/// The search for the closest point of a shape: the patches of its surface offer points.
class ShapeSearch {
 public:
  ClosestOnShape best{kEndless, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

  BC_HD ShapeSearch(const Shape& shape, const Transform& to_scene, const dvec3& point) {
    const dvec3 scale = scale_of(shape);
    x_ = column(to_scene, 0) * scale.x;
    y_ = column(to_scene, 1) * scale.y;
    z_ = column(to_scene, 2) * scale.z;
    at_ = column(to_scene, 3);
    q_ = point - at_;
  }

  /// A parallelogram: all points middle + s along + t across with |s|, |t| <= 1. The vectors are in
  /// the space of the shape.
  BC_HD void offer_parallelogram(const dvec3& middle, const dvec3& along, const dvec3& across) {
    const dvec3 a = placed(along), c = placed(across), d = q_ - placed(middle);
    const double aa = dot(a, a), ac = dot(a, c), cc = dot(c, c), da = dot(d, a), dc = dot(d, c);
    const dvec3 upright = c - a * (ac / aa);  // a way across that is perpendicular to a
    const double t = dot(d, upright) / dot(upright, upright), s = (da - times(t, ac)) / aa;
    const auto offer_at = [&](double of_a, double of_c) {
      offer(middle + along * of_a + across * of_c);
    };
    const bool beyond_a = magnitude_of(s) > 1.0, beyond_c = magnitude_of(t) > 1.0;
    if (!beyond_a && !beyond_c) offer_at(s, t);
    // The closest point lies on an edge that the foot of the perpendicular is beyond.
    if (beyond_a) {
      const double end = s < 0.0 ? -1.0 : 1.0;
      offer_at(end, clamp_to((dc - times(end, ac)) / cc, -1.0, 1.0));
    }
    if (beyond_c) {
      const double end = t < 0.0 ? -1.0 : 1.0;
      offer_at(clamp_to((da - times(end, ac)) / aa, -1.0, 1.0), end);
    }
  }

  /// The disc of radius 1 around the z axis at this height.
  BC_HD void offer_disc(double height) {
    const HalfAxes axes(x_, y_, dvec3(0.0));
    OnEllipsoid search(axes, q_ - z_ * height, 3u);
    search.find_closest();
    const dvec3 at = axes.turned_back(search.z);
    offer({at.x, at.y, height});
  }

  /// The sphere of radius 1 around the origin.
  BC_HD void offer_sphere() {
    const HalfAxes axes(x_, y_, z_);
    OnEllipsoid search(axes, q_, 3u);
    search.find_closest();
    offer(axes.turned_back(search.z));
  }

  /// The outer halves of the spheres of radius 1 at this height and below the origin.
  BC_HD void offer_caps(double height) {
    const HalfAxes axes(x_, y_, z_);
    for (u32 i = 0; i < 2u; ++i) {
      const double end = i == 0u ? 1.0 : -1.0;
      const dvec3 middle = {0.0, 0.0, times(end, height)};
      OnEllipsoid search(axes, q_ - z_ * middle.z, 3u);
      search.find_closest();
      dvec3 at = axes.turned_back(search.z);
      bool is_outer = times(end, at.z) >= 0.0;
      if (!is_outer && search.find_other()) {
        at = axes.turned_back(search.z);
        is_outer = times(end, at.z) >= 0.0;
      }
      if (is_outer) offer(middle + at);
    }
  }

  /// The side of the cylinder of radius 1 around the z axis, up to this height.
  BC_HD void offer_tube(double height) {
    const double zz = dot(z_, z_);
    const HalfAxes axes(x_ - z_ * (dot(x_, z_) / zz), y_ - z_ * (dot(y_, z_) / zz), dvec3(0.0));
    OnEllipsoid search(axes, q_, 2u);
    search.find_closest();
    const dvec3 line = axes.turned_back(search.z);
    const double up = dot(q_ - (x_ * line.x + y_ * line.y), z_) / zz;
    offer({line.x, line.y, clamp_to(up, -height, height)});
  }

  /// The side of the cone.
  BC_HD void offer_cone() {
    const dvec3 down = z_ * -2.0, from_apex = q_ - z_;
    dvec3 line = line_of_cone(x_, y_, down, from_apex);
    const double length = sqrt(dot(line, line));
    line = length > 0.0 ? line * (1.0 / length) : dvec3(1.0, 0.0, 0.0);
    const dvec3 way = (x_ * line.x + y_ * line.y) + down;
    const double part = clamp_to(dot(from_apex, way) / dot(way, way), 0.0, 1.0);
    offer({times(line.x, part), times(line.y, part), 1.0 - times(2.0, part)});
  }

 private:
  BC_HD dvec3 placed(const dvec3& p) const { return (x_ * p.x + y_ * p.y) + z_ * p.z; }

  /// Keeps a point of the surface if it is closer than those before.
  BC_HD void offer(const dvec3& at) {
    const dvec3 place = placed(at);
    const double squared = squared_length(place - q_);
    if (squared < best.squared) best = {squared, at, place + at_};
  }

  dvec3 x_, y_, z_, at_;  // the shape's axes and its centre, in the space of the scene
  dvec3 q_;               // the given point, relative to the centre
};

/// The point of a shape's surface that is closest to a point, which is in the space of the scene.
/// Of several points that are equally close it is one, the same on every machine. Not for hidden
/// instances. Not inlined, as cross_shape.
BC_HD BC_COLD inline ClosestOnShape closest_on_shape(const Shape& shape, const Transform& to_scene,
                                                     const dvec3& point) {
  ShapeSearch search(shape, to_scene, point);
  const dvec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0}, z = {0.0, 0.0, 1.0};
  switch (shape.kind) {
    case ShapeKind::box:
      for (u32 i = 0; i < 6u; ++i) {
        const dvec3 out = (i < 2u ? z : i < 4u ? y : x) * (i % 2u == 0u ? 1.0 : -1.0);
        search.offer_parallelogram(out, i < 4u ? x : y, i < 2u ? y : z);
      }
      break;
    case ShapeKind::plane:
      search.offer_parallelogram({0.0, 0.0, 0.0}, x, y);
      break;
    case ShapeKind::disc:
      search.offer_disc(0.0);
      break;
    case ShapeKind::cylinder:
      search.offer_disc(1.0);
      search.offer_disc(-1.0);
      search.offer_tube(1.0);
      break;
    case ShapeKind::cone:
      search.offer_disc(-1.0);
      search.offer_cone();
      break;
    case ShapeKind::capsule:
      search.offer_caps(straight_part(shape));
      search.offer_tube(straight_part(shape));
      break;
    default:
      search.offer_sphere();
  }
  return search.best;
}

/// The coordinates of a point of a shape's surface, as those of a hit there.
BC_HD inline Octahedral coordinates_on(const Shape& shape, const dvec3& at) {
  return is_flat(shape.kind) ? Octahedral{times(0.5, at.x + 1.0), times(0.5, at.y + 1.0)}
                             : octahedral_of(at);
}

}  // namespace ballotcast::detail
