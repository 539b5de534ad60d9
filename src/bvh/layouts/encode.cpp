// How a binary tree becomes the nodes of each layout.
#include "bvh/layouts/encode.hpp"

#include "bvh/layouts/bvh2/layout.hpp"
#include "bvh/layouts/grid2/layout.hpp"
#include "support/error.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail::bvh2 {

EncodedNodes Layout::encode(const BinaryTree& tree, float) {
  const TreeShape shape = Encoder::shape(0, tree.depth);
  if (tree.inner_nodes() > 0) return encoded_pairs<Layout>(tree, shape, {});
  // There is no inner node. Store a node with the root as its only child, or without any child.
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

/// Half the surface area; in double precision, so that it does not vanish for tiny boxes.
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
  // The sums must be the same for any number of threads, because they decide about the layout.
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
