// The picture of a scene's sky.
#pragma once

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Reads the picture that `scene.sky.file` names into `scene.sky_map`, if there is one. Throws
/// InputError, which names the file, if it can't be read or is no picture of a sky.
void load_sky_map(SceneData& scene);

}  // namespace ballotcast::detail
