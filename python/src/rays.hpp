// Rays in NumPy arrays, and the distances of their hits in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ballotcast/ballotcast.hpp"
#include "geometry/precise_ray.hpp"
#include "kernels/hit_fields.hpp"
#include "scene.hpp"

namespace ballotcast::python {

using detail::Ball;
using detail::dot;
using detail::DoubleCorners;
using detail::dvec3;
using detail::PreciseRay;
using detail::vec3;

/// A ball around the scene, relative to Scene::origin().
inline Ball ball_around(const Scene& scene) {
  const Box box = scene.bounds();
  const dvec3 low = dvec3(box.low) - dvec3(scene.origin());
  const dvec3 half = (dvec3(box.high) - dvec3(scene.origin()) - low) / 2.0;
  return {low + half, std::sqrt(dot(half, half))};
}

/// What rays are made of: arrays with a row per ray, or with one row for all.
template <class T>
class RaySource {
 public:
  RaySource(const Rows<const T, 3>& origins, const Rows<const T, 3>& directions,
            const Numbers<const double>& t_min, const Numbers<const double>& t_max,
            const Scene& scene)
      : size_(std::max(std::max(origins.shape(0), directions.shape(0)),
                       std::max(t_min.shape(0), t_max.shape(0)))),
        origins_(origins.data()),
        directions_(directions.data()),
        t_min_(t_min.data()),
        t_max_(t_max.data()),
        origin_step_(origins.shape(0) == 1 ? 0 : 3),
        direction_step_(directions.shape(0) == 1 ? 0 : 3),
        t_min_step_(t_min.shape(0) == 1 ? 0 : 1),
        t_max_step_(t_max.shape(0) == 1 ? 0 : 1),
        scene_origin_(scene.origin()),
        ball_(ball_around(scene)) {}

  std::size_t size() const { return size_; }
  bool has_nan(std::size_t i) const {
    const T* o = origins_ + i * origin_step_;
    const T* d = directions_ + i * direction_step_;
    const T sum = (o[0] + o[1] + o[2]) * T(0) + (d[0] + d[1] + d[2]) * T(0);
    if (sum == T(0) && !std::isnan(t_min(i) + 0 * t_max(i))) return false;
    for (int k = 0; k < 3; ++k)
      if (std::isnan(o[k]) || std::isnan(d[k])) return true;
    return std::isnan(t_min(i)) || std::isnan(t_max(i));
  }
  PreciseRay precise(std::size_t i) const { return {origin(i), direction(i), ball_}; }
  Ray ray(std::size_t i) const {
    if constexpr (sizeof(T) == sizeof(double)) return precise(i).to_cast(t_min(i), t_max(i));
    return {vec3(origin(i)), static_cast<float>(t_min(i)), vec3(direction(i)),
            static_cast<float>(t_max(i))};
  }

 private:
  dvec3 origin(std::size_t i) const {
    const T* o = origins_ + i * origin_step_;
    return dvec3(double{o[0]}, double{o[1]}, double{o[2]}) - scene_origin_;
  }
  dvec3 direction(std::size_t i) const {
    const T* d = directions_ + i * direction_step_;
    return {double{d[0]}, double{d[1]}, double{d[2]}};
  }
  double t_min(std::size_t i) const { return t_min_[i * t_min_step_]; }
  double t_max(std::size_t i) const { return t_max_[i * t_max_step_]; }

  std::size_t size_;
  const T *origins_, *directions_;
  const double *t_min_, *t_max_;
  std::size_t origin_step_, direction_step_, t_min_step_, t_max_step_;
  dvec3 scene_origin_;
  Ball ball_;
};

/// The distance of a hit, in double.
template <class T>
double distance_of(const RaySource<T>& source, std::size_t i, const Hit& hit,
                   const detail::SceneView& view) {
  if (!hit.found()) return std::numeric_limits<double>::infinity();
  return source.precise(i).distance(hit.t, detail::corners_of(view, hit.triangle));
}

}  // namespace ballotcast::python
