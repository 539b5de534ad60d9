// Scenes: everything that is drawn, apart from render settings.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "geometry/mesh.hpp"
#include "image/image.hpp"
#include "scene/camera/camera.hpp"
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

/// The latest time in a scene that moves, and the most frames per second.
inline constexpr u32 kMostSeconds = 1000000, kMostFramesPerSecond = 1000;

class PackedFile;
class FileMotion;

/// A file that was looked for in a folder, as find_file does, and not found.
struct MissedFile {
  std::string folder;
  std::string name;
};

/// A scene in memory. After loading, `materials` is not empty.
struct SceneData {
  std::string name;
  Mesh mesh;
  // Scenes of instances: see instances.hpp. Both are empty if the ids of triangles are those of
  // `mesh`.
  std::vector<MeshPart> parts;
  std::vector<SceneInstance> instances;
  std::vector<u32> worlds;  // of each instance; empty: all are in world 0
  NamedParts named_parts;   // of the mesh's triangles
  // The world position of the mesh's (0, 0, 0). It keeps large map coordinates precise.
  dvec3 origin{0.0};
  std::optional<dvec3> up;  // stated direction of "up"; see up_of
  Array<Material> materials;
  std::vector<std::string> material_names;
  u32 single_sided = 0;  // materials whose backs its files leave out; they are drawn all the same
  std::vector<Texture> textures;
  std::vector<std::string> texture_names;
  SunSettings
      sun;  // what is stated about the light; light_of (scene/light/light.hpp) adds the rest
  SkySettings sky;
  Picture<vec3> sky_map;  // radiance in all directions (SkyMapView); empty: `sky` is a gradient
  std::optional<Camera> camera;
  std::optional<std::string> shading;  // the shading that the scene file asks for
  std::optional<float> exposure;  // factor on radiance in `lit`; if absent, chosen from the picture
  std::optional<std::string> white_balance;  // see RenderSettings; of a known form
  std::optional<std::string> light;          // see RenderSettings; a known name
  std::vector<std::string> files;  // the files it was read from, as paths that were opened
  // Files that are named in `files` but not read: pictures that are not drawn.
  std::vector<std::string> unread_files;
  std::vector<MissedFile> missed_files;  // with them the scene would be another one
  std::vector<std::string> warnings;  // what was left out or repaired while loading, one line each
  std::vector<std::string> animations;  // the names of those that the files have; some may be ""
  // How the scene moves, if it is that of one file with an animation that was asked for; else null.
  std::shared_ptr<FileMotion> motion;
  // The packed file from which the scene was read, or null. Its trees belong to the scene only as
  // long as the arrays of the mesh are those of the file: see PackedFile::holds.
  std::shared_ptr<const PackedFile> packed;

  /// Calls with(key, member) for each setting of pictures that a scene file may state.
  template <class With>
  static void for_each_picture_setting(const With& with) {
    with("shading", &SceneData::shading);
    with("exposure", &SceneData::exposure);
    with("white_balance", &SceneData::white_balance);
    with("light", &SceneData::light);
  }

  /// For messages: the first file that was read for the scene, or its name if no file was read.
  const std::string& place() const { return files.empty() ? name : files.front(); }

  /// The number of ids: all triangles of all instances.
  u64 triangle_count() const;
  /// The number of worlds; 1 without instances.
  u32 world_count() const;
  /// A box around everything, relative to `origin`. Instances may be smaller than their boxes.
  BALLOTCAST_API Aabb bounds() const;
  /// True if any triangle emits light.
  bool has_emitters() const;
  /// The files that must not be overwritten: `files` and `unread_files`.
  std::vector<std::string> all_files() const;
};

/// The direction that framing and sky use as "up": +y if none is stated.
inline dvec3 up_of(const SceneData& scene) { return scene.up.value_or(dvec3(0.0, 1.0, 0.0)); }

/// The default crease angle, in degrees.
inline constexpr double kCreaseAngle = 40.0;

/// A moment in the motion of a scene.
struct Moment {
  double frame = 0.0;             // of keyframes
  std::optional<double> seconds;  // of animations; absent: nothing is animated
};

/// Options for reading a mesh file.
struct LoadOptions {
  std::optional<double> crease_angle;  // degrees; see SceneRequest; if absent: a scene file's value
  Moment moment = {};
  std::string animation = {};  // see SceneRequest
  // The most triangles of meshes that a file places several times which are copied whatever it
  // costs; if absent: see copies_cost_too_much (formats/gltf/placing.hpp).
  std::optional<u64> most_copied = {};

  /// For meshes that are joined with others, or placed anew: they can't have instances.
  LoadOptions without_instances() const {
    LoadOptions all = *this;
    all.most_copied = ~u64{0};
    return all;
  }
};

}  // namespace ballotcast::detail
