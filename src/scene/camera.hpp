// Pinhole cameras.
#pragma once

#include "ballotcast/scene.hpp"
#include "math/ray.hpp"

namespace ballotcast::detail {

/// The camera from settings in which every part is stated.
Camera complete(const CameraSettings& camera);

/// A camera in the form that kernels use. Pixel coordinates (x, y) count from the top left corner
/// of the picture; the direction through (x, y) is corner + x * step_x + y * step_y.
struct CameraView {
  vec3 eye;
  vec3 corner;
  vec3 step_x;
  vec3 step_y;
};

/// The ray through a point of the picture, in pixels from its top left corner.
BC_HD inline Ray ray_through(const CameraView& view, float x, float y) {
  return {view.eye, 0.0f, view.corner + view.step_x * x + view.step_y * y, unbounded()};
}

/// Throws UsageError if `fov` is not in (0, 180) or too near its ends.
void require_fov(double fov);

/// The view of `camera` for a picture of width x height pixels. `origin` (SceneData::origin) is
/// subtracted from the eye. Throws UsageError if eye and look_at coincide, if up is parallel to the
/// line of sight, if the eye is beyond 2^40, if a value is not finite, or if require_fov does.
CameraView make_view(const Camera& camera, dvec3 origin, u32 width, u32 height);

}  // namespace ballotcast::detail
