// Rays of Python's arrays as the library takes them, and what becomes of their hits.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "ballotcast/ballotcast.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::python {

inline Vec3d minus(const Vec3d& a, const Vec3d& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3d along(const Vec3d& from, const Vec3d& d, double t) {
  return {from.x + t * d.x, from.y + t * d.y, from.z + t * d.z};
}
inline double dot(const Vec3d& a, const Vec3d& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3d cross(const Vec3d& a, const Vec3d& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3d in_double(const Vec3f& v) { return {double{v.x}, double{v.y}, double{v.z}}; }
inline Vec3f in_float(const Vec3d& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

/// The corners of a triangle, relative to Scene::origin().
struct DoubleCorners {
  Vec3d a, b, c;

  Vec3d normal() const { return cross(minus(b, a), minus(c, a)); }
};

inline DoubleCorners corners_of(const detail::SceneView& view, std::uint32_t id) {
  const detail::Corners corners = detail::corners_of(view, detail::place_of(view, id));
  return {in_double(corners.a), in_double(corners.b), in_double(corners.c)};
}

/// A ball around the scene, relative to Scene::origin().
struct Ball {
  Vec3d centre;
  double radius;

  explicit Ball(const Scene& scene) {
    const Box box = scene.bounds();
    const Vec3d low = minus(box.low, scene.origin()), high = minus(box.high, scene.origin());
    const Vec3d half = {(high.x - low.x) / 2, (high.y - low.y) / 2, (high.z - low.z) / 2};
    centre = along(low, half, 1.0);
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
  PreciseRay(const Vec3d& origin, const Vec3d& direction, const Ball& ball)
      : origin_(origin), reach_(ball.radius + std::sqrt(dot(ball.centre, ball.centre))) {
    const double largest = std::fmax(std::fabs(direction.x),
                                     std::fmax(std::fabs(direction.y), std::fabs(direction.z)));
    if (!(largest > 0.0) || !std::isfinite(largest)) return;  // misses, as `unit_` is 0
    const int exponent = std::ilogb(largest);
    unit_ = std::ldexp(1.0, exponent);
    shrunk_ = {std::ldexp(direction.x, -exponent), std::ldexp(direction.y, -exponent),
               std::ldexp(direction.z, -exponent)};
    const double squared = dot(shrunk_, shrunk_);
    const double nearest = dot(minus(ball.centre, origin), shrunk_) / squared;
    const double half = 1.01 * ball.radius / std::sqrt(squared);
    if (nearest - half > 0.0) start_ = nearest - half;
  }

  Ray to_cast(double t_min, double t_max) const {
    if (unit_ == 0.0) return {{0, 0, 0}, 0, {0, 0, 0}, 0};
    return {in_float(along(origin_, shrunk_, start_)), static_cast<float>(t_min * unit_ - start_),
            in_float(shrunk_), static_cast<float>(t_max * unit_ - start_)};
  }

  /// The distance of a hit, given that of the ray that was cast: on the plane of the triangle, or
  /// by `t` alone if the ray hardly crosses that plane.
  double distance(float t, const DoubleCorners& triangle) const {
    const double about = start_ + double{t};
    const Vec3d normal = triangle.normal();
    const double exact = dot(normal, minus(triangle.a, origin_)) / dot(normal, shrunk_);
    const bool agrees = std::fabs(exact - about) <= 0x1p-18 * (reach_ + std::fabs(double{t}));
    return (agrees ? exact : about) / unit_;
  }

 private:
  Vec3d origin_;
  Vec3d shrunk_{0, 0, 0};  // the direction; its largest component is in [1, 2)
  double unit_ = 0.0;      // how many times as long the direction is
  double start_ = 0.0;     // in units of shrunk_
  double reach_ = 0.0;     // the size of coordinates in the scene
};

}  // namespace ballotcast::python
