// Joins clusters on the host, the twin of the GPU's kernels, and turns them into a BinaryTree.
#pragma once

#include <memory>
#include <vector>

#include "ballotcast/options.hpp"
#include "bvh/ploc/cluster.hpp"
#include "bvh/ploc/keys.hpp"

namespace ballotcast::detail::ploc {

/// The triangles of a mesh as one cluster, in the form that cluster.hpp describes.
struct JoinedClusters {
  std::vector<u32> order;  // the triangle at each place
  std::unique_ptr<Cluster[]> clusters, lefts;
  std::unique_ptr<u32[]> next;
  std::unique_ptr<u8[]> slots;

  const Cluster& root() const { return clusters[0]; }
};

/// The grid of the keys of some triangles.
KeyGrid grid_of(const TriangleView& triangles);

/// Sorts elements along a curve and joins them (see the builder). There must be at least one. Runs
/// on all threads; the result is the same for any number of them.
JoinedClusters join_on_host(const TriangleView& elements, const KeyGrid& grid,
                            const Progress& report);

/// The tree of joined clusters; its nodes are numbered in the order of their slots, but the root
/// comes first. It may be deeper than kDeepestLevel.
BinaryTree tree_of(JoinedClusters joined);

}  // namespace ballotcast::detail::ploc
