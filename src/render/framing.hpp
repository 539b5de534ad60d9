// Cameras for scenes that bring none.
#pragma once

#include "backends/prepare.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// The field of view where nobody states one, in degrees.
inline constexpr double kFramingFov = 38.0;

/// A camera that has the scene's up and kFramingFov; where it stands, others have to say.
Camera default_camera(const SceneData& scene);

/// A camera that sees all of the scene's box and fills the picture with it. From the side, among a
/// few that people like, from which the least is seen of surfaces' backs: so a box that lacks one
/// wall is looked into. `aspect` is width / height; `fov` is vertical, in degrees.
Camera frame_scene(const PreparedScene& scene, double aspect, double fov = kFramingFov);

}  // namespace ballotcast::detail
