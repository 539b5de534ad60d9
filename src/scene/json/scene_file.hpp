// Scene files: JSON with meshes, camera and light.
#pragma once

#include <string>

#include "scene/instances/heightfields.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/json/json_section.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// Reads a scene file. Every key except `meshes` is optional:
///
///     {
///       "meshes": ["a.obj", {"file": "b.ply.gz", "scale": 2, "rotate_y": 90,
///                            "translate": [0, 1, 0]}],
///       "camera": {"eye": [0, 1, 5], "look_at": [0, 1, 0], "up": [0, 1, 0], "fov": 40},
///       "sun": {"direction": [1, 2, 1], "color": [1, 1, 1], "strength": 3},
///       "sky": {"zenith": [0, 0, 1], "horizon": [1, 1, 1], "ground": [0, 0, 0], "strength": 1},
///       "up": [0, 1, 0], "shading": "lit", "exposure": 1.0, "white_balance": "auto",
///       "light": "scene", "crease_angle": 40,
///       "instances": [{"mesh": "car.obj", "transform": [1, 0, 0, 5,  0, 1, 0, 0,  0, 0, 1, 0],
///                      "name": "our car", "material": {"color": [0.8, 0.1, 0.1]}},
///                     {"shape": "sphere", "size": 0.5, "translate": [0, 1, 0]},
///                     {"shape": "heightfield", "size": [9, 9], "heights": "hills.png",
///                      "range": [0, 2], "diagonal": "rising"}]
///     }
///
/// Mesh names are relative to the scene file. A mesh is scaled first, then rotated, then
/// translated. Instances may have these keys, too, or a `transform`: the 12 numbers of a 3x4
/// matrix, row by row. An instance may be of a shape in place of a mesh: see shapes.hpp. The
/// heights of a heightfield are a picture (see read_heights) or a list of rows. The name of an
/// instance becomes the name of its part. Each file is loaded once for all of its instances; their
/// ids follow those of `meshes`, which may be left out. The material of an instance is the name of
/// one that a mesh uses, or an object with color, emission, metallic and roughness. Angles are in
/// degrees, colours are linear, and `//` comments are skipped. Without "camera" or "sun", those of
/// the mesh file are used if there is a single mesh that is not placed. Numbers of camera, sun and
/// meshes may change from frame to frame: see frames.hpp. A mesh may say which animation of its
/// file it plays: "animation": "Walk", a number, "all" or "none". Meshes beside instances, and
/// those of instances, are never animated. `crease_angle` applies unless `options` has one. If a
/// triangle emits light, a sun or sky that is not given is dark (see light_of). Throws InputError,
/// which names the file and the key at fault.
SceneData load_scene_file(const std::string& path, const LoadOptions& options = {});

/// A heightfield in a scene file.
struct HeightsEntry {
  std::string file;                    // a picture, or "": the heights of `field`
  std::optional<HeightsOfGrey> range;  // for a picture
  OwnHeightfield field;
};

/// An instance in a scene file.
struct InstanceEntry {
  std::string name;  // its key in the file, for messages
  std::string part;  // the name for its part, or ""
  std::string file;  // the mesh, unless there is a shape or a heightfield
  std::optional<Shape> shape;
  std::optional<HeightsEntry> heights;
  std::string key;  // equal for instances of the same mesh, and of equal shapes
  Affine to_world;
  std::string material;                  // the name of its material; "": the materials of the mesh
  std::optional<Material> own_material;  // replaces `material`
  u32 mask = 0xffffffffu;                // see RayFilter
  bool moves = false;                    // true if the instance has keyframes
};

/// The contents of a scene file, in one of its frames.
struct SceneDescription {
  SceneData settings;  // all settings of the scene, without its meshes
  std::optional<double> crease_angle;
  std::vector<PlacedFile> meshes;
  std::vector<bool> moves;              // for each mesh: true if it has keyframes
  std::vector<std::string> animations;  // for each mesh: the animation that it plays, or ""
  std::vector<InstanceEntry> instances;
};

// The steps of load_scene_file: parsing the file, then reading its keys in a frame. Both throw
// InputError, which names the file, if it can't be read or a key is invalid.
Json read_scene_json(const std::string& path);
SceneDescription description_of_scene(const Json& json, const std::string& path, double frame);
std::vector<PlacedScene> load_meshes(const SceneDescription& description, const std::string& path,
                                     const LoadOptions& options);
SceneData joined_scene(const SceneDescription& description, std::vector<PlacedScene> meshes,
                       const std::string& path, const LoadOptions& options);

/// The keys of a camera.
inline const std::vector<const char*> kCameraKeys = {
    "eye",          "look_at",      "up",         "fov",       "lens", "focus",
    "ortho_height", "pixel_aspect", "shift_x",    "shift_y",   "pose", "pose_is",
    "convention",   "intrinsics",   "projection", "distortion"};

/// Parses a camera: eye and look_at, or a pose; optionally up (default: `scene_up`) and the other
/// keys. Throws InputError if the camera is degenerate.
Camera read_camera(const Section& in, dvec3 scene_up);

}  // namespace ballotcast::detail
