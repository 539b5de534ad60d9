// Builds bottom-up: sorts the triangles along a curve, then joins neighbours whose common box is
// small (D. Meister, J. Bittner, Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
// Construction, 2018), within the nodes of the tree of the sorted keys (C. Benthin et al., H-PLOC:
// Hierarchical Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy Construction,
// 2024).
#include "bvh/builders/builder.hpp"
#include "bvh/builders/shallow.hpp"
#include "bvh/host_build_machine.hpp"
#include "bvh/ploc/host_tree.hpp"
#include "bvh/ploc/presplit.hpp"
#include "bvh/visits.hpp"

namespace ballotcast::detail {

namespace {

/// The triangles of a mesh without its copies.
struct Uncopied {
  Uncopied(const Mesh& mesh, const Copies& copies)
      : ids(without_copies(copies, mesh.triangles.size())),
        view{mesh.positions.data(), mesh.triangles.data(), ids.empty() ? nullptr : ids.data(),
             static_cast<u32>(mesh.triangles.size() - copies.ids.size())} {}

  const std::vector<u32> ids;
  const ploc::TriangleView view;
};

BinaryTree tree_of(const ploc::TriangleView& elements, const ploc::KeyGrid& grid,
                   const Progress& report) {
  return shallow(ploc::tree_of(ploc::join_on_host(elements, grid, report)));
}

}  // namespace

BinaryTree build_ploc(const Mesh& mesh, const Copies& copies, const Progress& report) {
  mesh.require_valid();
  const Uncopied triangles(mesh, copies);
  if (triangles.view.count == 0) return {};
  return tree_of(triangles.view, ploc::grid_of(triangles.view), report);
}

BinaryTree build_ploc_presplit(const Mesh& mesh, const Copies& copies, const Progress& report) {
  mesh.require_valid();
  const Uncopied triangles(mesh, copies);
  if (triangles.view.count == 0) return {};
  const ploc::KeyGrid grid = ploc::grid_of(triangles.view);
  HostBuildMachine machine;
  const ploc::Parts parts(machine, triangles.view, &grid);
  BinaryTree whole = tree_of(triangles.view, grid, report);
  if (parts.view().count == triangles.view.count) return whole;
  BinaryTree cut = tree_of(parts.view(), grid, report);
  return visits_in(cut, triangles.view) < visits_in(whole, triangles.view) ? cut : whole;
}

}  // namespace ballotcast::detail
