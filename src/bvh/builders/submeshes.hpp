// Trees of meshes that are too large for a builder: the mesh is cut into submeshes, each submesh
// gets a tree of its own, and these become one tree.
//
//            o            the submeshes are cells of a grid, halved as keys are
//            (bvh/ploc/keys.hpp);
//          /   \          the nodes above them are their halvings
//        o       [ ]
//       / \               a tree of a submesh: leaves of more than two triangles are halved,
//       because
//    [ ]   [ ]            references have 30 bits for places then (LeafForm)
//
// Which submeshes there are depends on the mesh only.
#pragma once

#include "ballotcast/options.hpp"
#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// The most triangles of a tree that is built at once: kMostAtOnce, if no test has changed it.
u64 most_at_once();

/// While this lives, fewer triangles are built at once, and other trees are made of submeshes. For
/// tests, one at a time.
class FewerAtOnce {
 public:
  explicit FewerAtOnce(u64 most);
  FewerAtOnce(const FewerAtOnce&) = delete;
  FewerAtOnce& operator=(const FewerAtOnce&) = delete;
  ~FewerAtOnce();
};

/// Throws InputError if so many triangles are too many for a tree that is built at once.
void require_at_once(u64 triangles);

/// The form of the leaves of a tree over one mesh of so many triangles that are no copies.
LeafForm form_of_leaves(u64 triangles);

/// Builds the tree of a valid mesh with more than most_at_once() triangles that are no `copies`.
/// `build` builds the tree of a submesh, which has at most half as many. Throws InputError if cut
/// triangles need more than kMostTriangles places.
BinaryTree build_from_submeshes(const Mesh& mesh, const Copies& copies,
                                FunctionRef<BinaryTree(const Mesh& submesh)> build,
                                const Progress& report);

}  // namespace ballotcast::detail
