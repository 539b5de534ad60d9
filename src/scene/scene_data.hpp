// Scenes: everything that is drawn, apart from render settings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ballotcast/shape.hpp"
#include "geometry/heightfield.hpp"
#include "geometry/mesh.hpp"
#include "image/picture.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/instances/named_parts.hpp"
#include "scene/instances/scene_instance.hpp"
#include "scene/surface/material.hpp"

namespace ballotcast::detail {

/// A texture of a scene.
struct Texture : Picture<Rgba8> {
  using Picture<Rgba8>::Picture;
  Wrap across = Wrap::repeat, down = Wrap::repeat;
};

/// The upper limit of exposures and of the strengths of sun and sky, in all inputs.
inline constexpr u32 kMostLight = 1000000;

/// The latest time in seconds of a scene that moves, and the largest number of frames per second.
inline constexpr u32 kMostSeconds = 1000000, kMostFramesPerSecond = 1000;

class PackedFile;
class FileMotion;

/// A file that find_file did not find in a folder.
struct MissedFile {
  std::string folder;
  std::string name;
};

/// A scene in memory. After loading, `materials` is not empty.
struct SceneData {
  std::string name;
  Mesh mesh;
  // For scenes of instances: see instances.hpp. In other scenes both are empty, and the id of a
  // triangle is its index in `mesh`.
  std::vector<MeshPart> parts;
  std::vector<SceneInstance> instances;
  std::vector<Shape> shapes;  // the shape of each part, or ShapeKind::none; empty: all are meshes
  std::vector<HeightGrid> height_grids;  // of the heightfields; size[2] of a Shape is the index
  Array<float> heights;                  // see heightfield.hpp
  std::vector<u32> worlds;               // the world of each instance; empty: all are in world 0
  std::vector<u32> masks;  // the mask of each instance, see RayFilter; empty: all bits are set
  NamedParts named_parts;  // the parts of the mesh's triangles
  // The world position of the mesh's (0, 0, 0). It keeps large map coordinates precise.
  dvec3 origin{0.0};
  std::optional<dvec3> up;  // the given direction of "up"; see up_of
  Array<Material> materials;
  std::vector<std::string> material_names;
  u32 single_sided = 0;  // number of single-sided materials; their backs are also drawn
  std::vector<Texture> textures;
  std::vector<std::string> texture_names;
  // The given settings of the light; light_of (scene/light/light.hpp) adds the defaults.
  SunSettings sun;
  SkySettings sky;
  Picture<vec3> sky_map;  // radiance in all directions (SkyMapView); empty: `sky` is a gradient
  std::optional<Camera> camera;
  std::optional<std::string> shading;  // the shading in the scene file
  // Factor on radiance in `lit`; if absent, it is chosen for the picture
  std::optional<float> exposure;
  std::optional<std::string> white_balance;  // see RenderSettings; a valid value
  std::optional<std::string> light;          // see RenderSettings; a known name
  // The files from which the scene was read, as paths that were opened
  std::vector<std::string> files;
  // Files that `files` refer to but that were not read, because their pictures are not used.
  std::vector<std::string> unread_files;
  // Files that were not found; with them the scene would be different
  std::vector<MissedFile> missed_files;
  std::vector<std::string> warnings;  // what was left out or repaired while loading, one line each
  std::vector<std::string> animations;  // names of the animations in the files; may be ""
  // The motion of the scene. Null unless the scene was read from one file and an animation of this
  // file was requested.
  std::shared_ptr<FileMotion> motion;
  // The packed file from which the scene was read, or null. Its trees can be used for the scene
  // only while the mesh uses the arrays of the file: see PackedFile::holds.
  std::shared_ptr<const PackedFile> packed;

  /// Calls with(key, member) for each setting of pictures that a scene file may contain.
  template <class With>
  static void for_each_picture_setting(const With& with) {
    with("shading", &SceneData::shading);
    with("exposure", &SceneData::exposure);
    with("white_balance", &SceneData::white_balance);
    with("light", &SceneData::light);
  }

  /// The name of the scene for messages: the first file that was read, or `name` if no file was
  /// read.
  const std::string& place() const { return files.empty() ? name : files.front(); }

  /// The number of triangle ids: the triangles of all instances together.
  u64 triangle_count() const;
  /// The number of worlds; 1 without instances.
  u32 world_count() const;
  /// A box around everything, relative to `origin`. With instances it may be larger than necessary.
  BALLOTCAST_API Aabb bounds() const;
  /// True if any triangle emits light.
  bool has_emitters() const;
  /// The files that must not be overwritten: `files` and `unread_files`.
  std::vector<std::string> all_files() const;
};

/// The direction that framing and sky use as "up": +y if none is given.
inline dvec3 up_of(const SceneData& scene) { return scene.up.value_or(dvec3(0.0, 1.0, 0.0)); }

/// The default crease angle, in degrees.
inline constexpr double kCreaseAngle = 40.0;

/// A point of time in the motion of a scene.
struct Moment {
  double frame = 0.0;             // for keyframes
  std::optional<double> seconds;  // for animations; absent: nothing is animated
};

/// Options for reading a mesh file.
struct LoadOptions {
  // The crease angle in degrees (see SceneRequest). If absent, the one in the scene file is used.
  std::optional<double> crease_angle;
  Moment moment = {};
  std::string animation = {};  // see SceneRequest
  // If copies of meshes would have at most this many triangles, meshes are copied and not
  // instanced. If absent: see copies_cost_too_much (formats/gltf/meshes.hpp).
  std::optional<u64> most_copied = {};

  /// Options for meshes that are merged with others or placed, which can't have instances.
  LoadOptions without_instances() const {
    LoadOptions all = *this;
    all.most_copied = ~u64{0};
    return all;
  }
};

}  // namespace ballotcast::detail
