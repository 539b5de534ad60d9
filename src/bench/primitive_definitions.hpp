// The correct outputs of the primitives, computed on the host from the definitions of any, all,
// ballot, shuffles and sums. The code shares with the kernels only the inputs (start_value,
// next_value, says_aye, the step of work_of_group).
#pragma once

#include <string>
#include <vector>

#include "backends/primitives.hpp"

namespace ballotcast::detail {

/// The outputs [2 * lanes] of a VoteCase. A ballot is the mask of the members that vote yes; any
/// and all combine the members' votes. The members are all lanes of the warp, or those of one
/// branch.
std::vector<u32> define_votes(const VoteCase& c);

/// The outputs [lanes] of a ShuffleCase, by the CUDA C++ Programming Guide, "Warp Shuffle
/// Functions".
std::vector<u32> define_shuffles(const ShuffleCase& c);

/// The sum modulo 2^32 of the first `count` values.
std::vector<u32> define_sum(const std::vector<u32>& values, u32 count);

/// The outputs [lanes + lanes / 32] of a GroupCase.
std::vector<u32> define_groups(const GroupCase& c);

/// "" if both are equal. Else the number of differences and the first one: "3 of 1024 values
/// differ; value 17: expected 0x0000ffff, got 0x00000000".
std::string difference(const std::vector<u32>& expected, const std::vector<u32>& got);

}  // namespace ballotcast::detail
