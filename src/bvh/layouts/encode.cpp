// Encodes a binary tree as nodes of each layout, and defines the functions of the table of layouts.
#include "bvh/layouts/encode.hpp"

#include "ballotcast/error.hpp"
#include "bvh/layouts/bvh2/layout.hpp"
#include "bvh/layouts/grid2/layout.hpp"
#include "bvh/layouts/layout.hpp"
#include "bvh/layouts/layouts.hpp"
#include "support/hash.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail::bvh2 {

EncodedNodes Layout::encode(const BinaryTree& tree, float) {
  const TreeShape shape = Encoder::shape(0, tree.depth);
  if (tree.inner_nodes() > 0) return encoded_pairs<Layout>(tree, shape, {});
  // If there is no inner node, stores a node with the root as its only child, or without any child.
  EncodedChild only = no_child();
  if (!tree.nodes.empty())
    only = {tree.nodes[0].box.low, tree.nodes[0].box.high,
            reference_to(tree.nodes[0], tree.leaves)};
  EncodedNodes encoded = room_for<Node>(1, shape);
  Encoder::store(nodes_in<Node>(encoded), 0, only, no_child());
  return encoded;
}

}  // namespace ballotcast::detail::bvh2

namespace ballotcast::detail::grid2 {

namespace {

/// Half the surface area in double precision, so that it does not underflow for tiny boxes.
double half_area_of(const Aabb& box) {
  const dvec3 e = dvec3(box.high) - dvec3(box.low);
  return e.x * e.y + e.y * e.z + e.z * e.x;
}

Aabb rounded(const Grid& grid, const Aabb& box) {
  const auto low = [](const Axis& axis, float x) { return axis.world(axis.low_code(x)); };
  const auto high = [](const Axis& axis, float x) { return axis.world(axis.high_code(x)); };
  return {{low(grid.x, box.low.x), low(grid.y, box.low.y), low(grid.z, box.low.z)},
          {high(grid.x, box.high.x), high(grid.y, box.high.y), high(grid.z, box.high.z)}};
}

}  // namespace

EncodedNodes Layout::encode(const BinaryTree& tree, float magnitude) {
  if (tree.nodes.empty()) return room_for<Node>(0, {vec3(1.0f), vec3(0.0f), kNowhere, 0});
  const Aabb root = tree.nodes[0].box;
  const Encoder encoder = Encoder::around(root.low, root.high, magnitude);
  if (!encoder.grid.covers(root.low, root.high)) throw InputError("grid2: a box leaves the grid");
  return encoded_pairs<Layout>(
      tree, encoder.shape(reference_to(tree.nodes[0], tree.leaves), tree.depth), encoder);
}

double coarseness(const BinaryTree& tree, float magnitude) {
  if (tree.nodes.empty()) return 1.0;
  const Grid grid = Grid::around(tree.nodes[0].box.low, tree.nodes[0].box.high, magnitude);
  struct Sums {
    double exact = 0.0, rounded = 0.0;
  };
  // The sums must be the same for any number of threads, because the choice of the layout depends
  // on them.
  const Sums sums = reduce_ranges<std::size_t>(
      0, tree.nodes.size(), 16384, Sums{},
      [&](std::size_t begin, std::size_t end, Sums s) {
        for (std::size_t i = begin; i < end; ++i) {
          const Node2& node = tree.nodes[i];
          const double weight = node.is_leaf() ? node.count : 1.0;
          s.exact += weight * half_area_of(node.box);
          s.rounded += weight * half_area_of(rounded(grid, node.box));
        }
        return s;
      },
      [](const Sums& a, const Sums& b) {
        return Sums{a.exact + b.exact, a.rounded + b.rounded};
      });
  return sums.exact > 0.0 ? sums.rounded / sums.exact : 1.0;
}

}  // namespace ballotcast::detail::grid2

namespace ballotcast::detail {

namespace {

/// Stores the corners of triangles in the order of `order`.
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
  std::vector<Node2>().swap(tree.nodes);  // frees the memory; assigning {} would keep it
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
