// The table of strategies: the rows of --atomics, and what `auto` means.
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

namespace ballotcast {

/// From the fewest atomics to the most.
using Strategies = TypeList<None, FlagStore, BlockVote, BlockFlag, BlockCount, WarpSlots, BlockScan,
                            WarpBallot, WarpArray, Compiler, Sharded, Naive>;

/// The strategy that `auto` takes, in every pipeline: the cheapest to report that counts, and no
/// dearer than the others to reserve (tools/results has the measurements).
inline constexpr std::string_view kAutoStrategy = BlockVote::info.name;

}  // namespace ballotcast
