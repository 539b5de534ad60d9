// Finds out whether a picture shows anything.
#pragma once

#include "backends/prepare.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// True if at least one ray through a pixel centre hits the scene, in a picture of width x height
/// pixels. Fast if much of the scene is visible.
bool sees_anything(const PreparedScene& scene, const Camera& camera, u32 width, u32 height);

}  // namespace ballotcast::detail
