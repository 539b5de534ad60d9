// The table of reductions, and that of reductions that are broken on purpose, to test the checks.
#pragma once

#include "kernels/primitives/reductions/interleaved.hpp"
#include "kernels/primitives/reductions/sequential.hpp"
#include "kernels/primitives/reductions/warp_sums.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using Reductions = TypeList<InterleavedTree, SequentialTree, ShuffleBlock, ReduxBlock,
                            StridedShuffle, StridedRedux>;

/// Broken on purpose; see RacyTree.
using BrokenReductions = TypeList<RacyTree>;

}  // namespace ballotcast::detail
