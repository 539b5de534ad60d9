// What rays cost a tree: nodes and triangles, whatever the machine.
#pragma once

#include "backends/prepare.hpp"
#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// Means over rays that ask something.
struct MeanVisits {
  double nodes = 0.0;      // whose children's boxes are tested
  double triangles = 0.0;  // that are tested
};

/// Walks the CPU's way with some of the rays: groups of 32 in a row, spread over the set.
MeanVisits mean_visits(const PreparedScene& scene, const RaySet& set);

}  // namespace ballotcast::detail
