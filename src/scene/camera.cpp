#include "scene/camera.hpp"

#include <cmath>

#include "math/trig.hpp"
#include "support/error.hpp"

namespace ballotcast {

namespace {

double length_of(dvec3 v) { return std::sqrt(glm::dot(v, v)); }

bool finite(dvec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

}  // namespace

CameraView make_view(const Camera& camera, dvec3 origin, u32 width, u32 height) {
  if (!finite(camera.eye) || !finite(camera.look_at) || !finite(camera.up))
    throw UsageError("camera: eye, look-at and up must be finite");
  if (!(camera.fov > 0.0 && camera.fov < 180.0))
    throw UsageError("camera: fov must lie between 0 and 180 degrees");
  const dvec3 sight = camera.look_at - camera.eye;
  const double distance = length_of(sight);
  if (!(distance > 0.0)) throw UsageError("camera: eye and look-at are the same point");
  const dvec3 forward = sight / distance;
  const double up_length = length_of(camera.up);
  const dvec3 side = glm::cross(forward, camera.up);
  const double side_length = length_of(side);
  if (!(side_length > 1e-9 * up_length))
    throw UsageError("camera: up is zero or parallel to the line of sight");
  const dvec3 right = side / side_length;
  const dvec3 up = glm::cross(right, forward);

  const SinCos half = sincos_degrees(camera.fov / 2.0);
  const double half_height = half.sin / half.cos;
  const double pixel = 2.0 * half_height / height;
  const dvec3 corner = forward - right * (pixel * width / 2.0) + up * half_height;
  return {vec3(camera.eye - origin), vec3(corner), vec3(right * pixel), vec3(up * -pixel)};
}

}  // namespace ballotcast
