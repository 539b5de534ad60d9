// Where rays cross shapes, in quadruple precision: each face of a shape is intersected alone. (The
// library intersects intervals of t instead; geometry/shape.hpp.)
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/shape.hpp"

namespace ballotcast::detail::testing {

__extension__ typedef __float128 Quad;

/// The square root, by Newton's method from the root in double precision.
inline Quad root_of(Quad x) {
  if (!(x > 0)) return 0;
  Quad root = static_cast<Quad>(std::sqrt(static_cast<double>(x)));
  for (int i = 0; i < 3; ++i) root = (root + x / root) / 2;
  return root;
}

struct QuadVec {
  Quad x, y, z;
  friend QuadVec operator+(QuadVec a, QuadVec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend QuadVec operator-(QuadVec a, QuadVec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend QuadVec operator*(QuadVec a, Quad s) { return {a.x * s, a.y * s, a.z * s}; }
};
inline Quad dot(QuadVec a, QuadVec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline QuadVec cross(QuadVec a, QuadVec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Quad length(QuadVec v) { return root_of(dot(v, v)); }

/// A crossing of a line with a face of a shape.
struct ExactCrossing {
  Quad t;
  QuadVec normal;  // outwards, in the space of the scene, of length 1
  double cosine;   // of the angle between the line and the normal, in the space of the shape
};

/// A line in the space of a shape, where the shape has its simple form.
class ExactLine {
 public:
  /// `grown`: a factor on the size of the shape.
  ExactLine(const Shape& shape, const Transform& m, const Ray& ray, double grown = 1.0)
      : kind_(shape.kind) {
    const dvec3 scale = scale_of(shape) * grown;
    const auto column = [&](int i) { return QuadVec{m.rows[0][i], m.rows[1][i], m.rows[2][i]}; };
    const QuadVec x = column(0) * scale.x, y = column(1) * scale.y, z = column(2) * scale.z;
    const QuadVec yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
    const Quad volume = dot(x, yz);
    into_[0] = yz * (1 / volume), into_[1] = zx * (1 / volume), into_[2] = xy * (1 / volume);
    o = into(QuadVec{ray.origin.x, ray.origin.y, ray.origin.z} - column(3));
    d = into({ray.direction.x, ray.direction.y, ray.direction.z});
    if (kind_ == ShapeKind::capsule) half_ = Quad(shape.size[1]) / Quad(shape.size[0]) / grown;
  }

  /// All crossings, in the order of t: none or two of a solid, at most one of a flat shape.
  std::vector<ExactCrossing> crossings() const {
    std::vector<ExactCrossing> found;
    const auto add = [&](Quad t, QuadVec normal) {
      const QuadVec outwards = into_[0] * normal.x + into_[1] * normal.y + into_[2] * normal.z;
      const double cosine = static_cast<double>(dot(normal, d) / length(normal) / length(d));
      found.push_back({t, outwards * (1 / length(outwards)), std::abs(cosine)});
    };
    const auto round = [](QuadVec p) { return p.x * p.x + p.y * p.y; };
    const auto plane = [&](Quad from, Quad way, Quad side, QuadVec normal, auto is_inside) {
      if (way == 0) return;
      const Quad t = (side - from) / way;
      if (is_inside(at(t))) add(t, normal);
    };
    const auto ends = [&](auto is_inside) {
      plane(o.z, d.z, 1, {0, 0, 1}, is_inside);
      plane(o.z, d.z, -1, {0, 0, -1}, is_inside);
    };
    const auto disc = [&](QuadVec p) { return round(p) < 1; };
    switch (kind_) {
      case ShapeKind::box: {
        const auto in = [](Quad v) { return v < 1 && v > -1; };
        for (int side = -1; side <= 1; side += 2) {
          const Quad s = side;
          plane(o.x, d.x, s, {s, 0, 0}, [&](QuadVec p) { return in(p.y) && in(p.z); });
          plane(o.y, d.y, s, {0, s, 0}, [&](QuadVec p) { return in(p.x) && in(p.z); });
          plane(o.z, d.z, s, {0, 0, s}, [&](QuadVec p) { return in(p.x) && in(p.y); });
        }
        break;
      }
      case ShapeKind::cylinder:
        ends(disc);
        for (const Quad t : roots({o.x, o.y, 0}, {d.x, d.y, 0}))
          if (const QuadVec p = at(t); p.z < 1 && p.z > -1) add(t, {p.x, p.y, 0});
        break;
      case ShapeKind::cone: {
        plane(o.z, d.z, -1, {0, 0, -1}, disc);
        const Quad w = (1 - o.z) / 2, v = -d.z / 2;
        for (const Quad t : roots(d.x * d.x + d.y * d.y - v * v, o.x * d.x + o.y * d.y - w * v,
                                  o.x * o.x + o.y * o.y - w * w))
          if (const QuadVec p = at(t); p.z < 1 && p.z > -1) add(t, {p.x, p.y, (1 - p.z) / 4});
        break;
      }
      case ShapeKind::capsule:
        if (half_ == 0) {
          for (const Quad t : roots(o, d)) add(t, at(t));
          break;
        }
        for (const Quad t : roots({o.x, o.y, 0}, {d.x, d.y, 0}))
          if (const QuadVec p = at(t); p.z <= half_ && p.z >= -half_) add(t, {p.x, p.y, 0});
        for (const Quad end : {half_, -half_}) {
          const QuadVec middle{0, 0, end};
          for (const Quad t : roots(o - middle, d))
            if (const Quad z = at(t).z; end > 0 ? z > end : z < end) add(t, at(t) - middle);
        }
        break;
      case ShapeKind::disc:
        plane(o.z, d.z, 0, {0, 0, 1}, disc);
        break;
      case ShapeKind::floor:
        if (d.z >= 0) break;
        [[fallthrough]];
      case ShapeKind::plane:
        plane(o.z, d.z, 0, {0, 0, 1},
              [](QuadVec p) { return p.x < 1 && p.x > -1 && p.y < 1 && p.y > -1; });
        break;
      default:
        for (const Quad t : roots(o, d)) add(t, at(t));
    }
    std::sort(found.begin(), found.end(),
              [](const ExactCrossing& a, const ExactCrossing& b) { return a.t < b.t; });
    if (found.size() > 2) found.erase(found.begin() + 1, found.end() - 1);
    return found;
  }

  QuadVec o, d;

 private:
  QuadVec into(QuadVec v) const { return {dot(into_[0], v), dot(into_[1], v), dot(into_[2], v)}; }
  QuadVec at(Quad t) const { return o + d * t; }

  /// The solutions of a t^2 + 2 b t + c = 0.
  static std::vector<Quad> roots(Quad a, Quad b, Quad c) {
    const Quad under = b * b - a * c;
    if (under < 0) return {};
    if (a == 0) return b == 0 ? std::vector<Quad>{} : std::vector<Quad>{-c / (2 * b)};
    return {(-b - root_of(under)) / a, (-b + root_of(under)) / a};
  }
  /// Where |o + t d| = 1.
  static std::vector<Quad> roots(QuadVec from, QuadVec way) {
    return roots(dot(way, way), dot(from, way), dot(from, from) - 1);
  }

  ShapeKind kind_;
  QuadVec into_[3];
  Quad half_ = 0;  // L of a capsule
};

}  // namespace ballotcast::detail::testing
