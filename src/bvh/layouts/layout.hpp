// Layouts: how a built tree lies in memory for walking. Each is one folder and one row in
// layouts/table.hpp.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "bvh/bvh2.hpp"

namespace ballotcast {

/// A row of the table of layouts.
struct LayoutInfo {
  std::string_view name;
  std::string_view summary;
};

/// Memory for nodes, at the alignment that any layout may ask for.
struct alignas(64) NodeBytes {
  std::byte bytes[64];
};

/// A tree in some layout, ready to be copied to a device.
struct EncodedBvh {
  std::string_view layout;              // the row's name
  std::vector<NodeBytes> nodes;         // an array of that layout's nodes
  std::vector<TriangleRows> triangles;  // in leaf order; ids in the fourth components
};

/// The corners of the mesh's triangles in the order of the tree's leaves.
std::vector<TriangleRows> rows_in_leaf_order(const Bvh2& tree, const Mesh& mesh);

/// Encodes `tree` as layout `name`. Throws UsageError, listing the layouts, when there is none
/// such.
EncodedBvh encode(std::string_view name, const Bvh2& tree, const Mesh& mesh);

/// The rows of every layout; the first is the default.
std::vector<LayoutInfo> layouts();

}  // namespace ballotcast
