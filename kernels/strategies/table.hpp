// The table of strategies: the rows of --atomics. The first is the default.
#pragma once

#include "kernels/strategies/block_flag.hpp"
#include "kernels/strategies/block_vote.hpp"
#include "kernels/strategies/compiler.hpp"
#include "kernels/strategies/naive.hpp"
#include "kernels/strategies/warp_ballot.hpp"
#include "support/type_list.hpp"

namespace ballotcast {

using Strategies = TypeList<BlockVote, BlockFlag, WarpBallot, Compiler, Naive>;

}  // namespace ballotcast
