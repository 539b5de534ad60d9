// Chooses cameras for scenes without one.
#pragma once

#include "backends/prepare.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// The default field of view, in degrees.
inline constexpr double kFramingFov = 38.0;

/// A camera with the scene's up direction and kFramingFov. The caller sets eye and look_at.
Camera default_camera(const SceneData& scene);

/// A camera that sees the scene as a whole and fills 88 % of the picture's height or width with it.
/// It tries a few common views in order. A later view is taken only if it shows clearly fewer backs
/// of surfaces, so a room without a front wall is seen through its open side. `aspect` is width /
/// height; `fov` is vertical, in degrees. Throws InputError if such a camera would be beyond the
/// largest coordinate.
Camera frame_scene(const PreparedScene& scene, double aspect, double fov = kFramingFov);

}  // namespace ballotcast::detail
