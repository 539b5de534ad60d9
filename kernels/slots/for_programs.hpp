// The functions that include/ballotcast/slots.hpp calls in kernels of users' programs. The build
// merges this file and all files that it includes into ballotcast/slots_core.hpp
// (tools/cmake/make_headers.cmake).
#pragma once

#include "kernels/slots/bins.hpp"
#include "kernels/slots/later.hpp"
#include "kernels/strategies/block_count.hpp"
#include "kernels/strategies/block_scan.hpp"
#include "kernels/strategies/block_vote.hpp"
#include "kernels/strategies/flag_store.hpp"
#include "kernels/strategies/laboratory/warp_shards.hpp"
#include "kernels/strategies/naive.hpp"
#include "kernels/strategies/sharded.hpp"
#include "kernels/strategies/warp_ballot.hpp"
#include "kernels/strategies/warp_slots.hpp"
