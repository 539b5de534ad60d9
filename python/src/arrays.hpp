// NumPy arrays of rays and points, as the library reads them: in place, whatever their strides.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <tuple>

#include "ballotcast/ballotcast.hpp"
#include "kernels/queries/table.hpp"
#include "scene.hpp"

namespace ballotcast::python {

using detail::Ball;
using detail::dot;
using detail::dvec3;
using detail::StridedNumbers;
using detail::vec3;

/// Rows of three numbers; neither rows nor numbers need to be neighbours.
template <class T>
using Vectors = nb::ndarray<const T, nb::shape<-1, 3>, nb::device::cpu>;

/// A ball around the scene, relative to Scene::origin().
inline Ball ball_around(const Scene& scene) {
  const Box box = scene.bounds();
  const dvec3 low = dvec3(box.low) - dvec3(scene.origin());
  const dvec3 half = (dvec3(box.high) - dvec3(scene.origin()) - low) / 2.0;
  return {low + half, std::sqrt(dot(half, half))};
}

/// One axis, of which all arrays have the size of the query.
inline constexpr detail::ArrayShape kOneAxis{1u, {}};

/// An array with a row for each item, or one row for all.
template <class T>
StridedNumbers as_strided(const Vectors<T>& rows) {
  StridedNumbers numbers{};
  for (int k = 0; rows.shape(0) == 1 && k < 3; ++k)
    numbers.value[k] = double{rows.data()[k * rows.stride(1)]};
  if (rows.shape(0) == 1) return numbers;
  numbers.data = rows.data();
  numbers.stride[0] = rows.stride(0);
  numbers.step = rows.stride(1);
  numbers.is_double = sizeof(T) == sizeof(double);
  return numbers;
}

/// The same with one number instead of three.
inline StridedNumbers as_strided(const Numbers<const double>& all) {
  if (all.shape(0) == 1) return {nullptr, {}, 0, 0u, {all.data()[0]}};
  return {all.data(), {1}, 0, 1u, {}};
}

/// Rays in NumPy arrays, to be cast into one scene. Keeps the arrays.
class Rays {
 public:
  template <class T>
  Rays(const SceneHandle& scene, Vectors<T> origins, Vectors<T> directions,
       Numbers<const double> t_min, Numbers<const double> t_max, Worlds worlds)
      : arrays_{kOneAxis,
                as_strided(origins),
                as_strided(directions),
                as_strided(t_min),
                as_strided(t_max),
                dvec3(scene.scene().origin()),
                ball_around(scene.scene()),
                sizeof(T) == sizeof(double)},
        worlds_(worlds_of(worlds)),
        count_(std::max({origins.shape(0), directions.shape(0), t_min.shape(0), t_max.shape(0),
                         worlds ? worlds->shape(0) : 1})) {
    owners_ = std::make_shared<decltype(std::tuple(origins, directions, t_min, t_max, worlds))>(
        origins, directions, t_min, t_max, worlds);
  }

  const detail::RayArrays& arrays() const { return arrays_; }
  const RayWorlds& worlds() const { return worlds_; }
  std::uint64_t count() const { return count_; }
  bool are_precise() const { return arrays_.precise != 0; }

  /// A query of a row of kernels/queries/table.hpp about all of them.
  template <class Row>
  detail::Query query(typename Row::Result* results) const {
    return detail::query<Row>(&arrays_, count_, worlds_, results);
  }
  /// How many of them have a NaN.
  std::uint64_t nans() const;

 private:
  detail::RayArrays arrays_;
  RayWorlds worlds_;
  std::uint64_t count_;
  std::shared_ptr<const void> owners_;
};

/// Stores the distance of hit i, and its place in the world, in double.
inline void store_precise(const Rays& rays, std::uint64_t i, const Hit* hits,
                          const detail::SceneView& view, double* distances, dvec3* places) {
  detail::StorePreciseT::item(i, view, rays.arrays(), hits, distances);
  detail::StorePrecisePlace::item(i, rays.arrays(), hits, distances, places);
}

}  // namespace ballotcast::python
