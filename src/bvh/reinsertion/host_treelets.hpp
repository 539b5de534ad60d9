// Rebuilds treelets on the host: the twin of kernels/build/treelets.hpp.
#pragma once

#include "bvh/reinsertion/loose_tree.hpp"

namespace ballotcast::detail::reinsertion {

/// Rebuilds the treelets that FindTreelets found for a shift of the classes; see treelets.hpp. The
/// boxes of inner nodes must be computed anew afterwards. Runs on all threads.
void rebuild_treelets_on_host(const LooseTree& tree, u32 shift, const u8* begins);

}  // namespace ballotcast::detail::reinsertion
