// The end of building a tree: the host makes it shallow enough for walks, and does the rounds of
// moves that the machine has not done.
#pragma once

#include <utility>

#include "bvh/builders/builder.hpp"
#include "kernels/build/build.hpp"

namespace ballotcast::detail::ploc {

/// The settings of Build for a builder. The row of the builder must say `on_machines`.
inline BuildSettings settings_of(const Builder& builder) {
  return {builder.info->presplit, builder.rounds};
}

/// Copies the last tree of `build` to the host, and completes it there. The tree was built with
/// settings_of(builder). The result equals the tree of builder.build for the same triangles.
template <class Machine>
BinaryTree finished(Build<Machine>& build, const Builder& builder) {
  BinaryTree tree = shallow(build.tree());
  return build.is_improved() ? tree : reinserted(std::move(tree), builder.rounds);
}

}  // namespace ballotcast::detail::ploc
