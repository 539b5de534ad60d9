// Wide trees, which device `cpu` uses. A node has up to eight children; one vector instruction
// tests their boxes. A leaf is a block of up to eight triangles, which are tested at once.
//
//   binary tree                          wide tree
//            o                           .
//          /   \                              o
//        o       o                       /  /  |  \   up to 8 children
//       / \     / \                     .
//      L   o   L   o                    L  L   L   L     leaf: up to 8 triangles
//         / \     / \                   .
//        L   L   L   L
//
// A wide tree is made from the nodes of any layout. It has the same triangles, and its boxes are
// those of the layout. So the argument of `box_slack` holds for it, too: it finds the same hits.
#pragma once

#include "bvh/layouts/children.hpp"
#include "bvh/layouts/layout.hpp"
#include "geometry/triangle_lanes.hpp"

namespace ballotcast::detail {

inline constexpr u32 kWidth = kLanes, kInBlock = kLanes;

/// The sides of the boxes of a node's children. Each is a row of eight floats.
enum Side : u32 { kLowX, kHighX, kLowY, kHighY, kLowZ, kHighZ };

/// A node. Its children are stored in the order in which a search for any hit visits them. A
/// reference (bvh/layouts/children.hpp) is the index of a node, or a leaf; see block_reference.
/// Missing children come last; their boxes are empty.
struct alignas(64) WideNode {
  float side[6][kWidth];
  u32 child[kWidth];
};
static_assert(sizeof(WideNode) == 256);

/// The form of the reference to a leaf, which is one block.
inline constexpr LeafForm kBlocks{0, 0};
inline u32 block_reference(u32 block) { return leaf_reference(block, 1, kBlocks); }
inline u32 block_of(u32 reference) { return leaf_first(reference, kBlocks); }

struct WideTree {
  Array<WideNode> nodes;
  Array<TriangleBlock> blocks;
  u32 root = kNowhere;

  u64 bytes() const {
    return u64{nodes.size()} * sizeof(WideNode) + u64{blocks.size()} * sizeof(TriangleBlock);
  }
};

/// A tree in some layout. It may be one of several trees that are stored one after the other.
struct TreeInLayout {
  const LayoutInfo* layout;
  const void* nodes;  // array of the layout's nodes
  u32 node_count;
  TreeShape shape;
  LeafForm leaves;
  const TriangleRows* triangles;  // in leaf order
};

/// Converts a tree to a wide tree with the same triangles, on all threads. The result is the same
/// for any number of threads.
WideTree widened(const TreeInLayout& tree);

}  // namespace ballotcast::detail
