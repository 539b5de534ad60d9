// What is said to the user about a drawn picture, with advice.
#pragma once

#include <string>

#include "ballotcast/frame.hpp"
#include "ballotcast/options.hpp"

namespace ballotcast::detail {

/// A warning about a picture in which nothing of the scene is seen. `is_camera_stated` decides what
/// is advised.
std::string unseen_warning(bool is_camera_stated);

/// A note about the light of a picture with an automatic exposure: the exposure is at a limit of
/// its range, or the picture is black. "" if there is nothing to say. `settings` must be resolved.
std::string light_note(const RenderSettings& settings, const Frame& frame);

}  // namespace ballotcast::detail
