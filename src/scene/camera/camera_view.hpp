// Cameras: with a pinhole, with a lens, orthographic, and with curvilinear pictures.
#pragma once

#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/scene.hpp"
#include "math/ray_hit.hpp"
#include "scene/camera/curvilinear_picture.hpp"

namespace ballotcast::detail {

/// Makes a camera from settings in which every part is given.
Camera complete(const CameraSettings& camera);

/// Replaces those parts of `camera` that are set in `settings`. A given projection removes the
/// distortion. If the projection changes, the field of view becomes the default of the new
/// projection.
BALLOTCAST_API void override_with(Camera& camera, const CameraSettings& settings);

/// A camera in the form that kernels use. Pixel coordinates (x, y) count from the top left corner
/// of the picture. The point (x, y) of the picture is corner + x * step_x + y * step_y, relative to
/// the eye.
///
///     with a pinhole                   orthographic
///            | picture, at distance 1       | picture, through the eye
///       .----+----> ray                     +----> ray, towards `ahead`
///     eye    |                          eye +
///            |                              |
struct CameraView {
  vec3 eye;
  vec3 corner;
  vec3 step_x;
  vec3 step_y;
  vec3 ahead;           // unit vector
  u32 parallel;         // 1 if the camera is orthographic
  vec3 lens_x, lens_y;  // vectors from the middle of the lens to its rim; 0 for a pinhole
  float sharpness;      // 1 / focus distance; 0 for a pinhole
  // If the projection is curvilinear, rays are computed from this member, and step_y is only the
  // size of a pixel.
  CurvilinearPicture curvilinear{};

  /// The size of a pixel on a surface at `position` that faces the camera.
  BC_HD float pixel_size_at(vec3 position) const {
    const vec3 sight = position - eye;
    const float size = sqrtf(dot(step_y, step_y));
    return parallel != 0u ? size : sqrtf(dot(sight, sight)) * size;
  }
};

/// The ray through a point of a rectilinear picture, in pixels from its top left corner, and
/// through the middle of the lens.
BC_HD inline Ray rectilinear_ray_through(const CameraView& view, float x, float y) {
  const vec3 point = view.corner + view.step_x * x + view.step_y * y;
  if (view.parallel != 0u) return {view.eye + point, 0.0f, view.ahead, unbounded()};
  return {view.eye, 0.0f, point, unbounded()};
}

/// As rectilinear_ray_through, for a curvilinear picture. Returns an idle ray where the picture
/// shows nothing.
BC_HD inline Ray curvilinear_ray_through(const CameraView& view, float x, float y) {
  dvec3 direction(0.0);
  if (!direction_through(view.curvilinear, double{x}, double{y}, direction)) return idle_ray();
  return {view.eye, 0.0f, vec3(direction), unbounded()};
}

/// The ray through a point of any picture.
BC_HD inline Ray ray_through(const CameraView& view, float x, float y) {
  return view.curvilinear.is_used() ? curvilinear_ray_through(view, x, y)
                                    : rectilinear_ray_through(view, x, y);
}

/// Moves `ray` from the middle of the lens to the point `on_lens` of the unit disk. All rays
/// through a point of the picture meet at the focus distance.
BC_HD inline Ray through_lens(const CameraView& view, const Ray& ray, vec2 on_lens) {
  const vec3 offset = view.lens_x * on_lens.x + view.lens_y * on_lens.y;
  return {vec3(ray.origin) + offset, 0.0f, vec3(ray.direction) - offset * view.sharpness,
          unbounded()};
}

/// The position of the picture in double precision: its point (x, y) is corner + x * step_x + y *
/// step_y, relative to the eye, as in CameraView.
struct PicturePlane {
  dvec3 corner, step_x, step_y;
  dvec3 right, up, ahead;  // unit vectors
  double distance;         // distance from the eye to look_at
  bool parallel;
  // If the projection is curvilinear, rays are computed from this member, and the corner is unused
  CurvilinearPicture curvilinear;
};

/// The picture plane of a camera with width x height pixels. Throws as make_view does, but does not
/// check the position of the eye.
BALLOTCAST_API PicturePlane picture_plane(const Camera& camera, u32 width, u32 height);

/// Rays in double, in world units.
struct PreciseRays {
  std::vector<dvec3> origins, directions;
};

/// The rays through the centres of all pixels, row by row, and through the middle of the lens. The
/// component of a direction along the line of sight has length 1; directions of fisheyes and
/// panoramas are unit vectors. Where a curvilinear picture shows nothing, directions are NaN.
/// Throws UsageError as picture_plane does, and for more than 2^28 pixels.
BALLOTCAST_API PreciseRays precise_rays(const Camera& camera, u32 width, u32 height);

/// The limits of the field of view, in degrees. The lower limit is small enough for pictures from a
/// distance of a million times the scene's size. Near the upper limits, everything visible shrinks
/// to a few pixels in the middle. (Blender's limits are 0.37 and 172.8.)
inline constexpr double kLeastFov = 0.0001, kMostFov = 179.0, kMostFisheyeFov = 360.0;
inline constexpr double kFisheyeFov = 180.0;  // the default of fisheyes

/// Throws UsageError if `fov` is outside its limits.
void require_fov(double fov, Projection projection = Projection::perspective);

/// The name of a projection in the table projections().
const std::string& name_of(Projection projection);

/// The camera matrix of a camera for a picture of this size: the inverse of set_intrinsics.
/// Panoramas and orthographic cameras have no camera matrix.
BALLOTCAST_API Intrinsics intrinsics_of(const Camera& camera, u32 width, u32 height);

/// The pose of a camera: the 3 rows of the 3 x 4 matrix from camera to world coordinates, in the
/// convention "opencv". Throws as picture_plane does.
BALLOTCAST_API std::vector<double> pose_of(const Camera& camera);

/// Returns a note if pixels in the corners of the picture have no rays, else "".
std::string unseen_corners(const Camera& camera, u32 width, u32 height);

/// Returns `up`, unless the line of sight is parallel to it. Then returns the direction of the
/// camera's top after the camera was tilted up or down by 90 degrees, starting from a view of the
/// front of the scene.
dvec3 up_for(dvec3 sight, dvec3 up);

/// The horizontal direction to the right of a viewer who looks at the front of the scene: +x if y
/// or z is up. `up` must be a unit vector.
dvec3 horizontal_side(dvec3 up);

/// The CameraView of `camera` for a picture of width x height pixels. `origin` (SceneData::origin)
/// is subtracted from the eye. Throws UsageError if eye and look_at coincide, if up is zero or
/// parallel to the line of sight, if the eye is beyond 2^40, if a value is not finite or a size is
/// negative, if the projection does not support the lens, height or distortion, or if require_fov
/// throws.
CameraView make_view(const Camera& camera, dvec3 origin, u32 width, u32 height);

}  // namespace ballotcast::detail
