// The top-down build, which binned-sah and sbvh share.
#pragma once

#include "bvh/builders/builder.hpp"

namespace ballotcast::detail {

/// Splits nodes in two, from the root down, where the surface area heuristic is lowest. `copies`
/// are left out. `spare` is the room for parts of cut triangles, as a fraction of the number of
/// triangles; 0 means that no triangle is cut. Runs on all threads; the tree is the same for every
/// number of threads.
BinaryTree build_top_down(const Mesh& mesh, const Copies& copies, double spare,
                          const Progress& report);

}  // namespace ballotcast::detail
