#include "bvh/builders/reinsertion.hpp"

#include "bvh/builders/shallow.hpp"
#include "bvh/host_build_machine.hpp"
#include "bvh/reinsertion/rounds.hpp"

namespace ballotcast::detail {

BinaryTree reinserted(BinaryTree tree, u32 rounds, const Progress& report) {
  // Without rounds the numbers of the nodes stay, too.
  if (rounds == 0 || tree.inner_nodes() < 2) return tree;
  HostBuildMachine machine;
  const auto count = static_cast<u32>(tree.nodes.size());
  reinsertion::Rounds moves(machine, tree.nodes.data(), count);
  for (u32 i = 0; i < rounds; ++i) {
    moves.round(i);
    if (report) report(i + 1, rounds);
  }
  const reinsertion::OrderedTree ordered = moves.ordered(tree.order.data());
  BinaryTree out;
  out.nodes.resize(count);
  out.order.resize(tree.order.size());
  out.depth = moves.depth();
  machine.each<StoreTree>("store the tree", tree.inner_nodes(), ordered, out.nodes.data());
  machine.each<StoreOrder>("store the order", tree.inner_nodes(), ordered, out.order.data());
  return shallow(std::move(out));
}

}  // namespace ballotcast::detail
