// Smoothing on the CPU, eight pixels at a time.
#pragma once

#include "kernels/smooth/filter.hpp"

namespace ballotcast::detail {

/// As SmoothLight for all patches, on all threads, with the same bits.
void smooth_in_lanes(const PatchGrid& grid, PatchLights in, PatchLights guide, i32 radius,
                     PatchLights out);

}  // namespace ballotcast::detail
