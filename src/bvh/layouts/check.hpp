// Checks encoded trees that come from outside of the program.
#pragma once

#include <string>

#include "bvh/layouts/layout.hpp"

namespace ballotcast::detail {

/// The reason why walks through `tree` could read outside of its arrays or never end, or "". Nodes
/// must be as `encode` makes them: children after their parent, each node reached once, each leaf
/// within the triangles, the depth as stated. Boxes may be anything: wrong ones lose hits, and no
/// more. Costs one pass over the nodes on one thread.
std::string defect_of(const EncodedBvh& tree);

/// True if `rows` are the corners of triangles of `mesh`. Sets `bounds` to their bounding box.
bool are_rows_of(const Mesh& mesh, const Array<TriangleRows>& rows, Aabb& bounds);

}  // namespace ballotcast::detail
