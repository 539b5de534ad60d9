// Finds the range of distances that a picture shows.
#pragma once

#include "backends/prepare.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "scene/camera.hpp"

namespace ballotcast::detail {

/// The nearest, the middle (median) and the farthest distance in a picture of width x height
/// pixels, from a grid of rays that are cast on the CPU. So it depends on neither tree nor device.
DepthRange range_seen(const PreparedScene& scene, const Camera& camera, u32 width, u32 height);

}  // namespace ballotcast::detail
