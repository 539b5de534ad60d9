// Functions for a host that call device.hpp and slots.hpp in a file that nvcc compiles.
#pragma once

#include <vector>

#include "ballotcast/device.hpp"

namespace own {

/// The closest hits of rays, by closest_warp(), which votes in kernels.
std::vector<ballotcast::Hit> hits_by_warp(const ballotcast::device::SceneView& scene,
                                          const std::vector<ballotcast::Ray>& rays);

/// The indices of the values above 0.5, queued by emulated lanes.
std::vector<std::uint32_t> found_by_nvcc(const std::vector<float>& values);

}  // namespace own
