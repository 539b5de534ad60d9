// Layout grid2 as one type, for which kernels are compiled.
#pragma once

#include "bvh/layouts/grid2/grid.hpp"
#include "bvh/layouts/grid2/walk.hpp"
#include "bvh/layouts/layout.hpp"

namespace ballotcast::detail::grid2 {

struct Layout : Walking {
  static constexpr LayoutInfo info{"grid2",
                                   "32-byte nodes with boxes on a 16-bit grid; the fastest"};
  using Encoder = grid2::Encoder;
  static constexpr bool kRootIsNode = false;  // the root may be a leaf

  static EncodedNodes encode(const BinaryTree& tree, float magnitude);
};

/// The expected cost of a walk on the rounded boxes of grid2 (surface area heuristic), divided by
/// that of a walk on the tree's own boxes. At least 1.
double coarseness(const BinaryTree& tree, float magnitude);

}  // namespace ballotcast::detail::grid2
