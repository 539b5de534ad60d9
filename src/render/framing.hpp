// Chooses cameras for scenes without one.
#pragma once

#include "backends/prepare.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// The default field of view, in degrees.
inline constexpr double kFramingFov = 38.0;

/// A camera with the scene's up direction and kFramingFov. Its position is not set.
Camera default_camera(const SceneData& scene);

/// A camera that sees the scene's whole box and fills the picture with it. It tries a few common
/// views and takes the one that shows the least of surfaces' backs. So a room without a front wall
/// is seen through its open side. `aspect` is width / height; `fov` is vertical, in degrees.
Camera frame_scene(const PreparedScene& scene, double aspect, double fov = kFramingFov);

}  // namespace ballotcast::detail
