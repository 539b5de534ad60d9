#include "scene/camera.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "geometry/triangle.hpp"
#include "math/trig.hpp"
#include "support/error.hpp"
#include "support/numbers.hpp"

namespace ballotcast::detail {

namespace {

double length_of(dvec3 v) { return std::sqrt(glm::dot(v, v)); }

/// Half the height of the picture at distance 1.
double half_height_of(double fov) {
  const SinCos half = sincos_degrees(fov / 2.0);
  return half.sin / half.cos;
}

bool finite(dvec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// Scaled, so that squares neither overflow nor underflow.
dvec3 scaled(dvec3 v) {
  const double scale = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return scale > 0.0 ? v / scale : v;
}

/// True if two directions are so nearly the same, or opposite, that they span no plane.
bool parallel_to(dvec3 forward, dvec3 up) {
  return !(length_of(glm::cross(forward, scaled(up))) > 1e-9);
}

/// The axis that is farthest from a direction, for advice.
const char* axis_across(dvec3 v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  return y <= x && y <= z ? "0,1,0" : z <= x ? "0,0,1" : "1,0,0";
}

}  // namespace

Camera complete(const CameraSettings& camera) {
  return {*camera.eye,     *camera.look_at, *camera.up,           *camera.fov,
          *camera.lens,    *camera.focus,   *camera.ortho_height, *camera.pixel_aspect,
          *camera.shift_x, *camera.shift_y};
}

void require_fov(double fov) {
  if (!(fov >= kLeastFov && fov <= kMostFov))
    throw UsageError("camera: fov must be " + std::string(kFovLimits) + ", not " + shortest(fov) +
                     (fov < kLeastFov ? "; an orthographic camera has no perspective" : ""));
}

dvec3 horizontal_side(dvec3 up) {
  const dvec3 front = std::abs(up.z) < 0.9 ? dvec3(0, 0, 1) : dvec3(0, -1, 0);
  const dvec3 side = glm::cross(up, front);
  return side / length_of(side);
}

dvec3 up_for(dvec3 sight, dvec3 up) {
  const dvec3 forward = scaled(sight), upward = scaled(up);
  const double distance = length_of(forward), height = length_of(upward);
  if (!(distance > 0.0 && height > 0.0) || !parallel_to(forward / distance, up)) return up;
  const dvec3 top = upward / height;
  const dvec3 front = glm::cross(horizontal_side(top), top);
  return glm::dot(forward, top) < 0.0 ? -front : front;
}

PicturePlane picture_plane(const Camera& camera, u32 width, u32 height) {
  if (!finite(camera.eye) || !finite(camera.look_at) || !finite(camera.up))
    throw UsageError("camera: eye, look-at and up must be finite");
  require_fov(camera.fov);
  for (const auto& [name, size] : {std::pair{"lens", camera.lens},
                                   {"focus", camera.focus},
                                   {"ortho_height", camera.ortho_height}})
    if (!(size >= 0.0 && size <= kLargestCoordinate))
      throw UsageError(std::string("camera: ") + name + " must be between 0 and 2^40");
  if (!(camera.pixel_aspect >= 1e-3 && camera.pixel_aspect <= 1e3))
    throw UsageError("camera: pixels must be from 0.001 to 1000 times as wide as high");
  for (const double shift : {camera.shift_x, camera.shift_y})
    if (!(std::abs(shift) <= 1e3))
      throw UsageError("camera: the line of sight is more than 1000 heights beside the picture");
  const dvec3 sight = dvec3(camera.look_at) - dvec3(camera.eye);
  const double distance = length_of(sight);
  if (!(distance > 0.0)) throw UsageError("camera: eye and look-at are the same point");
  const dvec3 forward = sight / distance;
  const dvec3 stated_up = scaled(camera.up);
  if (length_of(stated_up) == 0.0) throw UsageError("camera: up must not be 0,0,0");
  if (parallel_to(forward, stated_up))
    throw UsageError(
        "camera: up is parallel to the line of sight, from eye to look-at; state another up, such "
        "as " +
        std::string(axis_across(forward)));
  const dvec3 side = glm::cross(forward, stated_up);
  const dvec3 right = side / length_of(side);
  const dvec3 up = glm::cross(right, forward);

  const bool parallel = camera.ortho_height > 0.0;
  const double half_height = parallel ? camera.ortho_height / 2.0 : half_height_of(camera.fov);
  const double pixel = 2.0 * half_height / height;  // the height of one, at distance 1
  const double pixel_width = pixel * camera.pixel_aspect;
  const dvec3 corner = (parallel ? dvec3(0.0) : forward) -
                       right * (pixel_width * width / 2.0 + pixel_width * height * camera.shift_x) +
                       up * (half_height + pixel * height * camera.shift_y);
  return {corner, right * pixel_width, up * -pixel, right, up, forward, distance, parallel};
}

CameraView make_view(const Camera& camera, dvec3 origin, u32 width, u32 height) {
  const PicturePlane plane = picture_plane(camera, width, height);
  const dvec3 place = dvec3(camera.eye) - origin;
  if (!(std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)}) <= kLargestCoordinate))
    throw UsageError("camera: the eye lies beyond 2^40");
  const double radius = camera.lens / 2.0;
  const double focus = camera.focus > 0.0 ? camera.focus : plane.distance;
  return {vec3(place),
          vec3(plane.corner),
          vec3(plane.step_x),
          vec3(plane.step_y),
          vec3(plane.ahead),
          plane.parallel ? 1u : 0u,
          vec3(plane.right * radius),
          vec3(plane.up * radius),
          radius > 0.0 ? static_cast<float>(1.0 / focus) : 0.0f};
}

}  // namespace ballotcast::detail
