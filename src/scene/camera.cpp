#include "scene/camera.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

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
  return {*camera.eye,  *camera.look_at, *camera.up,          *camera.fov,
          *camera.lens, *camera.focus,   *camera.ortho_height};
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
  for (const auto& [name, size] : {std::pair{"lens", camera.lens},
                                   {"focus", camera.focus},
                                   {"ortho_height", camera.ortho_height}})
    if (!(size >= 0.0 && size <= kLargestCoordinate))
      throw UsageError(std::string("camera: ") + name + " must be between 0 and 2^40");
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

  const bool parallel = camera.ortho_height > 0.0;
  const double half_height = parallel ? camera.ortho_height / 2.0 : half_height_of(camera.fov);
  const double pixel = 2.0 * half_height / height;
  const dvec3 place = dvec3(camera.eye) - origin;
  if (!(std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)}) <= kLargestCoordinate))
    throw UsageError("camera: the eye lies beyond 2^40");
  const dvec3 corner =
      (parallel ? dvec3(0.0) : forward) - right * (pixel * width / 2.0) + up * half_height;
  const double radius = camera.lens / 2.0;
  const double focus = camera.focus > 0.0 ? camera.focus : distance;
  return {vec3(place),
          vec3(corner),
          vec3(right * pixel),
          vec3(up * -pixel),
          vec3(forward),
          parallel ? 1u : 0u,
          vec3(right * radius),
          vec3(up * radius),
          radius > 0.0 ? static_cast<float>(1.0 / focus) : 0.0f};
}

}  // namespace ballotcast::detail
