// Is there anything to be seen?
#pragma once

#include "backends/prepare.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// Does the ray through the middle of any pixel of a picture of width x height pixels meet
/// something of the scene? Soon answered where there is much to see.
bool sees_anything(const PreparedScene& scene, const Camera& camera, u32 width, u32 height);

}  // namespace ballotcast::detail
