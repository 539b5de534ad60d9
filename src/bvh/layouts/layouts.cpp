
#include "bvh/layouts/layout.hpp"
#include "bvh/layouts/table.hpp"
#include "support/parallel.hpp"

namespace ballotcast::detail {

std::vector<TriangleRows> rows_in_leaf_order(const BinaryTree& tree, const Mesh& mesh) {
  std::vector<TriangleRows> rows(tree.order.size());
  for_each_index(rows.size(), [&](std::size_t i) { rows[i] = mesh.rows_of(tree.order[i]); });
  return rows;
}

EncodedBvh encode(std::string_view name, const BinaryTree& tree, const Mesh& mesh) {
  const float magnitude = mesh.magnitude();
  if (name == "auto")
    name = grid2::coarseness(tree, magnitude) <= kMostCoarse ? AutoLayout::info.name
                                                             : bvh2::Layout::info.name;
  EncodedBvh encoded;
  dispatch(Layouts{}, "layout", name, [&](auto tag) {
    using Layout = typename decltype(tag)::type;
    static_cast<EncodedNodes&>(encoded) = Layout::encode(tree, magnitude);
    encoded.layout = &Layout::info;
  });
  encoded.triangles = rows_in_leaf_order(tree, mesh);
  return encoded;
}

std::vector<LayoutInfo> layouts() { return rows_of(Layouts{}); }

}  // namespace ballotcast::detail
