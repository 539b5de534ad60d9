#include "bvh/statistics.hpp"

#include <algorithm>

namespace ballotcast::detail {

TreeStatistics statistics_of(const BinaryTree& tree) {
  TreeStatistics s;
  if (tree.nodes.empty()) return s;
  s.nodes = tree.nodes.size();
  s.depth = tree.depth;
  const double whole = tree.nodes[0].box.half_area();
  for (const Node2& node : tree.nodes) {
    const double chance = whole > 0.0 ? node.box.half_area() / whole : 1.0;
    if (node.is_leaf()) {
      ++s.leaves;
      s.largest_leaf = std::max(s.largest_leaf, node.count);
      s.sah_cost += chance * node.count;
    } else {
      s.sah_cost += chance;
    }
  }
  s.triangles_per_leaf = static_cast<double>(tree.order.size()) / static_cast<double>(s.leaves);
  return s;
}

}  // namespace ballotcast::detail
