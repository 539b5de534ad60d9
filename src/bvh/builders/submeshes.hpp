// Trees of meshes that are too large for a builder. The mesh is cut into submeshes, each submesh
// gets a tree of its own, and these become one tree.
//
//           o            The submeshes are cells of a grid, which is halved as keys
//         /   \          are (bvh/ploc/keys.hpp). The nodes above them are these halvings.
//       o       [ ]
//      / \               [ ] is the tree of a submesh. Its leaves of more than two triangles
//   [ ]   [ ]            are halved, because the places in references need 30 bits (LeafForm).
//
// The submeshes depend on the mesh only.
#pragma once

#include "ballotcast/options.hpp"
#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// The most triangles of a tree that is built at once: kMostAtOnce, unless a test has changed it.
u64 most_at_once();

/// While this object lives, fewer triangles are built at once, and larger meshes are cut into
/// submeshes. For tests. There may be one such object at a time.
class FewerAtOnce {
 public:
  explicit FewerAtOnce(u64 most);
  FewerAtOnce(const FewerAtOnce&) = delete;
  FewerAtOnce& operator=(const FewerAtOnce&) = delete;
  ~FewerAtOnce();
};

/// Throws InputError if `triangles` is too many for a tree that is built at once.
void require_at_once(u64 triangles);

/// The form of the leaves of a tree over one mesh. `triangles` is their number without copies.
LeafForm form_of_leaves(u64 triangles);

/// Builds the tree of a valid mesh with more than most_at_once() triangles besides its `copies`.
/// `build` builds the tree of a submesh, which has at most half of most_at_once() triangles. Throws
/// InputError if cut triangles need more than kMostTriangles places.
BinaryTree build_from_submeshes(const Mesh& mesh, const Copies& copies,
                                FunctionRef<BinaryTree(const Mesh& submesh)> build,
                                const Progress& report);

}  // namespace ballotcast::detail
