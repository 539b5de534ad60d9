// Finds out whether a picture shows anything, and makes notes with advice for the user.
#pragma once

#include <string>

#include "backends/scene/prepared_scene.hpp"
#include "ballotcast/frame.hpp"
#include "ballotcast/options.hpp"
#include "scene/camera/camera_view.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// True if at least one ray through a pixel centre hits the scene, in a picture of width x height
/// pixels. The test is fast if much of the scene is visible.
bool sees_anything(const PreparedScene& scene, const Camera& camera, u32 width, u32 height);

/// True if the scene or `given` has the camera's position or the point at which it looks.
bool is_camera_given(const SceneData& scene, const CameraSettings& settings);

/// A warning about a picture that shows nothing of the scene. The advice depends on whether the
/// camera is given.
std::string unseen_warning(bool camera_is_given);

/// A note about the light of a picture with an automatic exposure, if the exposure is at a limit of
/// its range or the picture is black; else "".
std::string light_note(const Frame& frame);

}  // namespace ballotcast::detail
