// Copies are triangles with the same corners as another triangle of the mesh. The tree leaves them
// out.
#pragma once

#include <functional>
#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// The copies in a mesh: triangles whose corners equal those of another triangle, bit for bit and
/// in the same order. A ray meets all of them at the same t, u and v, and the smallest id is the
/// hit. So the tree contains only the triangle with the smallest id, which represents its copies. A
/// ray tests that triangle once, no matter how many copies there are.
struct Copies {
  // Empty if there are no copies. Otherwise the copies of triangle i are ids[starts[i]] up to but
  // not including ids[starts[i + 1]].
  Array<u32> starts;
  Array<u32> ids;  // ids of the copies; ascending for each triangle

  CopiesView view() const { return {starts.empty() ? nullptr : starts.data(), ids.data()}; }
};

/// Finds the copies in a valid mesh. A triangle for which always_there(id) is false is never
/// treated as a copy and never represents copies: its surface has holes, so a ray may pass through
/// it and still hit another triangle with the same corners.
Copies find_copies(const Mesh& mesh, const std::function<bool(u32 id)>& always_there);

/// The ids of the triangles that are not copies, ascending. Empty if there are no copies.
std::vector<u32> without_copies(const Copies& copies, std::size_t triangles);

/// One flag per triangle: true if it is a copy. Empty if there are no copies.
std::vector<bool> marked(const Copies& copies, std::size_t triangles);

}  // namespace ballotcast::detail
