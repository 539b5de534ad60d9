#include "scene/camera.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/triangle.hpp"
#include "math/trig.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

double length_of(dvec3 v) { return std::sqrt(glm::dot(v, v)); }

/// Half the height of the picture at distance 1.
double half_height_of(double fov) {
  const SinCos half = sincos_degrees(fov / 2.0);
  return half.sin / half.cos;
}

bool finite(dvec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

Camera complete(const CameraSettings& camera) {
  return {*camera.eye, *camera.look_at, *camera.up, *camera.fov};
}

void require_fov(double fov) {
  if (!(fov > 0.0 && fov < 180.0))
    throw UsageError("camera: fov must lie between 0 and 180 degrees");
  if (const double half = half_height_of(fov); !(half >= 1e-6 && half <= 1e6))
    throw UsageError("camera: fov is too near 0 or 180 degrees to be drawn");
}

CameraView make_view(const Camera& camera, dvec3 origin, u32 width, u32 height) {
  if (!finite(camera.eye) || !finite(camera.look_at) || !finite(camera.up))
    throw UsageError("camera: eye, look-at and up must be finite");
  require_fov(camera.fov);
  const dvec3 sight = dvec3(camera.look_at) - dvec3(camera.eye);
  const double distance = length_of(sight);
  if (!(distance > 0.0)) throw UsageError("camera: eye and look-at are the same point");
  const dvec3 forward = sight / distance;
  const double up_scale =
      std::max({std::abs(camera.up.x), std::abs(camera.up.y), std::abs(camera.up.z)});
  const dvec3 stated_up =
      // Scaled, so that squares do not underflow.
      up_scale > 0.0 ? dvec3(camera.up) / up_scale : dvec3(camera.up);
  const dvec3 side = glm::cross(forward, stated_up);
  const double side_length = length_of(side);
  if (!(side_length > 1e-9))
    throw UsageError("camera: up is zero or parallel to the line of sight");
  const dvec3 right = side / side_length;
  const dvec3 up = glm::cross(right, forward);

  const double half_height = half_height_of(camera.fov);
  const double pixel = 2.0 * half_height / height;
  const dvec3 place = dvec3(camera.eye) - origin;
  if (!(std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)}) <= kLargestCoordinate))
    throw UsageError("camera: the eye lies beyond 2^40");
  const dvec3 corner = forward - right * (pixel * width / 2.0) + up * half_height;
  return {vec3(place), vec3(corner), vec3(right * pixel), vec3(up * -pixel)};
}

}  // namespace ballotcast::detail
