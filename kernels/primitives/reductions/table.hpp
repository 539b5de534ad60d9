// The table of reductions, and the broken specimens that the checks must catch.
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
