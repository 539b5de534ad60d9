// A scene file whose frames are wanted one after the other. Its meshes are loaded only once.
#pragma once

#include <memory>
#include <optional>

#include "scene/assemble.hpp"
#include "scene/instances.hpp"
#include "scene/pose.hpp"
#include "scene/scene_file.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// What differs between the frames of a scene.
struct SceneChange {
  std::optional<Pose> pose;                    // absent if no mesh moves
  std::optional<PlacedTransforms> transforms;  // absent if no instance moves
  std::optional<Camera> camera;
  SunSettings sun;
};

/// The frames of a scene file. Each is the scene that load_scene gives for SceneRequest::frame.
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
