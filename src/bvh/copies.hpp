// Triangles that repeat another one of their mesh, and needn't be in its tree.
#pragma once

#include <functional>
#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// Triangles with the same corners as another, bit by bit and in the same order. What meets one
/// meets all, at the same t, u and v, and the smallest id is the hit; so that one stands for all in
/// a tree, and a pile of any height costs a ray one test.
struct Copies {
  std::vector<u32> starts;  // empty where there are no copies; else triangle i stands for
                            // ids[starts[i]] to before ids[starts[i + 1]], besides itself
  std::vector<u32> ids;     // of triangles that another stands for; ascending for each

  CopiesView view() const { return {starts.empty() ? nullptr : starts.data(), ids.data()}; }
};

/// The copies in a valid mesh. A triangle for which always_there(id) is false, as rays may pass it
/// where another with the same corners holds them, neither is one nor stands for any.
Copies find_copies(const Mesh& mesh, const std::function<bool(u32 id)>& always_there);

/// Which triangles are copies; empty where none is.
std::vector<bool> marked(const Copies& copies, std::size_t triangles);

}  // namespace ballotcast::detail
