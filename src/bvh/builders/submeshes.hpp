// Trees of meshes that are too large for a builder. The mesh is cut into submeshes, each submesh
// gets a tree of its own, and these become one tree.
//
//           o            The submeshes are cells of a grid, which is halved as keys
//         /   \          are (bvh/ploc/keys.hpp). The nodes above them are these halvings.
//       o       [ ]
//      / \               [ ] is the tree of a submesh. Its leaves of more than two triangles
//   [ ]   [ ]            are halved, because the positions in references need 30 bits (LeafForm).
//
// The submeshes depend on the mesh only.
#pragma once

#include "ballotcast/options.hpp"
#include "bvh/binary_tree.hpp"
#include "bvh/copies.hpp"
#include "support/function_ref.hpp"

namespace ballotcast::detail {

/// The largest number of triangles of a tree that is built at once: kMostAtOnce, unless a test has
/// changed it.
u64 most_at_once();

/// While an object of this class exists, fewer triangles are built at once, so that smaller meshes
/// are cut into submeshes. For tests. At most one object may exist.
class FewerAtOnce {
 public:
  explicit FewerAtOnce(u64 most);
  FewerAtOnce(const FewerAtOnce&) = delete;
  FewerAtOnce& operator=(const FewerAtOnce&) = delete;
  ~FewerAtOnce();
};

/// Throws InputError if `triangles` is too large a number for a tree that is built at once.
void require_at_once(u64 triangles);

/// The form of the leaves of the tree of a mesh. `triangles` is the number of triangles without
/// copies.
LeafForm form_of_leaves(u64 triangles);

/// Builds the tree of a valid mesh with more than most_at_once() triangles that are not in
/// `copies`. `build` builds the tree of a submesh, which has at most half of most_at_once()
/// triangles. Throws InputError if the tree would have more than kMostTriangles triangles, counting
/// fragments of cut triangles.
BinaryTree build_from_submeshes(const Mesh& mesh, const Copies& copies,
                                FunctionRef<BinaryTree(const Mesh& submesh)> build,
                                const Progress& report);

}  // namespace ballotcast::detail
