// Rays in NumPy arrays, and the distances of their hits in double.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ballotcast/ballotcast.hpp"
#include "geometry/precise_ray.hpp"
#include "kernels/ray_arrays.hpp"
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

/// Rows of three numbers that lie one behind the other; the rows need not.
template <class T>
using Vectors = nb::ndarray<const T, nb::shape<-1, 3>, nb::device::cpu>;

/// What rays are made of: arrays with a row per ray, or with one row for all.
template <class T>
class RaySource {
 public:
  RaySource(const Vectors<T>& origins, const Vectors<T>& directions,
            const Numbers<const double>& t_min, const Numbers<const double>& t_max,
            const Worlds& worlds, const Scene& scene)
      : size_(std::max({origins.shape(0), directions.shape(0), t_min.shape(0), t_max.shape(0),
                        worlds ? worlds->shape(0) : 1})),
        origins_(origins.data()),
        directions_(directions.data()),
        t_min_(t_min.data()),
        t_max_(t_max.data()),
        origin_step_(step_of(origins)),
        direction_step_(step_of(directions)),
        t_min_step_(t_min.shape(0) == 1 ? 0 : 1),
        t_max_step_(t_max.shape(0) == 1 ? 0 : 1),
        scene_origin_(scene.origin()),
        ball_(ball_around(scene)) {}

  std::size_t size() const { return size_; }
  bool has_nan(std::size_t i) const {
    const T* o = row(origins_, i, origin_step_);
    const T* d = row(directions_, i, direction_step_);
    const T sum = (o[0] + o[1] + o[2]) * T(0) + (d[0] + d[1] + d[2]) * T(0);
    if (sum == T(0) && !std::isnan(t_min(i) + 0 * t_max(i))) return false;
    for (int k = 0; k < 3; ++k)
      if (std::isnan(o[k]) || std::isnan(d[k])) return true;
    return std::isnan(t_min(i)) || std::isnan(t_max(i));
  }
  PreciseRay precise(std::size_t i) const { return {origin(i), direction(i), ball_}; }
  /// The place at a distance along the ray, in the world.
  dvec3 place(std::size_t i, double t) const {
    return place_of(row(origins_, i, origin_step_)) + t * direction(i);
  }
  Ray ray(std::size_t i) const {
    if constexpr (sizeof(T) == sizeof(double)) return precise(i).to_cast(t_min(i), t_max(i));
    return {vec3(origin(i)), static_cast<float>(t_min(i)), vec3(direction(i)),
            static_cast<float>(t_max(i))};
  }

 private:
  static std::ptrdiff_t step_of(const Vectors<T>& rows) {
    if (rows.stride(1) != 1) throw Error("the three numbers of a vector must be neighbours");
    return rows.shape(0) == 1 ? 0 : static_cast<std::ptrdiff_t>(rows.stride(0));
  }
  static const T* row(const T* first, std::size_t i, std::ptrdiff_t step) {
    return first + static_cast<std::ptrdiff_t>(i) * step;
  }
  static dvec3 place_of(const T* p) { return {double{p[0]}, double{p[1]}, double{p[2]}}; }
  dvec3 origin(std::size_t i) const {
    return place_of(row(origins_, i, origin_step_)) - scene_origin_;
  }
  dvec3 direction(std::size_t i) const { return place_of(row(directions_, i, direction_step_)); }
  double t_min(std::size_t i) const { return t_min_[i * t_min_step_]; }
  double t_max(std::size_t i) const { return t_max_[i * t_max_step_]; }

  std::size_t size_;
  const T *origins_, *directions_;
  const double *t_min_, *t_max_;
  std::ptrdiff_t origin_step_, direction_step_;
  std::size_t t_min_step_, t_max_step_;
  dvec3 scene_origin_;
  Ball ball_;
};

/// Calls use(i) for hits [begin, end), and asks ahead for the corners of their triangles.
template <class Use>
void with_corners_ahead(const detail::SceneView& view, const Hit* hits, std::size_t begin,
                        std::size_t end, const Use& use) {
  constexpr std::size_t kAhead = 12;
  const auto found = [&](std::size_t i) {
    return i < end && hits[i].found() && view.instances.count == 0;
  };
  for (std::size_t i = begin; i < end; ++i) {
    if (found(i + 2 * kAhead))
      __builtin_prefetch(view.mesh.triangles + hits[i + 2 * kAhead].triangle);
    if (found(i + kAhead)) {
      const detail::uvec3 corners = view.mesh.triangles[hits[i + kAhead].triangle];
      __builtin_prefetch(view.mesh.positions + corners.x);
      __builtin_prefetch(view.mesh.positions + corners.y);
      __builtin_prefetch(view.mesh.positions + corners.z);
    }
    use(i);
  }
}

/// The distance of a hit, in double.
template <class T>
double distance_of(const RaySource<T>& source, std::size_t i, const Hit& hit,
                   const detail::SceneView& view) {
  return detail::StorePreciseT::of(view, source.precise(i), hit);
}

/// Stores the distance of hit i, and its place in the world, in double.
template <class T>
void store_precise(const RaySource<T>& source, std::size_t i, const Hit& hit,
                   const detail::SceneView& view, double* distances, double* places) {
  const double t = distance_of(source, i, hit, view);
  const dvec3 place =
      hit.found() ? source.place(i, t) : dvec3(std::numeric_limits<double>::quiet_NaN());
  distances[i] = t;
  std::copy_n(&place.x, 3, places + 3 * i);
}

}  // namespace ballotcast::python
