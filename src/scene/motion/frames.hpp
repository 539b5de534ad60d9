// Scenes that move. Keyframes of scene files change numbers from frame to frame. FileMotion plays
// the animations of a mesh file. SceneFrames computes the scene of each frame.
//
//   "camera": {"look_at": [0, 1, 0], "between": "smooth",
//              "keyframes": [{"frame": 0, "eye": [0, 1, 5]}, {"frame": 100, "eye": [5, 1, 0]}]}
//
//   in frame 50:  {"look_at": [0, 1, 0], "eye": [2.5, 1, 2.5]}
//
// Each key is interpolated separately, between the keyframes that contain it, so a keyframe need
// not contain all keys. Before its first keyframe and after its last keyframe, a key is constant.
// Between keyframes each number is interpolated independently. "linear": at a constant rate, which
// jumps at each keyframe. "smooth": along a monotone cubic curve. Its rate is continuous, and is 0
// at the first and the last keyframe and where the number changes its direction. The curve never
// leaves the range between the two keyframes around it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "math/portable.hpp"
#include "scene/assemble.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/instances/instances.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/json/scene_file.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// The things that move in the scene of a file, at some time. The triangles stay the same.
struct MovedFile {
  std::optional<Pose> pose;           // absent if instances move
  std::vector<PlacedPart> instances;  // all instances
  std::optional<Camera> camera;       // the camera of the file
  SunSettings sun;
};

/// The motion of the scene of one file. Calls must not overlap.
class FileMotion {
 public:
  virtual ~FileMotion() = default;
  /// The scene at a time, in seconds. Before the first and after the last key of an animation,
  /// nothing moves. Throws InputError, which names the file and the animation, if something moves
  /// beyond the largest coordinate or has a rotation whose length is 0.
  virtual MovedFile at(double seconds) = 0;
  /// The time of the last key, in seconds.
  virtual double end() const = 0;
};

/// The largest frame number.
inline constexpr u32 kLastFrame = 1'000'000;

/// True if an object of a scene file has keyframes.
bool has_keyframes(const Json& object);

/// An object of a scene file in a given frame, without its keyframes. `name` is its key. Throws
/// InputError, which names `file` and the invalid key.
Json in_frame(const Json& object, const std::string& file, const std::string& name, double frame);

/// The data that differs between the frames of a scene.
struct SceneChange {
  std::optional<Pose> pose;                    // absent if no mesh moves
  std::optional<PlacedTransforms> transforms;  // absent if no instance moves
  std::optional<Camera> camera;
  SunSettings sun;
};

/// A box around a scene, relative to the scene's origin.
struct PlacedBox {
  Aabb box;
  dvec3 origin;
};

/// True for the names of scene files and of mesh files that can have animations.
bool may_have_frames(const std::string& file);

/// The frames of a scene file, or of a mesh file with animations, whose meshes are loaded only
/// once. Each frame is the scene that load_scene would return with SceneRequest::frame.
class SceneFrames {
 public:
  /// Loads the meshes. `on_warnings` gets the warnings. Throws UsageError unless the request is for
  /// a single file with a name for which may_have_frames is true, and otherwise the errors of
  /// load_scene.
  explicit SceneFrames(const SceneRequest& request, const OnWarnings& on_warnings = {});

  /// The scene in the frame of the request.
  const std::shared_ptr<const SceneData>& scene() const { return scene_; }

  /// The changes that turn the scene into that of another frame. Throws InputError if keyframes
  /// lead to invalid values.
  SceneChange in(u32 frame) const;

  /// The boxes around the scene in these frames. Frames that `in` or a renderer would reject are
  /// left out.
  std::vector<PlacedBox> boxes_in(const std::vector<u32>& frames) const;

  /// True if all frames are equal, because the file is a mesh and no animation is played.
  bool are_all_the_same() const { return !json_ && motions_.empty(); }
  /// True if meshes are animated.
  bool are_animated() const { return !motions_.empty(); }
  /// The last frame in which something moves: the frame of the last key.
  u32 last_frame() const;

 private:
  struct MovingMesh {
    Mesh mesh;  // positions, triangles and normals
    dvec3 origin;
    std::string name;
    std::shared_ptr<FileMotion> motion;  // null if only its placement changes
  };

  void take_meshes(const std::vector<PlacedScene>& loaded, bool meshes_move);
  SceneChange change_in(u32 frame, bool with_normals) const;
  Pose pose_in(const SceneDescription& description, const Moment& moment, bool with_normals) const;

  PlacedTransforms transforms_in(const SceneDescription& description) const;

  SceneRequest request_;
  std::shared_ptr<const Json> json_;   // null if the file is a mesh
  std::shared_ptr<FileMotion> alone_;  // motion of a single mesh without a placement; or null
  // The meshes that move, except `alone_`, in the state of the last frame
  mutable std::vector<MovingMesh> meshes_;
  std::vector<std::shared_ptr<FileMotion>> motions_;  // all motions
  bool instances_move_ = false;
  std::shared_ptr<const SceneData> scene_;
};

}  // namespace ballotcast::detail
