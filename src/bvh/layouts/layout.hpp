// Layouts: how a built tree lies in memory for walking. Each is one folder and one row in
// layouts/table.hpp:
//
//   struct Layout {
//     static constexpr LayoutInfo info{"name", "what it is"};
//     struct Node;   // of which references (reference.hpp) are the indices
//     struct Slabs;  // a ray as its box tests want it
//     struct Walk;   // where a ray rests between two leaves: 16 bytes
//     // The nodes and the shape of `tree`, whose |coordinates| are at most `magnitude`.
//     static EncodedNodes encode(const BinaryTree& tree, float magnitude);
//     static Slabs slabs_of(const RaySetup&, const Ray&, const TreeShape&);
//     // A distance, the best hit's so far, as box tests compare it.
//     static Limit limit_of(slabs, float t);
//     // Which children of a node the ray enters at a distance up to `limit`. Conservative for
//     // every hit that intersect_triangle accepts: see box_slack.
//     static ChildOrder cross(nodes, node, slabs, limit);
//     // A walk from leaf to leaf that can rest in between.
//     static Walk start();  static Walk stop();
//     static bool finished(walk);
//     static u32 leaf(nodes, shape, walk);   // where a walk that isn't finished stands
//     // On to the next leaf; false, and finished, when there is none.
//     static bool advance(nodes, shape, slabs, limit, walk);
//   };
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

#include "bvh/binary_tree.hpp"

namespace ballotcast::detail {

/// A row of the table of layouts.
struct LayoutInfo {
  std::string_view name;
  std::string_view summary;
};

/// Bytes of a ray's walk where it rests between two leaves.
inline constexpr u64 kWalkBytes = 16;

/// Memory for nodes, at the alignment that any layout may ask for.
struct alignas(64) NodeBytes {
  std::byte bytes[64];
};

/// The nodes of a tree in some layout.
struct EncodedNodes {
  std::vector<NodeBytes> nodes;  // an array of that layout's nodes
  u64 bytes = 0;                 // that they take
  TreeShape shape{};
};

/// A tree in some layout, ready to be copied to a device.
struct EncodedBvh : EncodedNodes {
  const LayoutInfo* layout = nullptr;   // the row of layouts/table.hpp
  std::vector<TriangleRows> triangles;  // in leaf order
};

/// The corners of the mesh's triangles in the order of the tree's leaves.
std::vector<TriangleRows> rows_in_leaf_order(const BinaryTree& tree, const Mesh& mesh);

/// Encodes `tree` as layout `name`; for "auto", as the one that suits it. Throws UsageError,
/// listing the layouts, when there is none such.
EncodedBvh encode(std::string_view name, const BinaryTree& tree, const Mesh& mesh);

/// The rows of every layout; the first is the reference.
std::vector<LayoutInfo> layouts();

/// Puts an array of a layout's nodes into memory for any.
template <class Node>
EncodedNodes encoded_nodes(const std::vector<Node>& nodes, const TreeShape& shape) {
  EncodedNodes encoded;
  encoded.bytes = nodes.size() * sizeof(Node);
  encoded.nodes.resize((encoded.bytes + sizeof(NodeBytes) - 1) / sizeof(NodeBytes));
  if (encoded.bytes > 0)
    std::memcpy(static_cast<void*>(encoded.nodes.data()), nodes.data(), encoded.bytes);
  encoded.shape = shape;
  return encoded;
}

}  // namespace ballotcast::detail
