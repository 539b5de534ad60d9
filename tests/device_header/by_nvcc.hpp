// What a program runs on a host in a file that nvcc compiles.
#pragma once

#include <vector>

#include "ballotcast/device.hpp"

namespace own {

/// The closest hits of rays, by a function that calls votes in kernels.
std::vector<ballotcast::Hit> hits_by_warp(const ballotcast::device::SceneView& scene,
                                          const std::vector<ballotcast::Ray>& rays);

/// The numbers of values above a half, queued by emulated lanes.
std::vector<std::uint32_t> found_by_nvcc(const std::vector<float>& values);

}  // namespace own
