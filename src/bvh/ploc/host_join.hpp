// Joins clusters on the host, as kernels do on the GPU (kernels/build/join.hpp), and converts them
// to a BinaryTree.
#pragma once

#include <memory>
#include <vector>

#include "ballotcast/options.hpp"
#include "bvh/ploc/cluster.hpp"
#include "bvh/ploc/keys.hpp"

namespace ballotcast::detail::ploc {

/// The triangles of a mesh, joined into one cluster. cluster.hpp describes the arrays.
struct JoinedClusters {
  std::vector<u32> order;  // the triangle at each place
  std::unique_ptr<Cluster[]> clusters, lefts;
  std::unique_ptr<u32[]> next;
  std::unique_ptr<u8[]> slots;

  const Cluster& root() const { return clusters[0]; }
};

/// The grid for the keys of the given triangles.
KeyGrid grid_of(const TriangleView& triangles);

/// Sorts elements along a space-filling curve and joins them; see build_ploc. There must be at
/// least one element. Runs on all threads; the result is the same for any number of threads.
JoinedClusters join_on_host(const TriangleView& elements, const KeyGrid& grid,
                            const Progress& report);

/// Converts joined clusters to a tree. Its nodes are numbered in the order of their slots, except
/// that the root comes first. The tree may be deeper than kDeepestLevel.
BinaryTree tree_of(JoinedClusters joined);

}  // namespace ballotcast::detail::ploc
