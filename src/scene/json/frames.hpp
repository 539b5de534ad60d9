// Frames of scene files: keyframes, which are numbers that change from frame to frame, and a scene
// file whose frames are wanted one after the other.
//
//   "camera": {"look_at": [0, 1, 0], "between": "smooth",
//              "keyframes": [{"frame": 0, "eye": [0, 1, 5]}, {"frame": 100, "eye": [5, 1, 0]}]}
//
//   in frame 50:  {"look_at": [0, 1, 0], "eye": [2.5, 1, 2.5]}
//
// Each key that a keyframe states has its own values over time, so not every keyframe must state
// all keys. Before its first keyframe and after its last a key keeps its value. Between keyframes
// it changes evenly ("linear"), or it starts and ends slowly ("smooth"), without going beyond the
// two.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "math/portable.hpp"
#include "scene/assemble.hpp"
#include "scene/instances.hpp"
#include "scene/json/scene_file.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// The greatest number of a frame.
inline constexpr u32 kLastFrame = 1'000'000;

/// True if an object of a scene file has keyframes.
bool has_keyframes(const Json& object);

/// An object of a scene file as it is in a frame, without keyframes. `name` is its key. Throws
/// InputError, which names `file` and the key at fault.
Json in_frame(const Json& object, const std::string& file, const std::string& name, u32 frame);

/// What differs between the frames of a scene.
struct SceneChange {
  std::optional<Pose> pose;                    // absent if no mesh moves
  std::optional<PlacedTransforms> transforms;  // absent if no instance moves
  std::optional<Camera> camera;
  SunSettings sun;
};

/// The frames of a scene file, whose meshes are loaded only once. Each is the scene that load_scene
/// gives for SceneRequest::frame.
class SceneFrames {
 public:
  /// Loads the meshes. `on_warnings` gets the warnings. Throws UsageError if the request is not for
  /// a single .json file, otherwise the errors of load_scene.
  explicit SceneFrames(const SceneRequest& request, const OnWarnings& on_warnings = {});

  /// The scene in the frame of the request.
  const std::shared_ptr<const SceneData>& scene() const { return scene_; }

  /// What to change in the scene so that it becomes that of another frame. Throws InputError if
  /// keyframes lead to values that can't be.
  SceneChange in(u32 frame) const;

 private:
  struct Part {
    Mesh mesh;  // positions, triangles and normals
    dvec3 origin;
    std::string name;
  };

  PlacedTransforms transforms_in(const StatedScene& stated) const;

  SceneRequest request_;
  std::shared_ptr<const Json> json_;
  std::vector<Part> parts_;  // empty if no mesh moves
  bool instances_move_ = false;
  std::shared_ptr<const SceneData> scene_;
};

}  // namespace ballotcast::detail
