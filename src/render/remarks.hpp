// What is said to the user about a drawn picture, with advice.
#pragma once

#include <string>

#include "ballotcast/frame.hpp"
#include "ballotcast/options.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// True if the scene or `stated` says where the camera is or what it looks at.
bool is_camera_stated(const SceneData& scene, const CameraSettings& stated);

/// A warning about a picture in which nothing of the scene is seen. What is advised
/// depends on whether the camera is stated.
std::string unseen_warning(bool camera_is_stated);

/// A note about the light of a picture with an automatic exposure: the exposure is at a limit of
/// its range, or the picture is black. "" if there is nothing to say.
std::string light_note(const Frame& frame);

}  // namespace ballotcast::detail
