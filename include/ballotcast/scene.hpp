// Scenes: triangles, their materials, light and a camera.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/api.hpp"
#include "ballotcast/camera.hpp"
#include "ballotcast/instance.hpp"
#include "ballotcast/shape.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

namespace detail {
struct SceneData;
}

/// Settings of the sun. If at least one member is set, there is a sun, and absent members have
/// their defaults. If no member is set, there is the default sun, except in a room with lamps.
struct SunSettings {
  std::optional<Vec3d> direction;  ///< towards the sun, any length except 0; default 0.4, 0.8, 0.45
  std::optional<Vec3f> color;      ///< linear RGB; default 1, 0.94, 0.84
  /// Irradiance on a surface that faces the sun. Default 5; 0 is night.
  std::optional<float> strength;
};

/// Settings of the sky: a picture, or a gradient from horizon to zenith with the colour of the
/// ground below the horizon. A room with lamps has a sky only if at least one member is set, as
/// with the sun. A scene with a picture of the sky has a sun only if a member of SunSettings is
/// set.
struct SkySettings {
  /// A picture of all directions in equirectangular projection: .hdr, .pfm or .exr. The middle of
  /// the picture is seen towards -z, its right half towards +x (if "up" is +y). The picture
  /// replaces the three colours.
  std::optional<std::string> file;
  std::optional<double> turn;     ///< rotates the picture about "up", in degrees, from z towards x
  std::optional<Vec3f> zenith;    ///< linear RGB; default 0.32, 0.52, 0.95
  std::optional<Vec3f> horizon;   ///< linear RGB; default 0.85, 0.9, 1
  std::optional<Vec3f> ground;    ///< linear RGB; default 0.25, 0.28, 0.33
  std::optional<float> strength;  ///< factor on the colours or the picture; default 1, 0 is black
};

/// The placement of a mesh in a scene. The mesh is scaled first, then rotated about the y axis,
/// then translated.
struct Placement {
  double scale = 1.0;              ///< factor, above 0
  double rotate_y = 0.0;           ///< angle in degrees, from z towards x
  Vec3d translate{0.0, 0.0, 0.0};  ///< distance in world units
};

/// A mesh file and its placement.
struct PlacedFile {
  std::string file;          ///< a mesh file, or a .json scene file
  Placement placement = {};  ///< where to place it; by default as in the file
};

/// A request for a scene: a file, more meshes, and settings, which override those of the scene
/// file.
struct SceneRequest {
  /// A mesh (.obj, .ply, .stl, .gltf or .glb, also compressed as .gz), a .json scene file, or a
  /// .bcast file, which `ballotcast pack` writes. "": only `meshes`, or the built-in scene if there
  /// are none.
  std::string file = "";
  std::vector<PlacedFile> meshes = {};  ///< meshes to add to those of `file`
  SunSettings sun = {};                 ///< parts of the sun
  SkySettings sky = {};                 ///< parts of the sky
  std::optional<Vec3d> up = {};         ///< the up direction, for framing and for the sky
  std::optional<float> exposure = {};   ///< see RenderSettings::exposure
  /// An angle in degrees, for meshes without normals: edges where the surface bends by more stay
  /// sharp. At 0 all edges are sharp, at 180 none is. Default: 40. It must be absent for packed
  /// scenes.
  std::optional<double> crease_angle = {};
  bool strict = false;  ///< true: every warning is an error
  /// A frame of a scene that moves: by keyframes of a .json scene file, or by animations of .gltf
  /// and .glb files. Without frame and time, keyframes are those of frame 0, and nodes of .gltf and
  /// .glb files have their poses without animation.
  std::optional<std::uint32_t> frame = {};
  /// A time of a scene that moves, in place of a frame: in seconds, from 0 to 1e6.
  std::optional<double> time = {};
  std::uint32_t frames_per_second = 24;  ///< 1 to 1000; converts `frame` to a time
  /// The animation of .gltf and .glb files to use: a name, a number from 0, "all" or "none". "":
  /// the animation that the scene file names, else the first animation of each file.
  std::string animation = "";
};

/// A box with faces along the axes.
struct Box {
  Vec3d low;   ///< the smallest coordinates in the box
  Vec3d high;  ///< the largest coordinates in the box
};

/// A scene in host memory. It never changes; copies share it. Any number of threads may use it.
class BALLOTCAST_API Scene {
 public:
  /// For the library itself: makes a scene of its data.
  Scene(std::shared_ptr<const detail::SceneData> data) : data_(std::move(data)) {}

  /// The name of the scene's file, or of the first mesh file, without folder and extension.
  /// "builtin" or "triangles in memory" if no file was read.
  const std::string& name() const;
  /// The number of triangles. Their ids are 0, 1, 2 and so on, in the order of the files, after
  /// polygons were split and unusable faces left out.
  std::uint32_t triangle_count() const;
  /// The number of instances; 0 for a scene without instances.
  std::uint32_t instance_count() const;
  /// The number of worlds: see Instance::world. 1 without instances.
  std::uint32_t world_count() const;
  /// A scene that consists of the instances in one world, for drawing pictures. Its triangles get
  /// new ids, from 0. Throws UsageError if no instance is in this world.
  Scene world(std::uint32_t number) const;
  /// The instance, mesh and triangle that an id stands for; Hit::triangle is such an id. In a scene
  /// without instances, instance and mesh are 0, and triangle is the id. Throws UsageError if no
  /// triangle has this id.
  Location locate(std::uint32_t id) const;
  /// The names of the parts of the scene's meshes, from their files: objects and groups of OBJ,
  /// meshes or nodes of glTF. A mesh without such names is one part, which has the name of its
  /// file. Location::part is an index into this list.
  std::vector<std::string> part_names() const;
  /// The names of the scene's materials.
  const std::vector<std::string>& material_names() const;
  /// All vertices, in world units, relative to origin(). Vertices from a file are in no particular
  /// order; vertices of make_scene() keep their order. In a scene of instances, the vertices are
  /// those of its meshes, one mesh after the other, each in the mesh's own coordinates.
  std::vector<Vec3f> vertices() const;
  /// The bounding box of all triangles, in world units. For an instance, the transformed box of its
  /// mesh is used.
  Box bounds() const;
  /// The world position of the origin (0, 0, 0) of the coordinates of rays and vertices. It is not
  /// zero if the meshes lie far from zero, so that floats can hold their coordinates precisely.
  Vec3d origin() const;
  /// The warnings: what was left out or repaired during loading, one line each.
  const std::vector<std::string>& warnings() const;
  /// All files from which the scene was read; for a packed scene only the packed file.
  const std::vector<std::string>& files() const;

  /// For the library itself: the content of the scene.
  const std::shared_ptr<const detail::SceneData>& data() const { return data_; }

 private:
  std::shared_ptr<const detail::SceneData> data_;
};

/// Makes a scene. Throws InputError if nothing can be drawn; with SceneRequest::strict also if
/// there is any warning. The message names the file and, if known, the line. Scene::warnings()
/// lists what was left out of a scene that can be drawn. Throws UsageError if a setting is out
/// of range, or if a placement moves a mesh beyond the largest coordinate.
BALLOTCAST_API Scene load_scene(const SceneRequest& request);

/// Makes a scene from a single file, with default settings.
BALLOTCAST_API Scene load_scene(const std::string& file);

/// The scene that is drawn when no file is given: a few shapes on a floor, made in memory.
BALLOTCAST_API Scene builtin_scene();

/// The corners of a triangle, as indices into positions.
struct Triangle {
  std::uint32_t a;  ///< first corner
  std::uint32_t b;  ///< second corner, where u of a hit is 1
  std::uint32_t c;  ///< third corner, where v of a hit is 1
};

/// A scene of triangles in memory, with one grey material and flat shading. Triangle i of
/// `triangles` has id i. Both arrays are copied. `origin` becomes Scene::origin(), and positions
/// are relative to it. Throws InputError for an unusable index or coordinate and for more than
/// 2^30 - 1 triangles, and UsageError for an unusable origin.
BALLOTCAST_API Scene make_scene(Span<const Vec3f> positions, Span<const Triangle> triangles,
                                Vec3d origin = {0.0, 0.0, 0.0});

/// Makes a scene of instances: each is one of `meshes` at a place. The ids of triangles go through
/// all instances, in their order: see Scene::locate(). Scene::origin() is zero. Sun, sky and
/// cameras of the meshes are left out. Throws InputError, which names the instance, for a transform
/// that has no inverse, that scales by more than 2^20 or stretches by more than 4096, for a mesh or
/// material that does not exist, for a world above 65535, for a mesh that has instances itself, and
/// for more than 2^32 - 1 triangles. An instance may be hidden: see kHidden.
BALLOTCAST_API Scene make_scene(Span<const Scene> meshes, Span<const Instance> instances);

/// Makes a scene of a single shape, with one grey material. The scene has one instance, with one
/// triangle id. It may also be one of the meshes for make_scene(meshes, instances): instances may
/// scale, rotate, shear and move it. Throws UsageError for a size that is not from 2^-20 to 2^20
/// (the straight part of a capsule may be 0).
BALLOTCAST_API Scene make_scene(const Shape& shape);

/// Makes a scene of a single heightfield, as for any shape. The heights are copied. Throws
/// UsageError for a grid of fewer than 2 columns or rows or more than 65537, for a number of
/// heights that does not fit or is above 2^30, for a height that is not from -2^20 to 2^20 (or
/// NaN), and for a size that is not from 2^-20 to 2^20.
BALLOTCAST_API Scene make_scene(const Heightfield& field);

}  // namespace ballotcast
