// What a walk needs to know of a tree besides its nodes.
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail {

/// Where a walk starts, and how deep it gets.
struct TreeShape {
  // For layouts that store boxes as 16-bit codes: code c stands for the world coordinate
  // (1 + c / 65536) * code_scale + code_offset.
  vec3 code_scale;
  vec3 code_offset;
  u32 root;   // the reference at which a walk starts; see layouts/children.hpp
  u32 depth;  // number of inner nodes on the longest path from the root to a leaf
};

/// The greatest depth of a leaf. Walks keep one bit per level in a 64-bit word.
inline constexpr u32 kDeepestLevel = 62;

/// The most triangles per leaf. References store the count of a leaf in 3 bits.
inline constexpr u32 kLargestLeaf = 8;

}  // namespace ballotcast::detail
