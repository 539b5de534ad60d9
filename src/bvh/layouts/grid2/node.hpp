// Layout grid2: two children a node, their boxes on a grid of 65536 cells an axis over the whole
// scene. Half the bytes of bvh2, for boxes that are larger by less than a cell on each side.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail::grid2 {

/// A child: its box as codes, the low one in the lower half of a word, and its reference.
struct alignas(16) Child {
  u32 x, y, z;
  u32 reference;
};

struct alignas(32) Node {
  Child child[2];
};
static_assert(sizeof(Node) == 32);

}  // namespace ballotcast::detail::grid2
