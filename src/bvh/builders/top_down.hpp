// The top-down build that binned-sah and sbvh share.
#pragma once

#include "bvh/builders/builder.hpp"

namespace ballotcast {

struct TopDownSettings {
  /// Room for parts of cut triangles, as a fraction of the mesh's; 0: none is cut.
  double spare = 0.0;
  /// Cuts are tried where the boxes of the best uncut children overlap by more than this fraction
  /// of the root's area.
  float overlap = 1.0e-3f;
};

/// Splits nodes in two, from the root on, where the surface area heuristic is lowest. Runs on the
/// calling oneTBB arena; the tree is the same for every number of threads.
Bvh2 build_top_down(const Mesh& mesh, const TopDownSettings& settings, const BuildProgress& report);

}  // namespace ballotcast
