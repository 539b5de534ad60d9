// What Python's rays and hits need to know of a scene, in double.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "ballotcast/ballotcast.hpp"
#include "geometry/precise_ray.hpp"
#include "kernels/hit_fields.hpp"

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

}  // namespace ballotcast::python
