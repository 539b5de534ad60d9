// Builds bottom-up: sorts the triangles along a curve, then joins neighbours whose common box is
// small (D. Meister, J. Bittner, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
// Construction, 2018), within the nodes of the tree of the sorted keys (C. Benthin et al., H-PLOC:
// Hierarchical Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction,
// 2024).
#include "bvh/builders/builder.hpp"
#include "bvh/builders/shallow.hpp"
#include "bvh/ploc/host_tree.hpp"

namespace ballotcast::detail {

BinaryTree build_ploc(const Mesh& mesh, const Copies& copies, const Progress& report) {
  mesh.require_valid();
  if (mesh.triangles.size() == copies.ids.size()) return {};
  const std::vector<u32> ids = without_copies(copies, mesh.triangles.size());
  return shallow(ploc::tree_of(ploc::join_on_host(mesh, ids, report)));
}

}  // namespace ballotcast::detail
