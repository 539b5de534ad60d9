// The correct outputs of the primitives, computed on the host from the definitions of any, all,
// ballot, shuffles and sums. It shares no code with the kernels, except what makes their inputs:
// start_value, next_value, says_aye, and the step of work_of_group.
#pragma once

#include <string>
#include <vector>

#include "backends/primitives.hpp"

namespace ballotcast::detail {

/// The outputs of a VoteCase: 2 * lanes words. The members of a vote are all lanes of the warp, or
/// those of one branch. A ballot is the mask of the members that vote yes. any and all combine the
/// votes of the members.
std::vector<u32> define_votes(const VoteCase& c);

/// The outputs of a ShuffleCase: one word per lane. Shuffles are defined in the CUDA C++
/// Programming Guide, "Warp Shuffle Functions".
std::vector<u32> define_shuffles(const ShuffleCase& c);

/// The sum modulo 2^32 of the first `count` values.
std::vector<u32> define_sum(const std::vector<u32>& values, u32 count);

/// The outputs of a GroupCase: the value of each lane, then for each warp the number of turns that
/// its groups take.
std::vector<u32> define_groups(const GroupCase& c);

/// How `got` differs from `expected`: "3 of 1024 values differ; value 17: expected 0x0000ffff, got
/// 0x00000000", where value 17 is the first that differs. "" if both are equal.
std::string difference(const std::vector<u32>& expected, const std::vector<u32>& got);

}  // namespace ballotcast::detail
