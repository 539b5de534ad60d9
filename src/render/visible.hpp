// Finds out whether a picture shows anything.
#pragma once

#include "backends/prepare.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// True if the ray through at least one pixel centre of a picture of width x height pixels hits the
/// scene. Fast if much of the scene is visible.
bool sees_anything(const PreparedScene& scene, const Camera& camera, u32 width, u32 height);

}  // namespace ballotcast::detail
