// How many nodes and triangles rays visit in a tree. This does not depend on the machine.
#pragma once

#include "backends/prepare.hpp"
#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// Mean numbers per ray. Rays that can't hit anything are not counted.
struct MeanVisits {
  double nodes = 0.0;      // nodes whose children's boxes are tested
  double triangles = 0.0;  // triangles that are tested
};

/// The means over a sample of the rays, walking through the tree as on the CPU. The sample consists
/// of groups of 32 consecutive rays, spread over the set.
MeanVisits mean_visits(const PreparedScene& scene, const RaySet& set);

}  // namespace ballotcast::detail
