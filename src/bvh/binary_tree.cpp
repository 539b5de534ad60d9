#include "bvh/binary_tree.hpp"

#include <algorithm>

namespace ballotcast::detail {

u32 depth_of(const BinaryTree& tree) {
  std::vector<u32> depth(tree.nodes.size(), 0);
  u32 deepest = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {  // children come after their parent
    const Node2& node = tree.nodes[i];
    deepest = std::max(deepest, depth[i]);
    if (!node.is_leaf()) depth[node.first] = depth[node.first + 1] = depth[i] + 1;
  }
  return deepest;
}

}  // namespace ballotcast::detail
