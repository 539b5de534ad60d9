// The end of building a tree: the host makes it shallow enough for walks, and does the rounds of
// moves that a machine has left to it.
#pragma once

#include <utility>

#include "bvh/builders/builder.hpp"
#include "kernels/build/build.hpp"

namespace ballotcast::detail::ploc {

/// What Build is to do for a builder. Its row must say `on_machines`.
inline BuildSettings settings_of(const Builder& builder) {
  return {builder.info->presplit, builder.rounds};
}

/// Copies the tree that `build` made last, with settings_of(builder), to the host, and does there
/// what the machine left undone. The tree is that of builder.build for the same triangles.
template <class Machine>
BinaryTree finished(Build<Machine>& build, const Builder& builder) {
  BinaryTree tree = shallow(build.tree());
  return build.is_improved() ? tree : reinserted(std::move(tree), builder.rounds);
}

}  // namespace ballotcast::detail::ploc
