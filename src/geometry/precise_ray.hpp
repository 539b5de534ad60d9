// Rays of doubles, for callers whose coordinates need more precision than a float has.
#pragma once

#include "math/ray_hit.hpp"

namespace ballotcast::detail {

/// The corners of a triangle.
struct DoubleCorners {
  dvec3 a, b, c;

  BC_HD dvec3 normal() const { return cross(b - a, c - a); }
  /// The point with the barycentric weights u of b and v of c.
  BC_HD dvec3 at(double u, double v) const { return (1.0 - u - v) * a + u * b + v * c; }
};

/// A ball around a scene.
struct Ball {
  dvec3 centre;
  double radius;
  double reach;  // the largest distance of a point of the ball from the origin of coordinates

  Ball() = default;
  BC_HD Ball(const dvec3& c, double r) : centre(c), radius(r), reach(r + sqrt(dot(c, c))) {}
};

/// A ray of doubles. If it starts outside of the scene, the ray that is cast starts at `start`,
/// near the scene, so that rounding to floats costs no precision there.
///
///   origin ------------ start --[ scene ]-->     t = (start + t of the ray that is cast) / unit
class PreciseRay {
 public:
  /// `origin` and `ball` are relative to Scene::origin().
  BC_HD PreciseRay(const dvec3& origin, const dvec3& direction, const Ball& ball)
      : origin_(origin), reach_(ball.reach) {
    const double largest = fmax(fabs(direction.x), fmax(fabs(direction.y), fabs(direction.z)));
    // The ray misses everything, because `unit_` is 0
    if (!(largest > 0.0 && largest <= kLargestDouble)) return;
    shrink(direction, largest);
    const double squared = dot(shrunk_, shrunk_), ahead = dot(ball.centre - origin, shrunk_);
    // Most rays start in the ball or beyond it, and are not moved. This test needs no square root.
    if (ahead <= 0.0 || ahead * ahead < ball.radius * ball.radius * squared) return;
    const double nearest = ahead / squared;
    const double half = 1.01 * ball.radius / sqrt(squared);
    if (nearest - half > 0.0) start_ = nearest - half;
  }

  BC_HD Ray to_cast(double t_min, double t_max) const {
    if (unit_ == 0.0) return {{0, 0, 0}, 0, {0, 0, 0}, 0};
    return {vec3(origin_ + start_ * shrunk_), static_cast<float>(t_min * unit_ - start_),
            vec3(shrunk_), static_cast<float>(t_max * unit_ - start_)};
  }

  /// Converts a distance along the ray that is cast to a distance along this ray.
  BC_HD double along(double t) const { return (start_ + t) / unit_; }

  /// The distance of a hit of the ray that was cast. It is computed from the plane of the triangle,
  /// or from `t` alone if the ray is nearly parallel to that plane.
  BC_HD double distance(float t, const DoubleCorners& triangle) const {
    const double about = start_ + double{t};
    const dvec3 normal = triangle.normal();
    const double exact = dot(normal, triangle.a - origin_) / dot(normal, shrunk_);
    const bool agrees = fabs(exact - about) <= 0x1p-18 * (reach_ + fabs(double{t}));
    return (agrees ? exact : about) / unit_;
  }

 private:
  /// Divides the direction by the largest power of two that is not above `largest`.
  BC_HD void shrink(const dvec3& direction, double largest) {
    constexpr u64 kExponent = 0x7ff0000000000000u, kTwice = 0x7fe0000000000000u;
    const u64 power = bits_of(largest) & kExponent;
    if (power != 0u && power != kTwice) {
      // A faster way to compute the same numbers: the reciprocal of a power of two is a double,
      // too.
      unit_ = double_of(power);
      shrunk_ = direction * double_of(kTwice - power);
      return;
    }
    const int exponent = ilogb(largest);
    unit_ = ldexp(1.0, exponent);
    shrunk_ = {ldexp(direction.x, -exponent), ldexp(direction.y, -exponent),
               ldexp(direction.z, -exponent)};
  }

  static constexpr double kLargestDouble = 0x1.fffffffffffffp1023;

  dvec3 origin_;
  dvec3 shrunk_{0, 0, 0};  // the direction, scaled so that its largest component is in [1, 2)
  double unit_ = 0.0;      // a power of two: direction = unit_ * shrunk_
  double start_ = 0.0;     // the distance from the origin to `start`, in units of shrunk_
  double reach_ = 0.0;     // see Ball
};

}  // namespace ballotcast::detail
