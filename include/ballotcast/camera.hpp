// Cameras, and the forms in which other programs state them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

/// How a camera maps directions to places in its picture.
enum class Projection : std::uint64_t {
  perspective,  ///< straight lines stay straight, unless `distortion` bends them
  fisheye,      ///< distances from the line of sight in the picture are angles to it
  panorama      ///< all directions: columns are longitudes, and rows are latitudes
};

/// The coefficients of a lens distortion, in OpenCV's order: k1, k2, p1, p2, k3, k4, k5, k6 of a
/// perspective, k1 to k4 of a fisheye. All 0: no distortion.
using Distortion = std::array<double, 8>;

/// A camera, in world units and degrees. Without lens and ortho_height it is a pinhole camera:
/// everything is sharp, and nearer things look larger.
struct Camera {
  Vec3d eye{0.0, 0.0, 1.0};      ///< its position
  Vec3d look_at{0.0, 0.0, 0.0};  ///< the point in the middle of the picture
  Vec3d up{0.0, 1.0, 0.0};       ///< not parallel to the line of sight
  /// Vertical field of view without distortion, in degrees: from 0.0001 to 179, or to 360 for a
  /// fisheye. The default in JSON files is 40, too. A camera that is chosen to frame the scene has
  /// 38, or 60 in an interior. A fisheye has 180 unless given; a panorama does not use it.
  double fov = 40.0;
  /// The diameter of the lens; 0 for a pinhole. Things nearer or farther than `focus` are blurred.
  double lens = 0.0;
  /// The distance from the eye, along the line of sight, at which things are sharp. 0: the distance
  /// of `look_at`.
  double focus = 0.0;
  /// Above 0: an orthographic camera, whose picture shows this height. Then `fov` is unused, and
  /// only things in front of the eye are seen.
  double ortho_height = 0.0;
  /// The width of a pixel, as a multiple of its height.
  double pixel_aspect = 1.0;
  /// Where the line of sight meets the picture: how far to the right of its middle (shift_x) and
  /// how far below it (shift_y), as multiples of the picture's height.
  double shift_x = 0.0;
  double shift_y = 0.0;  ///< see shift_x
  /// Only a perspective may have a lens or an ortho_height.
  Projection projection = Projection::perspective;
  Distortion distortion{};  ///< not for panoramas and orthographic cameras
};

/// Settings of a camera. Absent parts are chosen elsewhere: see RenderSettings::camera.
struct CameraSettings {
  CameraSettings() = default;
  /// Sets every part.
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
  /// See Camera::projection. If it is set and `distortion` is not, the distortion of the camera
  /// that these settings change becomes 0.
  std::optional<Projection> projection;
  std::optional<Distortion> distortion;  ///< see Camera::distortion
};

/// Sets projection and distortion. `projection` is a name of projections(); "" keeps the projection
/// that is set, or sets "perspective" if none is. Missing coefficients of `distortion` are 0.
/// Throws UsageError if the name is unknown, or the projection has no such distortion.
BALLOTCAST_API void set_projection(CameraSettings& camera, const std::string& projection,
                                   Span<const double> distortion = {});

/// A camera matrix of a picture, in pixels. The point (x, y, z), with x to the right, y down and z
/// ahead of the camera, is seen at column fx x / z + cx and row fy y / z + cy; with distortion, and
/// for a fisheye, x / z and y / z are first distorted as in OpenCV. As in OpenCV, the centres of
/// pixels have integer coordinates: the centre of the top left pixel is (0, 0).
struct Intrinsics {
  double fx = 0.0;           ///< focal length, in widths of a pixel
  double fy = 0.0;           ///< focal length, in heights of a pixel
  double cx = 0.0;           ///< column of the principal point
  double cy = 0.0;           ///< row of the principal point
  std::uint32_t width = 0;   ///< the width of the picture that the matrix belongs to
  std::uint32_t height = 0;  ///< its height
};

/// Sets fov, pixel_aspect, shift_x and shift_y, so that a picture of the matrix's size is the one
/// that the matrix describes. Pictures of other sizes have the same vertical field of view. The
/// camera is a perspective without distortion unless set_projection was called before. Throws
/// UsageError for a focal length or a size that is not above 0, or for numbers that no picture can
/// have.
BALLOTCAST_API void set_intrinsics(CameraSettings& camera, const Intrinsics& matrix);

/// Sets eye, look_at and up from a pose: a matrix of 3 or 4 rows of 4 numbers that maps camera
/// coordinates to world coordinates, or the inverse if `direction` is "world-to-camera".
/// `convention` says which way the axes of the camera point: a name of pose_conventions(). Throws
/// UsageError if the matrix is not a rotation and a translation (deviations up to 0.001 count as
/// rounding), or if a name is unknown.
BALLOTCAST_API void set_pose(CameraSettings& camera, Span<const double> pose,
                             const std::string& convention = "opencv",
                             const std::string& direction = "camera-to-world");

/// A camera of a file that has several; see read_cameras().
struct FileCamera {
  std::string image;  ///< the name of its picture in the file
  /// `image` as a name for new files: without its suffix and without the folders that all pictures
  /// of the file share. Other folders become prefixes with "-".
  std::string name;
  Intrinsics intrinsics;           ///< of a panorama only width and height
  std::string projection;          ///< a name of projections()
  std::vector<double> distortion;  ///< as set_projection() takes it
  std::array<double, 16> pose{};   ///< from the camera to the world, in convention "opencv"

  /// The camera as settings, for a picture of its size. Does not throw.
  BALLOTCAST_API CameraSettings settings() const;
};

/// The cameras of a file or folder, in their order: a transforms.json (of NeRF, instant-ngp,
/// nerfstudio), or COLMAP's cameras.txt and images.txt, where `path` is one of them or their
/// folder. `width` and `height` are the size of pictures whose file has none. Throws InputError,
/// which names the file and the line or key.
BALLOTCAST_API std::vector<FileCamera> read_cameras(const std::string& path,
                                                    std::uint32_t width = 0,
                                                    std::uint32_t height = 0);

}  // namespace ballotcast
