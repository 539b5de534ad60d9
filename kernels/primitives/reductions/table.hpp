// The table of reductions, and the specimens that are only there to be caught.
#pragma once

#include "kernels/primitives/reductions/interleaved.hpp"
#include "kernels/primitives/reductions/sequential.hpp"
#include "kernels/primitives/reductions/warp_sums.hpp"
#include "kernels/primitives/specimens/racy_tree.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

using Reductions = TypeList<InterleavedTree, SequentialTree, ShuffleBlock, ReduxBlock,
                            StridedShuffle, StridedRedux>;

using BrokenReductions = TypeList<RacyTree>;

}  // namespace ballotcast::detail
