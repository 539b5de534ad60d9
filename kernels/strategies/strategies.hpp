// The table of strategies, which --atomics chooses from.
#pragma once

#include "kernels/strategies/block_count.hpp"
#include "kernels/strategies/block_flag.hpp"
#include "kernels/strategies/block_scan.hpp"
#include "kernels/strategies/block_vote.hpp"
#include "kernels/strategies/compiler.hpp"
#include "kernels/strategies/flag_store.hpp"
#include "kernels/strategies/naive.hpp"
#include "kernels/strategies/none.hpp"
#include "kernels/strategies/sharded.hpp"
#include "kernels/strategies/warp_array.hpp"
#include "kernels/strategies/warp_ballot.hpp"
#include "kernels/strategies/warp_slots.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

/// Ordered from the fewest atomics to the most.
using Strategies = TypeList<None, FlagStore, BlockVote, BlockFlag, BlockCount, WarpSlots, BlockScan,
                            WarpBallot, WarpArray, Compiler, Sharded, Naive>;

}  // namespace ballotcast::detail
