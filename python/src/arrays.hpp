// NumPy arrays of rays and points. The library reads them in place, whatever their strides.
#pragma once

#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <variant>

#include "ballotcast/ballotcast.hpp"
#include "kernels/queries/queries.hpp"
#include "render/internals.hpp"
#include "scene.hpp"

namespace ballotcast::python {

using detail::Ball;
using detail::dot;
using detail::dvec3;
using detail::StridedNumbers;
using detail::vec3;

/// Rows of three floats or doubles, with any strides.
using Vectors = nb::ndarray<nb::ro, nb::shape<-1, 3>, nb::device::cpu>;

/// A ball that contains a box. Both are relative to Scene::origin().
inline Ball ball_around(const detail::Aabb& box, const dvec3& origin) {
  if (box.empty()) return {dvec3(0.0), 0.0};
  // Computes world coordinates first, so that rounding is the same as in Scene::bounds().
  const dvec3 low = (origin + dvec3(box.low)) - origin;
  const dvec3 half = ((origin + dvec3(box.high)) - origin - low) / 2.0;
  return {low + half, std::sqrt(dot(half, half))};
}

/// A ball that contains the scene of a renderer in its present state.
inline Ball ball_around(const Renderer& renderer) {
  return ball_around(detail::prepared_of(renderer).bounds, dvec3(renderer.scene().origin()));
}

/// The shape of queries from NumPy: one axis, whose size here is a placeholder.
inline constexpr detail::ArrayShape kOneAxis{1u, {}};

inline bool is_double(const Vectors& rows) { return rows.dtype() == nb::dtype<double>(); }

/// An array with one row for each item, or one row for all items.
inline StridedNumbers as_strided(const Vectors& rows) {
  StridedNumbers numbers{};
  numbers.data = rows.data();
  numbers.step = rows.stride(1);
  numbers.is_double = is_double(rows);
  if (rows.shape(0) == 1) {
    const StridedNumbers number = numbers;
    for (detail::u32 k = 0; k < 3; ++k) numbers.value[k] = number.at(0, k);
    numbers.data = nullptr;
    return numbers;
  }
  numbers.stride[0] = rows.stride(0);
  return numbers;
}

/// A t_min or t_max: one number for all rays, or an array with one number for each ray.
using Limits = std::variant<double, Numbers<const double>>;

inline StridedNumbers as_strided(const Limits& limits) {
  if (const double* const number = std::get_if<double>(&limits))
    return {nullptr, {}, 0, 0u, {*number}};
  const auto& all = std::get<1>(limits);
  if (all.shape(0) == 1) return {nullptr, {}, 0, 0u, {all.data()[0]}};
  return {all.data(), {1}, 0, 1u, {}};
}

inline std::size_t size_of(const Limits& limits) {
  return limits.index() == 0 ? 1 : std::get<1>(limits).shape(0);
}

/// A number for each ray, or one for all: masks of rays, or ids of triangles or instances to skip.
using Words = std::optional<Numbers<const std::uint32_t>>;

/// The filter of a cast. `sides`: the number of a value of Sides.
inline RayFilter filter_of(std::uint32_t sides, const Words& masks, const Words& skip,
                           const Words& skip_instance) {
  RayFilter filter;
  filter.sides = static_cast<Sides>(sides);
  if (masks && masks->shape(0) == 1)
    filter.mask = masks->data()[0];
  else if (masks)
    filter.masks = masks->data();
  if (skip) filter.skip = skip->data();
  if (skip_instance && skip_instance->shape(0) == 1)
    filter.skip_instance = skip_instance->data()[0];
  else if (skip_instance)
    filter.skip_instances = skip_instance->data();
  return filter;
}

/// Rays in NumPy arrays. A Rays object keeps references to the arrays.
class Rays {
 public:
  Rays(Vectors origins, Vectors directions, Limits t_min, Limits t_max, Worlds worlds,
       std::uint32_t sides, Words masks, Words skip, Words skip_instance)
      : arrays_{kOneAxis,
                as_strided(origins),
                as_strided(directions),
                as_strided(t_min),
                as_strided(t_max),
                dvec3(0.0),
                Ball(dvec3(0.0), 0.0),
                is_double(origins),
                1u},
        worlds_(worlds_of(worlds)),
        filter_(filter_of(sides, masks, skip, skip_instance)),
        count_(std::max({origins.shape(0), directions.shape(0), size_of(t_min), size_of(t_max),
                         worlds ? worlds->shape(0) : 1, masks ? masks->shape(0) : 1,
                         skip ? skip->shape(0) : 1, skip_instance ? skip_instance->shape(0) : 1})),
        owners_(std::move(origins), std::move(directions), std::move(t_min), std::move(t_max),
                std::move(worlds), std::move(masks), std::move(skip), std::move(skip_instance)) {}

  /// Sets the scene into which the rays are cast, in its present state: casts of doubles need its
  /// position and size.
  void aim_at(const Renderer& renderer) {
    arrays_.origin = dvec3(renderer.scene().origin());
    arrays_.ball = ball_around(renderer);
  }

  const detail::RayArrays& arrays() const { return arrays_; }
  const RayWorlds& worlds() const { return worlds_; }
  const RayFilter& filter() const { return filter_; }
  std::uint64_t count() const { return count_; }
  bool are_precise() const { return arrays_.precise != 0; }

  /// A query about all rays. `Row`: a row of kernels/queries/queries.hpp.
  template <class Row>
  detail::Query query(typename Row::Result* results) const {
    detail::Query asked = detail::query<Row>(&arrays_, count_, worlds_, results);
    asked.filter.rays = filter_;
    return asked;
  }
  /// The number of rays with a NaN, and the number of rays whose directions are scaled before they
  /// are cast.
  struct Special {
    std::uint64_t nans = 0, scaled = 0;
  };
  Special count_special() const;

 private:
  detail::RayArrays arrays_;
  RayWorlds worlds_;
  RayFilter filter_;
  std::uint64_t count_;
  std::tuple<Vectors, Vectors, Limits, Limits, Worlds, Words, Words, Words> owners_;
};

/// Stores the distance t of hit i, and the hit's point in world coordinates, as doubles.
inline void store_precise(const Rays& rays, std::uint64_t i, const Hit* hits,
                          const detail::SceneView& view, double* distances, dvec3* places) {
  detail::StorePreciseT::item(i, view, rays.arrays(), hits, distances);
  detail::StorePrecisePlace::item(i, rays.arrays(), hits, distances, places);
}

}  // namespace ballotcast::python
