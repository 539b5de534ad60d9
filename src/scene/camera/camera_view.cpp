#include "scene/camera/camera_view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "ballotcast/error.hpp"
#include "geometry/triangle.hpp"
#include "math/trig.hpp"
#include "scene/camera/camera_numbers.hpp"
#include "support/numbers.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr double kMostDistortion = 1e6;

double length_of(dvec3 v) { return std::sqrt(glm::dot(v, v)); }

/// Half the height of the picture at distance 1, for a field of view in degrees.
double half_height_of(double fov) {
  const SinCos half = sincos_degrees(fov / 2.0);
  return half.sin / half.cos;
}

/// `v` divided by its largest component, so that squares neither overflow nor underflow.
dvec3 scaled(dvec3 v) {
  const double scale = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  return scale > 0.0 ? v / scale : v;
}

/// True if two directions are so nearly parallel that they do not define a plane.
bool parallel_to(dvec3 forward, dvec3 up) {
  return !(length_of(glm::cross(forward, scaled(up))) > 1e-9);
}

/// The name of the coordinate axis with the largest angle to a direction, for error messages.
const char* axis_across(dvec3 v) {
  const double x = std::abs(v.x), y = std::abs(v.y), z = std::abs(v.z);
  return y <= x && y <= z ? "0,1,0" : z <= x ? "0,0,1" : "1,0,0";
}

}  // namespace

Camera complete(const CameraSettings& camera) {
  return {*camera.eye,     *camera.look_at, *camera.up,           *camera.fov,
          *camera.lens,    *camera.focus,   *camera.ortho_height, *camera.pixel_aspect,
          *camera.shift_x, *camera.shift_y, *camera.projection,   *camera.distortion};
}

void override_with(Camera& camera, const CameraSettings& settings) {
  const Projection before = camera.projection;
  const auto take = [](auto& to, const auto& from) {
    if (from) to = *from;
  };
  if (settings.projection) camera.distortion = {};
  take(camera.projection, settings.projection);
  take(camera.distortion, settings.distortion);
  if (camera.projection != before)
    camera.fov = camera.projection == Projection::fisheye ? kFisheyeFov : Camera{}.fov;
  take(camera.eye, settings.eye);
  take(camera.look_at, settings.look_at);
  take(camera.up, settings.up);
  for (const CameraNumber& number : kCameraNumbers)
    take(camera.*number.value, settings.*number.setting);
}

void require_fov(double fov, Projection projection) {
  if (projection == Projection::panorama) return;
  const double most = projection == Projection::fisheye ? kMostFisheyeFov : kMostFov;
  if (fov >= kLeastFov && fov <= most) return;
  const bool fits_a_fisheye = fov > kMostFov && fov <= kMostFisheyeFov;
  throw UsageError("camera: fov must be between 0.0001 and " + shortest(most) + " degrees, not " +
                   shortest(fov) +
                   (fov < kLeastFov  ? "; an orthographic camera has no perspective"
                    : fits_a_fisheye ? "; more is for a fisheye"
                                     : ""));
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

namespace {

bool is_distorted(const Distortion& distortion) {
  return std::any_of(distortion.begin(), distortion.end(), [](double k) { return k != 0.0; });
}

/// Throws UsageError if a number of the camera is out of range, or if a part is set that the
/// projection does not support.
void require_usable(const Camera& camera) {
  if (!is_finite(camera.eye) || !is_finite(camera.look_at) || !is_finite(camera.up))
    throw UsageError("camera: eye, look-at and up must be finite");
  const std::string& name = name_of(camera.projection);
  require_fov(camera.fov, camera.projection);
  for (const auto& [part, size] : {std::pair{"lens", camera.lens},
                                   {"focus", camera.focus},
                                   {"ortho_height", camera.ortho_height}}) {
    if (!(size >= 0.0 && size <= kLargestCoordinate))
      throw UsageError(std::string("camera: ") + part + " must be between 0 and 2^40");
    if (size > 0.0 && camera.projection != Projection::perspective)
      throw UsageError(std::string("camera: ") + part + " is for perspectives, not for a " + name);
  }
  if (!(camera.pixel_aspect >= 1e-3 && camera.pixel_aspect <= 1e3))
    throw UsageError("camera: pixels must be from 0.001 to 1000 times as wide as high");
  for (const double shift : {camera.shift_x, camera.shift_y})
    if (!(std::abs(shift) <= 1e3))
      throw UsageError("camera: the line of sight is more than 1000 heights beside the picture");
  for (const double k : camera.distortion)
    if (!(std::abs(k) <= kMostDistortion))
      throw UsageError("camera: coefficients of distortion must be numbers from -1e6 to 1e6");
  if (is_distorted(camera.distortion) &&
      (camera.projection == Projection::panorama || camera.ortho_height > 0.0))
    throw UsageError("camera: an orthographic camera or a panorama has no distortion");
}

/// Half the height of the picture: in world units (orthographic), at distance 1 (perspective), in
/// radians (fisheye) or in turns (panorama).
double half_height(const Camera& camera) {
  if (camera.ortho_height > 0.0) return camera.ortho_height / 2.0;
  if (camera.projection == Projection::panorama) return 0.25;
  if (camera.projection == Projection::fisheye) return camera.fov * (kPi / 360.0);
  return half_height_of(camera.fov);
}

}  // namespace

PicturePlane picture_plane(const Camera& camera, u32 width, u32 height) {
  require_usable(camera);
  const dvec3 sight = dvec3(camera.look_at) - dvec3(camera.eye);
  const double distance = length_of(sight);
  if (!(distance > 0.0)) throw UsageError("camera: eye and look-at are the same point");
  const dvec3 forward = sight / distance;
  const dvec3 given_up = scaled(camera.up);
  if (length_of(given_up) == 0.0) throw UsageError("camera: up must not be 0,0,0");
  if (parallel_to(forward, given_up))
    throw UsageError(
        "camera: up is parallel to the line of sight, from eye to look-at; state another up, such "
        "as " +
        std::string(axis_across(forward)));
  const dvec3 side = glm::cross(forward, given_up);
  const dvec3 right = side / length_of(side);
  const dvec3 up = glm::cross(right, forward);

  const bool parallel = camera.ortho_height > 0.0;
  const double half = half_height(camera);
  const double pixel = 2.0 * half / height;  // the height of a pixel
  const bool all_around = camera.projection == Projection::panorama;
  const double pixel_width = all_around ? 1.0 / width : pixel * camera.pixel_aspect;
  const double left =
      pixel_width * width / 2.0 + (all_around ? 0.0 : pixel_width * height * camera.shift_x);
  const double top = half + (all_around ? 0.0 : pixel * height * camera.shift_y);
  const dvec3 corner = (parallel ? dvec3(0.0) : forward) - right * left + up * top;
  PicturePlane plane{
      corner, right * pixel_width, up * -pixel, right, up, forward, distance, parallel, {}};
  if (camera.projection == Projection::perspective && !is_distorted(camera.distortion))
    return plane;
  CurvilinearPicture& picture = plane.curvilinear;
  picture = {CurvilinearPicture::Kind::perspective,
             -left,
             -top,
             pixel_width,
             pixel,
             right,
             -up,
             forward,
             radial_distortion(camera.projection, camera.distortion),
             0.0,
             0.0,
             0.0,
             0.0};
  if (all_around) {
    picture.kind = CurvilinearPicture::Kind::panorama;
    return plane;
  }
  if (camera.projection == Projection::fisheye) {
    picture.kind = CurvilinearPicture::Kind::fisheye;
  } else {
    picture.p1 = camera.distortion[2];
    picture.p2 = camera.distortion[3];
  }
  set_reach(picture);
  return plane;
}

namespace {

/// The direction through a point of the picture; NaN if the picture shows nothing there.
dvec3 direction_at(const PicturePlane& plane, double x, double y) {
  dvec3 direction = plane.corner + plane.step_x * x + plane.step_y * y;
  if (plane.curvilinear.is_used() && !direction_through(plane.curvilinear, x, y, direction))
    return dvec3(std::numeric_limits<double>::quiet_NaN());
  return direction;
}

}  // namespace

PreciseRays precise_rays(const Camera& camera, u32 width, u32 height) {
  if (u64{width} * height > u64{1} << 28)
    throw UsageError("camera: more than 2^28 rays for a picture of " + std::to_string(width) + "x" +
                     std::to_string(height));
  const PicturePlane plane = picture_plane(camera, width, height);
  PreciseRays rays;
  const u64 pixels = u64{width} * height;
  rays.origins.resize(pixels, dvec3(camera.eye));
  rays.directions.resize(pixels, plane.ahead);
  for_each_range<u64>(pixels, 1 << 12, [&](u64 begin, u64 end) {
    for (u64 i = begin; i < end; ++i) {
      const dvec3 at = direction_at(plane, static_cast<double>(i % width) + 0.5,
                                    static_cast<double>(i / width) + 0.5);
      if (plane.parallel)
        rays.origins[i] = rays.origins[i] + at;
      else
        rays.directions[i] = at;
    }
  });
  return rays;
}

std::string unseen_corners(const Camera& camera, u32 width, u32 height) {
  const PicturePlane plane = picture_plane(camera, width, height);
  bool all_seen = true;
  for (const double x : {0.5, width - 0.5})
    for (const double y : {0.5, height - 0.5})
      all_seen = all_seen && !std::isnan(direction_at(plane, x, y).x);
  if (all_seen) return "";
  return "no rays for the corners of the picture: this lens shows nothing beyond " +
         fixed(plane.curvilinear.reach_drawn / plane.curvilinear.step_y, 1) +
         " pixels from the principal point; pixels there are black, and transparent with "
         "--background transparent";
}

CameraView make_view(const Camera& camera, dvec3 origin, u32 width, u32 height) {
  const PicturePlane plane = picture_plane(camera, width, height);
  const dvec3 place = dvec3(camera.eye) - origin;
  if (!(std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)}) <= kLargestCoordinate))
    throw UsageError("camera: the eye lies beyond 2^40");
  const double radius = camera.lens / 2.0;
  const double focus = camera.focus > 0.0 ? camera.focus : plane.distance;
  const bool all_around = plane.curvilinear.kind == CurvilinearPicture::Kind::panorama;
  return {vec3(place),
          vec3(plane.corner),
          vec3(plane.step_x),
          vec3(all_around ? plane.step_y * (2.0 * kPi) : plane.step_y),
          vec3(plane.ahead),
          plane.parallel ? 1u : 0u,
          vec3(plane.right * radius),
          vec3(plane.up * radius),
          radius > 0.0 ? static_cast<float>(1.0 / focus) : 0.0f,
          plane.curvilinear};
}

}  // namespace ballotcast::detail
