// Checks the settings of a SceneRequest.
#pragma once

#include "ballotcast/scene.hpp"

namespace ballotcast::detail {

/// Throws UsageError, which names the setting, if one is outside its range: see SceneRequest,
/// SunSettings, SkySettings and Placement. Files and command lines are checked where they are read,
/// so that their messages can name the line or the option.
void require_sensible(const SceneRequest& request);

}  // namespace ballotcast::detail
