// `bench primitives` checks and times votes, shuffles, reductions and groups of lanes. Every output
// of every lane is compared with its definition (define_votes and so on) before anything is timed.
//
//   experiment   axes of its rows
//   votes        vote, form, branches, block_size, lanes, rounds
//   shuffles     shuffle, form, width, block_size, lanes, rounds
//   reductions   reduction, values, block_size
//   groups       group_size, block_size, lanes, rounds
#pragma once

#include <string>
#include <vector>

#include "backends/benchmarks/runners.hpp"
#include "ballotcast/options.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// What to measure.
struct PrimitivesRequest {
  std::vector<std::string> experiments = {"votes", "shuffles", "reductions", "groups"};
  // Block sizes of all experiments except groups
  std::vector<u32> block_sizes = {CastOptions{}.block_size};
  std::vector<u32> widths = {1, 2, 4, 8, 16, 32};  // widths of shuffles
  std::vector<u32> sizes;                          // numbers of values that reductions add
  std::vector<u32> group_sizes;                    // sizes of groups, powers of two from 1 to 1024
  u32 lanes = 0;  // number of lanes of votes, shuffles and groups; rounded up to whole blocks
  u32 vote_rounds = 0, shuffle_rounds = 0, group_rounds = 0;
  u32 runs = 15;  // number of timed runs per row
  u32 seed = 1;   // seed of the values that reductions add
  // True to also run the deliberately broken reductions, whose rows are wrong
  bool include_broken = false;
};

/// A request for all experiments. On a GPU the sizes are large enough to fill it, and the benchmark
/// takes about 10 s. In emulation they are small, and it takes seconds.
PrimitivesRequest default_primitives_request(const PrimitiveLab& lab);

/// Runs the requested experiments, checks the results, and times them if times have a meaning on
/// this machine. Throws UsageError for unknown experiments and invalid values.
Results bench_primitives(const PrimitivesRequest& request, PrimitiveLab& lab);

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
