// What a walk must know about a tree besides its nodes.
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

/// How references to the leaves of a tree divide their bits (see layouts/children.hpp). Smaller
/// leaves leave more bits for the places in a large tree.
///
///                  leaves of        first triangle   count
///   LeafForm{}     1 to 8           28 bits          3 bits
///   kSmallLeaves   1 or 2           30 bits          1 bit
struct LeafForm {
  u32 count_bits = 3;
  u32 count_mask = 7;  // the mask of the count; stored, so that kernels need not compute it
};
inline constexpr LeafForm kSmallLeaves{1, 1};

/// The most triangles per leaf, and per leaf of a tree with kSmallLeaves.
inline constexpr u32 kLargestLeaf = LeafForm{}.count_mask + 1;
inline constexpr u32 kLargestSmallLeaf = kSmallLeaves.count_mask + 1;

/// The most places of triangles in a tree whose leaves have LeafForm{}. Builders make no larger
/// tree at once: see builders/submeshes.hpp.
inline constexpr u64 kMostAtOnce = (u64{1} << (31 - LeafForm{}.count_bits)) - 1;

}  // namespace ballotcast::detail
