#include "bvh/refit.hpp"

#include <utility>

#include "bvh/host_build_machine.hpp"
#include "bvh/tree_statistics.hpp"

namespace ballotcast::detail {

namespace {

ploc::TriangleView all_of(const Mesh& mesh) {
  return {mesh.positions.data(), mesh.triangles.data(), nullptr,
          static_cast<u32>(mesh.triangles.size())};
}

}  // namespace

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
