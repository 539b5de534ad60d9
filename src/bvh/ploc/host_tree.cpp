#include "bvh/ploc/host_tree.hpp"

#include "bvh/host_build_machine.hpp"
#include "bvh/ploc/joined_view.hpp"

namespace ballotcast::detail::ploc {

BinaryTree tree_of(JoinedClusters joined) {
  const auto count = static_cast<u32>(joined.order.size());
  HostBuildMachine machine;
  const auto before = std::make_unique_for_overwrite<Before[]>(count + 1);
  machine.sum_before(joined.slots.get(), count, before.get());
  const JoinedView view{
      {joined.clusters.get(), joined.lefts.get(), joined.next.get(), joined.slots.get()},
      joined.order.data(),
      before.get()};
  BinaryTree tree;
  tree.depth = height_of(joined.root());
  tree.order.resize(count);
  tree.nodes.resize(2 * std::size_t{before[count].inner} + 1);
  machine.each<StoreTree>("store the tree", count, view, tree.nodes.data());
  machine.each<StoreOrder>("store the order", count, view, tree.order.data());
  return tree;
}

}  // namespace ballotcast::detail::ploc
