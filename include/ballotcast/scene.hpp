// Scenes: triangles, their materials, light and a camera.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

namespace detail {
struct SceneData;
}

/// A pinhole camera, in world units and degrees.
struct Camera {
  Vec3d eye{0.0, 0.0, 1.0};      ///< where it stands
  Vec3d look_at{0.0, 0.0, 0.0};  ///< what is in the middle of the picture
  Vec3d up{0.0, 1.0, 0.0};       ///< not parallel to the line of sight
  double fov = 40.0;             ///< field of view from bottom to top, in degrees, in (0, 180)
};

/// The parts of a camera that somebody states.
struct CameraSettings {
  CameraSettings() = default;
  /// States every part.
  CameraSettings(const Camera& camera)
      : eye(camera.eye), look_at(camera.look_at), up(camera.up), fov(camera.fov) {}

  std::optional<Vec3d> eye;      ///< see Camera::eye
  std::optional<Vec3d> look_at;  ///< see Camera::look_at
  std::optional<Vec3d> up;       ///< see Camera::up
  std::optional<double> fov;     ///< see Camera::fov
};

/// The parts of the sun that somebody states. One stated part is enough: there is a sun, and the
/// other parts have their defaults. With no part stated, a scene with lamps has no sun.
struct SunSettings {
  std::optional<Vec3d> direction;  ///< towards the sun, any length but 0; default 0.4, 0.8, 0.45
  std::optional<Vec3f> color;      ///< linear RGB; default 1, 0.94, 0.84
  std::optional<float> strength;   ///< irradiance on a surface that faces the sun; default 5, 0 is
                                   ///< night
};

/// The parts of the sky that somebody states: a gradient from horizon to zenith, and the colour of
/// the ground below the horizon. As with the sun, one stated part is enough.
struct SkySettings {
  std::optional<Vec3f> zenith;    ///< linear RGB; default 0.32, 0.52, 0.95
  std::optional<Vec3f> horizon;   ///< linear RGB; default 0.85, 0.9, 1
  std::optional<Vec3f> ground;    ///< linear RGB; default 0.32, 0.3, 0.28
  std::optional<float> strength;  ///< factor on the three colours; default 1, 0 is black
};

/// Where a mesh goes in a scene: it is scaled, then turned about the y axis, then moved.
struct Placement {
  double scale = 1.0;              ///< above 0
  double rotate_y = 0.0;           ///< degrees, from z towards x
  Vec3d translate{0.0, 0.0, 0.0};  ///< world units
};

/// A mesh file, and where it goes.
struct PlacedFile {
  std::string file;
  Placement placement = {};
};

/// What a scene is made of: a file, more meshes, and what is stated over the file. What is stated
/// here wins over the scene file.
struct SceneRequest {
  /// .obj, .obj.gz, or a .json scene file; "": the built-in scene, or `meshes` alone.
  std::string file = "";
  std::vector<PlacedFile> meshes = {};  ///< added to the file's
  SunSettings sun = {};                 ///< parts of the sun
  SkySettings sky = {};                 ///< parts of the sky
  std::optional<Vec3d> up = {};         ///< which way is up, for framing and for the sky
  std::optional<float> exposure = {};   ///< see RenderSettings::exposure
  /// Degrees. Where a mesh has no normals, edges sharper than this stay sharp: 0 is all flat, 180
  /// all smooth; default 40.
  std::optional<double> crease_angle = {};
  bool strict = false;  ///< make every warning an error
};

/// A box with faces along the axes.
struct Box {
  Vec3d low;   ///< its smallest coordinates
  Vec3d high;  ///< its largest coordinates
};

/// A scene in host memory. Cannot be changed; copies share it. Any number of threads may use one.
class BALLOTCAST_API Scene {
 public:
  /// For the library itself.
  Scene(std::shared_ptr<const detail::SceneData> data) : data_(std::move(data)) {}

  /// The name of the file it was read from, without folder and extension.
  const std::string& name() const;
  /// How many triangles there are; their ids are 0, 1, 2 and so on, in the order of the files after
  /// polygons were cut up and unusable faces left out.
  std::uint32_t triangle_count() const;
  /// The box around all triangles, in world units.
  Box bounds() const;
  /// The world place of the rays' (0, 0, 0). Not 0 for meshes in map coordinates, which keep their
  /// precision thereby.
  Vec3d origin() const;
  /// What was left out or mended while loading, a line each.
  const std::vector<std::string>& warnings() const;
  /// Every file that the scene was read from.
  const std::vector<std::string>& files() const;

  /// For the library itself.
  const std::shared_ptr<const detail::SceneData>& data() const { return data_; }

 private:
  std::shared_ptr<const detail::SceneData> data_;
};

/// Puts a scene together. Throws InputError, naming the file and where it is known the line, when
/// nothing can be drawn from it, and with `strict` when anything was left out. What was left out of
/// a scene that can be drawn is in Scene::warnings(). Throws UsageError when a placement moves a
/// mesh to where coordinates can't be.
BALLOTCAST_API Scene load_scene(const SceneRequest& request);

/// As above, of one file.
BALLOTCAST_API Scene load_scene(const std::string& file);

/// The scene that is drawn when no file is given: a few shapes on a floor, made in memory.
BALLOTCAST_API Scene builtin_scene();

/// The corners of a triangle, as indices into positions.
struct Triangle {
  std::uint32_t a, b, c;
};

/// A scene of triangles in memory, with one grey material, flat shaded. Triangle i of `triangles`
/// has id i. Both arrays are copied. Throws InputError when an index or a coordinate can't be used.
BALLOTCAST_API Scene make_scene(Span<const Vec3f> positions, Span<const Triangle> triangles);

}  // namespace ballotcast
