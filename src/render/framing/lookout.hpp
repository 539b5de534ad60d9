// A camera inside of a scene that is an interior.
#pragma once

#include <optional>
#include <vector>

#include "backends/device/backend.hpp"
#include "backends/scene/prepare.hpp"
#include "scene/camera/camera.hpp"

namespace ballotcast::detail {

/// The default field of view inside of an interior, in degrees.
inline constexpr double kInsideFov = 60.0;

/// Looks for places inside of a scene from which one sees far.
///
/// A scene is an interior if from most places in its box nearly all directions end on fronts of
/// surfaces. Of these places, and of the level directions, the camera takes those which show most
/// that is neither close by nor the back of a surface. Rays are always the same ones, so the camera
/// depends on the scene and the aspect alone.
class Lookout {
 public:
  /// `resident`: the scene on the CPU. Both must outlive this object.
  Lookout(const PreparedScene& scene, ResidentScene& resident)
      : scene_(scene), resident_(resident) {}

  /// A camera inside, with this field of view; none if the scene is no interior, or if `outside`
  /// shows its inside, as one before an open side of a room does.
  std::optional<Camera> camera(const Camera& outside, double aspect, double fov);

 private:
  const std::vector<dvec3>& places();
  const std::vector<Camera>& finalists();

  const PreparedScene& scene_;
  ResidentScene& resident_;
  // Found when they are first asked for.
  std::optional<std::vector<dvec3>> places_;
  std::optional<std::vector<Camera>> finalists_;  // the best views
};

}  // namespace ballotcast::detail
