#include "bvh/statistics.hpp"

#include <algorithm>

#include "support/parallel.hpp"

namespace ballotcast::detail {

TreeStatistics statistics_of(const BinaryTree& tree) {
  if (tree.nodes.empty()) return {};
  const double whole = tree.nodes[0].box.half_area();
  const auto add = [&](std::size_t begin, std::size_t end, TreeStatistics s) {
    for (std::size_t i = begin; i < end; ++i) {
      const Node2& node = tree.nodes[i];
      const double chance = whole > 0.0 ? node.box.half_area() / whole : 1.0;
      if (node.is_leaf()) {
        ++s.leaves;
        s.largest_leaf = std::max(s.largest_leaf, node.count);
        s.sah_cost += chance * node.count;
      } else {
        s.sah_cost += chance;
      }
    }
    return s;
  };
  const auto join = [](TreeStatistics a, const TreeStatistics& b) {
    a.leaves += b.leaves;
    a.largest_leaf = std::max(a.largest_leaf, b.largest_leaf);
    a.sah_cost += b.sah_cost;
    return a;
  };
  TreeStatistics s = reduce_ranges<std::size_t>(0, tree.nodes.size(), std::size_t{1} << 14,
                                                TreeStatistics{}, add, join);
  s.nodes = tree.nodes.size();
  s.depth = tree.depth;
  s.triangles_per_leaf = static_cast<double>(tree.order.size()) / static_cast<double>(s.leaves);
  return s;
}

}  // namespace ballotcast::detail
