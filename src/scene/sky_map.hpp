// The picture of a scene's sky.
#pragma once

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// The largest radiance that is used; larger values are reduced to it. It keeps sums finite.
inline constexpr float kBrightestSky = 0x1p30f;

/// Reads the picture that `scene.sky.file` names into `scene.sky_map`, if there is one. Throws
/// InputError, which names the file, if it can't be read or is no picture of a sky.
void load_sky_map(SceneData& scene);

}  // namespace ballotcast::detail
