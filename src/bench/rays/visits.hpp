// How many nodes and triangles rays visit in a tree. This does not depend on the machine.
#pragma once

#include "backends/prepare.hpp"
#include "bench/rays/workloads.hpp"

namespace ballotcast::detail {

/// Means over all rays except idle ones.
struct MeanVisits {
  double nodes = 0.0;      // nodes whose children's boxes are tested
  double triangles = 0.0;  // triangles that are tested
};

/// Walks with a sample of the rays, as the CPU does: groups of 32 consecutive rays, spread over the
/// set.
MeanVisits mean_visits(const PreparedScene& scene, const RaySet& set);

}  // namespace ballotcast::detail
