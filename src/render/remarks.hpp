// What is said to the user about a drawn picture, with advice.
#pragma once

#include <string>

#include "ballotcast/frame.hpp"
#include "ballotcast/options.hpp"

namespace ballotcast::detail {

/// A warning about a picture in which nothing of the scene is seen. `is_camera_stated` decides what
/// is advised.
std::string unseen_warning(bool is_camera_stated);

/// A note about the light of a picture: it is black, or its automatic exposure is at its limit. ""
/// if there is nothing to say. `settings` are those that the caller stated, with the name of the
/// shading filled in.
std::string light_note(const RenderSettings& settings, const Frame& frame);

}  // namespace ballotcast::detail
