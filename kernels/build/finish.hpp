// The rest of building a tree after a machine has done its part: the host does what was left
// undone.
#pragma once

#include <utility>

#include "bvh/builders/improve.hpp"
#include "kernels/build/build.hpp"

namespace ballotcast::detail::ploc {

/// What Build is to do for a builder. Its row must say `on_machines`.
inline BuildSettings settings_of(const Builder& builder) {
  return {builder.info->presplit, builder.rounds};
}

/// Copies the tree that `build` made last, with settings_of(builder), to the host, and does there
/// what the machine left undone. The tree is that of builder.build(mesh, copies).
template <class Machine>
BinaryTree finished(Build<Machine>& build, const Builder& builder, const Mesh& mesh,
                    const Copies& copies) {
  // Which triangles were to be cut is not decided.
  if (builder.info->presplit && !build.plain() && !build.is_improved())
    return builder.build(mesh, copies);
  BinaryTree tree = shallow(build.tree());
  return build.is_improved() ? tree : reinserted(std::move(tree), builder.rounds);
}

}  // namespace ballotcast::detail::ploc
