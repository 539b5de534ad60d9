// Cameras, and conversions from the camera formats of other programs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

/// How a camera maps directions to positions in its picture.
enum class Projection : std::uint64_t {
  perspective,  ///< straight lines stay straight, unless `distortion` bends them
  fisheye,      ///< distance from the centre is proportional to the angle to the line of sight
  panorama      ///< all directions: columns are longitudes, and rows are latitudes
};

/// The coefficients of a lens distortion, in OpenCV's order: k1, k2, p1, p2, k3, k4, k5, k6 for a
/// perspective, k1 to k4 for a fisheye. All 0: no distortion.
using Distortion = std::array<double, 8>;

/// A camera, in world units and degrees. Without lens and ortho_height it is a pinhole camera:
/// everything is sharp, and nearer objects look larger.
struct Camera {
  Vec3d eye{0.0, 0.0, 1.0};      ///< position of the camera
  Vec3d look_at{0.0, 0.0, 0.0};  ///< the point in the middle of the picture
  Vec3d up{0.0, 1.0, 0.0};       ///< not parallel to the line of sight
  /// Vertical field of view without distortion, in degrees: from 0.0001 to 179, or to 360 for a
  /// fisheye. The default in JSON files is 40, too. If the camera is chosen automatically to frame
  /// the scene, it is 38, or 60 in an interior. If `projection` is set and fov is not, a fisheye
  /// has 180. A panorama does not use fov.
  double fov = 40.0;
  /// The diameter of the lens in world units; 0 for a pinhole. Objects nearer or farther than
  /// `focus` are blurred.
  double lens = 0.0;
  /// The distance from the eye, along the line of sight, at which objects are sharp. 0: the
  /// distance of `look_at`.
  double focus = 0.0;
  /// If above 0, the camera is orthographic, and its picture shows this height in world units. Then
  /// `fov` is unused, and only objects in front of the eye are seen.
  double ortho_height = 0.0;
  /// The width of a pixel, as a multiple of its height.
  double pixel_aspect = 1.0;
  /// Where the line of sight meets the picture: how far to the right of the picture's middle
  /// (shift_x) and how far below the middle (shift_y), as multiples of the picture's height.
  double shift_x = 0.0;
  double shift_y = 0.0;  ///< see shift_x
  /// How directions map to the picture. Only a perspective may have a lens or an ortho_height.
  Projection projection = Projection::perspective;
  Distortion distortion{};  ///< not for panoramas and orthographic cameras
};

/// Settings of a camera, of which each may be absent. RenderSettings::camera says what replaces
/// absent settings.
struct CameraSettings {
  CameraSettings() = default;
  /// Sets every member from `camera`.
  CameraSettings(const Camera& camera)
      : eye(camera.eye),
        look_at(camera.look_at),
        up(camera.up),
        fov(camera.fov),
        lens(camera.lens),
        focus(camera.focus),
        ortho_height(camera.ortho_height),
        pixel_aspect(camera.pixel_aspect),
        shift_x(camera.shift_x),
        shift_y(camera.shift_y),
        projection(camera.projection),
        distortion(camera.distortion) {}

  std::optional<Vec3d> eye;            ///< see Camera::eye
  std::optional<Vec3d> look_at;        ///< see Camera::look_at
  std::optional<Vec3d> up;             ///< see Camera::up
  std::optional<double> fov;           ///< see Camera::fov
  std::optional<double> lens;          ///< see Camera::lens
  std::optional<double> focus;         ///< see Camera::focus
  std::optional<double> ortho_height;  ///< see Camera::ortho_height
  std::optional<double> pixel_aspect;  ///< see Camera::pixel_aspect
  std::optional<double> shift_x;       ///< see Camera::shift_x
  std::optional<double> shift_y;       ///< see Camera::shift_y
  /// See Camera::projection. If `projection` is set and `distortion` is absent, the distortion
  /// becomes 0.
  std::optional<Projection> projection;
  std::optional<Distortion> distortion;  ///< see Camera::distortion
};

/// Sets projection and distortion. `projection` is a name of projections(). "" keeps the present
/// projection, or sets "perspective" if there is none. Missing coefficients of `distortion` are 0.
/// Throws UsageError if the name is unknown, or the projection has no such distortion.
BALLOTCAST_API void set_projection(CameraSettings& camera, const std::string& projection,
                                   Span<const double> distortion = {});

/// The intrinsic matrix of a camera, in pixels. The point (x, y, z), with x to the right, y down
/// and z ahead of the camera, is seen at column fx x / z + cx and row fy y / z + cy. With
/// distortion, and for a fisheye, x / z and y / z are first distorted as in OpenCV. The centres of
/// pixels have integer coordinates, as in OpenCV: the centre of the top left pixel is (0, 0).
struct Intrinsics {
  double fx = 0.0;           ///< focal length, in widths of a pixel
  double fy = 0.0;           ///< focal length, in heights of a pixel
  double cx = 0.0;           ///< column of the principal point
  double cy = 0.0;           ///< row of the principal point
  std::uint32_t width = 0;   ///< width of the picture for which the matrix holds
  std::uint32_t height = 0;  ///< height of that picture
};

/// Sets fov, pixel_aspect, shift_x and shift_y, so that a picture of size matrix.width x
/// matrix.height is the picture that the matrix describes. Pictures of other sizes have the same
/// vertical field of view. The camera is a perspective without distortion unless set_projection was
/// called before. Throws UsageError for a focal length or a size that is not above 0, or for
/// numbers that no picture can have.
BALLOTCAST_API void set_intrinsics(CameraSettings& camera, const Intrinsics& matrix);

/// Sets eye, look_at and up from a pose: a matrix of 3 or 4 rows of 4 numbers that maps camera
/// coordinates to world coordinates. If `direction` is "world-to-camera", the matrix is the inverse
/// of that. `convention` says which way the axes of the camera point: a name of pose_conventions().
/// Throws UsageError if the matrix is not a rotation and a translation (deviations up to 0.001
/// count as rounding), or if a name is unknown.
BALLOTCAST_API void set_pose(CameraSettings& camera, Span<const double> pose,
                             const std::string& convention = "opencv",
                             const std::string& direction = "camera-to-world");

/// One of the cameras in a file; see read_cameras().
struct FileCamera {
  std::string image;  ///< the name of its picture in the file
  /// `image` as a name for new files: without its suffix and without the folders that all pictures
  /// of the file share. Other folders become prefixes with "-".
  std::string name;
  Intrinsics intrinsics;           ///< for a panorama, only width and height are set
  std::string projection;          ///< a name of projections()
  std::vector<double> distortion;  ///< the coefficients, as set_projection() takes them
  std::array<double, 16> pose{};   ///< from the camera to the world, in convention "opencv"

  /// The camera as settings, for a picture of width x height as in `intrinsics`. Does not throw.
  BALLOTCAST_API CameraSettings settings() const;
};

/// The cameras of a file or folder, in their order: a transforms.json (of NeRF, instant-ngp,
/// nerfstudio), or COLMAP's cameras.txt and images.txt, where `path` is one of them or their
/// folder. `width` and `height` are used for cameras whose file states no picture size; if they
/// are 0, the file must state it. Throws InputError, which names the file and the line or key, if a
/// file can't be read or is invalid.
BALLOTCAST_API std::vector<FileCamera> read_cameras(const std::string& path,
                                                    std::uint32_t width = 0,
                                                    std::uint32_t height = 0);

}  // namespace ballotcast
