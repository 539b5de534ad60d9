// Rays of Python's arrays as the library takes them, and what becomes of their hits.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "ballotcast/ballotcast.hpp"
#include "math/vec.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::python {

using detail::cross;
using detail::dot;
using detail::dvec3;
using detail::vec3;

/// The corners of a triangle, relative to Scene::origin().
struct DoubleCorners {
  dvec3 a, b, c;

  dvec3 normal() const { return cross(b - a, c - a); }
  /// The point with the weights u of b and v of c.
  dvec3 at(double u, double v) const { return (1.0 - u - v) * a + u * b + v * c; }
};

inline DoubleCorners corners_of(const detail::SceneView& view, std::uint32_t id) {
  const detail::Corners corners = detail::corners_of(view, detail::place_of(view, id));
  return {dvec3(corners.a), dvec3(corners.b), dvec3(corners.c)};
}

/// A ball around the scene, relative to Scene::origin().
struct Ball {
  dvec3 centre;
  double radius;

  explicit Ball(const Scene& scene) {
    const Box box = scene.bounds();
    const dvec3 low = dvec3(box.low) - dvec3(scene.origin());
    const dvec3 half = (dvec3(box.high) - dvec3(scene.origin()) - low) / 2.0;
    centre = low + half;
    radius = std::sqrt(dot(half, half));
  }
};

/// A ray of doubles. If it starts away from the scene, the ray that is cast starts near it, at
/// `start`, so that rounding to floats costs no precision there.
///
///   origin ------------ start --[ scene ]-->     t = start + t of the ray that is cast / unit
class PreciseRay {
 public:
  /// `origin` is relative to Scene::origin().
  PreciseRay(const dvec3& origin, const dvec3& direction, const Ball& ball)
      : origin_(origin), reach_(ball.radius + std::sqrt(dot(ball.centre, ball.centre))) {
    const double largest = std::fmax(std::fabs(direction.x),
                                     std::fmax(std::fabs(direction.y), std::fabs(direction.z)));
    if (!(largest > 0.0) || !std::isfinite(largest)) return;  // misses, as `unit_` is 0
    const int exponent = std::ilogb(largest);
    unit_ = std::ldexp(1.0, exponent);
    shrunk_ = {std::ldexp(direction.x, -exponent), std::ldexp(direction.y, -exponent),
               std::ldexp(direction.z, -exponent)};
    const double squared = dot(shrunk_, shrunk_);
    const double nearest = dot(ball.centre - origin, shrunk_) / squared;
    const double half = 1.01 * ball.radius / std::sqrt(squared);
    if (nearest - half > 0.0) start_ = nearest - half;
  }

  Ray to_cast(double t_min, double t_max) const {
    if (unit_ == 0.0) return {{0, 0, 0}, 0, {0, 0, 0}, 0};
    return {vec3(origin_ + start_ * shrunk_), static_cast<float>(t_min * unit_ - start_),
            vec3(shrunk_), static_cast<float>(t_max * unit_ - start_)};
  }

  /// The distance of a hit, given that of the ray that was cast: on the plane of the triangle, or
  /// by `t` alone if the ray hardly crosses that plane.
  double distance(float t, const DoubleCorners& triangle) const {
    const double about = start_ + double{t};
    const dvec3 normal = triangle.normal();
    const double exact = dot(normal, triangle.a - origin_) / dot(normal, shrunk_);
    const bool agrees = std::fabs(exact - about) <= 0x1p-18 * (reach_ + std::fabs(double{t}));
    return (agrees ? exact : about) / unit_;
  }

 private:
  dvec3 origin_;
  dvec3 shrunk_{0, 0, 0};  // the direction; its largest component is in [1, 2)
  double unit_ = 0.0;      // how many times as long the direction is
  double start_ = 0.0;     // in units of shrunk_
  double reach_ = 0.0;     // the size of coordinates in the scene
};

}  // namespace ballotcast::python
