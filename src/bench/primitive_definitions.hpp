// What the outputs of primitives must be, worked out on the host from the definitions of any, all,
// ballot, shuffles and sums; it shares the inputs with the kernels (start_value, next_value,
// says_aye, the step of work_of_group) and nothing of how they get there.
#pragma once

#include <string>
#include <vector>

#include "backends/primitives.hpp"

namespace ballotcast::detail {

/// Outputs [2 * lanes] of a VoteCase. A ballot is the mask of the lanes taking part that say aye;
/// any and all quantify over them. Takes part: each lane of the warp, or of the own branch.
std::vector<u32> define_votes(const VoteCase& c);

/// Outputs [lanes] of a ShuffleCase, by the CUDA C++ Programming Guide, "Warp Shuffle Functions".
std::vector<u32> define_shuffles(const ShuffleCase& c);

/// The sum modulo 2^32 of the first `count` values.
std::vector<u32> define_sum(const std::vector<u32>& values, u32 count);

/// Outputs [lanes + lanes / 32] of a GroupCase.
std::vector<u32> define_groups(const GroupCase& c);

/// "" if both are the same, else how many differ, and the first that does: "3 of 1024 values
/// differ; value 17: expected 0x0000ffff, got 0x00000000".
std::string difference(const std::vector<u32>& expected, const std::vector<u32>& got);

}  // namespace ballotcast::detail
