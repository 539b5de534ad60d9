// Copies are triangles with the same corners as another triangle of the mesh. Trees do not contain
// them.
#pragma once

#include <functional>
#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// The copies in a mesh: triangles whose corners equal those of another triangle, bit for bit and
/// in the same order. A ray hits all of these triangles at the same t, u and v, and the result is
/// the triangle with the smallest id. So the tree contains only this triangle, which represents its
/// copies. A ray tests only this triangle, however many copies there are.
struct Copies {
  // Empty if there are no copies. Otherwise the copies of triangle i are ids[starts[i] .. starts[i
  // + 1]).
  Array<u32> starts;
  Array<u32> ids;  // ids of the copies; for each triangle in ascending order

  CopiesView view() const { return {starts.empty() ? nullptr : starts.data(), ids.data()}; }
};

/// Finds the copies in a valid mesh. A triangle for which always_there(id) is false is never
/// treated as a copy and never represents copies: its surface has holes, so a ray may pass through
/// it and still hit another triangle with the same corners.
Copies find_copies(const Mesh& mesh, const std::function<bool(u32 id)>& always_there);

/// The ids of the triangles that are not copies, ascending. Empty if there are no copies.
std::vector<u32> without_copies(const Copies& copies, std::size_t triangles);

/// One flag per triangle, which is true if the triangle is a copy. Empty if there are no copies.
std::vector<bool> marked(const Copies& copies, std::size_t triangles);

}  // namespace ballotcast::detail
