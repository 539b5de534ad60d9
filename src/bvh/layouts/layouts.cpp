
#include "bvh/layouts/layout.hpp"
#include "bvh/layouts/table.hpp"
#include "support/hash.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// Stores the corners of triangles, in this order.
void store_rows(const std::vector<u32>& order, const Mesh& mesh, TriangleRows* rows) {
  for_each_range<std::size_t>(order.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) rows[i] = mesh.rows_of(order[i]);
  });
}

void encode_nodes(EncodedBvh& encoded, const LayoutInfo* layout, const BinaryTree& tree,
                  float magnitude) {
  dispatch_row(Layouts{}, layout, [&](auto tag) {
    using Layout = typename decltype(tag)::type;
    static_cast<EncodedNodes&>(encoded) = Layout::encode(tree, magnitude);
    encoded.layout = &Layout::info;
    encoded.leaves = tree.leaves;
  });
}

}  // namespace

const LayoutInfo* layout_called(std::string_view name) {
  return name == "auto" ? nullptr : row_called(Layouts{}, "layout", name);
}

const LayoutInfo* layout_for(const BinaryTree& tree, float magnitude) {
  return grid2::coarseness(tree, magnitude) <= kMostCoarse ? &AutoLayout::info
                                                           : &bvh2::Layout::info;
}

EncodedBvh encode(const LayoutInfo* layout, BinaryTree tree, const Mesh& mesh) {
  const float magnitude = mesh.magnitude();
  if (!layout) layout = layout_for(tree, magnitude);
  EncodedBvh encoded;
  encode_nodes(encoded, layout, tree, magnitude);
  std::vector<Node2>().swap(tree.nodes);  // assigning {} would keep the memory
  encoded.triangles = Array<TriangleRows>::unset(tree.order.size());
  store_rows(tree.order, mesh, encoded.triangles.data());
  return encoded;
}

void store_triangles_again(EncodedBvh& encoded, const BinaryTree& tree, const Mesh& mesh) {
  store_rows(tree.order, mesh, encoded.triangles.data());
}

void encode_nodes_again(EncodedBvh& encoded, const BinaryTree& tree, float magnitude) {
  encode_nodes(encoded, encoded.layout, tree, magnitude);
}

std::string hash_of(const EncodedBvh& tree) {
  const u64 hashes[] = {
      content_hash(tree.nodes.data(), tree.bytes),
      content_hash(tree.triangles.data(), tree.triangles.size() * sizeof(TriangleRows))};
  return digits_of(content_hash(hashes, sizeof hashes));
}

std::vector<LayoutInfo> layouts() { return rows_of(Layouts{}); }

}  // namespace ballotcast::detail
