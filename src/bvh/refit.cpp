#include "bvh/refit.hpp"

#include <algorithm>
#include <utility>

#include "bvh/host_build_machine.hpp"
#include "bvh/visits.hpp"

namespace ballotcast::detail {

namespace {

ploc::TriangleView all_of(const Mesh& mesh) {
  return {mesh.positions.data(), mesh.triangles.data(), nullptr,
          static_cast<u32>(mesh.triangles.size())};
}

}  // namespace

std::vector<u8> heights_of_pairs(const BinaryTree& tree) {
  // The places of inner nodes, parents before their children.
  std::vector<u32> inner;
  if (tree.inner_nodes() > 0) inner.push_back(0);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const u32 first = tree.nodes[inner[i]].first;
    for (const u32 child : {first, first + 1})
      if (!tree.nodes[child].is_leaf()) inner.push_back(child);
  }
  std::vector<u8> heights(tree.inner_nodes());
  const auto height = [&](const Node2& node) {
    return node.is_leaf() ? u32{0} : u32{heights[node.number()]};
  };
  for (std::size_t i = inner.size(); i-- > 0;) {
    const Node2& node = tree.nodes[inner[i]];
    heights[node.number()] = static_cast<u8>(
        1 + std::max(height(tree.nodes[node.first]), height(tree.nodes[node.first + 1])));
  }
  return heights;
}

FollowingTree::FollowingTree(BinaryTree tree, const Mesh& mesh)
    : tree_(std::move(tree)),
      above_(tree_.inner_nodes()),
      arrivals_(tree_.inner_nodes()),
      visits_as_built_(visits_in(tree_, all_of(mesh))) {
  const u32 count = static_cast<u32>(tree_.nodes.size());
  HostBuildMachine().each<reinsertion::FindParents>(
      "find parents", count, reinsertion::LooseTree{tree_.nodes.data(), above_.data(), count});
}

void FollowingTree::refit(const TriangleRows* triangles) {
  const u32 count = static_cast<u32>(tree_.nodes.size());
  HostBuildMachine().each_lane<FitTree>(
      "fit the tree", count, reinsertion::LooseTree{tree_.nodes.data(), above_.data(), count},
      arrivals_.data(), triangles);
}

double FollowingTree::wear(const Mesh& mesh) const {
  const double visits = static_cast<double>(visits_in(tree_, all_of(mesh)));
  return visits_as_built_ > 0 ? visits / static_cast<double>(visits_as_built_) : 1.0;
}

}  // namespace ballotcast::detail
