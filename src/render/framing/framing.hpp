// Chooses a camera for a scene without one. For this it casts small pictures (preview.hpp).
#pragma once

#include <memory>
#include <optional>

#include "backends/device/resident_scene.hpp"
#include "backends/scene/prepared_scene.hpp"
#include "scene/camera/camera_view.hpp"

namespace ballotcast::detail {

class SceneFrames;

/// The default field of view, in degrees.
inline constexpr double kFramingFov = 38.0;

/// A camera with the scene's up direction and kFramingFov. The caller must set eye and look_at.
Camera default_camera(const SceneData& scene);

/// Chooses cameras for a scene. Data that all of them need is computed once, when it is first
/// needed.
class Framing {
 public:
  /// `scene` must outlive this object and must not change.
  explicit Framing(const PreparedScene& scene);
  ~Framing();
  Framing(const Framing&) = delete;
  Framing& operator=(const Framing&) = delete;

  const PreparedScene& scene() const { return scene_; }
  /// The scene on the CPU. The scene must not be empty.
  ResidentScene& resident();

  /// Chooses a camera. If the scene is an interior (Lookout), the camera is inside. Otherwise it
  /// sees the whole scene, which fills 88 % of the picture's height or width. Several common views
  /// are tried in order. A later view is used only if it shows clearly fewer backs of surfaces; so
  /// a room without a front wall is seen through its open side. `aspect` is width / height.
  /// `given_fov` is vertical, in degrees; if absent, it is kFramingFov, or kInsideFov inside.
  /// Throws InputError if the camera would be beyond the largest coordinate.
  Camera camera(double aspect, std::optional<double> given_fov = {});

 private:
  struct Found;
  Found& found();
  Camera chosen(double aspect, std::optional<double> given_fov);

  const PreparedScene& scene_;
  std::unique_ptr<Found> found_;
};

/// Moves `camera`, which sees the whole scene in frame 0, so that it sees all frames. The camera is
/// the same for all frames, because if it followed moving objects, everything else would shake. A
/// camera inside of the scene is not moved. `scene` must be in frame 0.
Camera seeing_all_frames(const Camera& camera, const PreparedScene& scene,
                         const SceneFrames& frames, double aspect);

}  // namespace ballotcast::detail
