// Cameras for scenes that bring none.
#pragma once

#include "backends/prepare.hpp"
#include "scene/camera.hpp"

namespace ballotcast {

/// A camera that sees all of the scene's box and fills the picture with it. From the side, among a
/// few that people like, from which the least is seen of surfaces' backs: so a box that lacks one
/// wall is looked into. `aspect` is width / height; `fov` is vertical, in degrees.
Camera frame_scene(const PreparedScene& scene, double aspect, double fov = 38.0);

}  // namespace ballotcast
