// `bench primitives`: what votes, shuffles, reductions and groups of lanes do and cost. Every
// output of every lane is compared with its definition (primitive_definitions.hpp) before anything
// is timed.
//
//   experiment   axes of its rows
//   votes        vote, form, branches, block_size, lanes, rounds
//   shuffles     shuffle, form, width, block_size, lanes, rounds
//   reductions   reduction, values, block_size
//   groups       group_size, block_size, lanes, rounds
#pragma once

#include <string>
#include <vector>

#include "backends/primitives.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// What to run.
struct PrimitivesRequest {
  std::vector<std::string> experiments = {"votes", "shuffles", "reductions", "groups"};
  std::vector<u32> block_sizes = {256};            // of all but groups
  std::vector<u32> widths = {1, 2, 4, 8, 16, 32};  // of shuffles
  std::vector<u32> sizes;                          // values that reductions sum
  std::vector<u32> group_sizes;                    // powers of two from 1 to 1024
  u32 lanes = 0;                                   // of votes, shuffles and groups; rounded up
  u32 vote_rounds = 0, shuffle_rounds = 0, group_rounds = 0;
  u32 runs = 15;                // timed, of each row
  u32 seed = 1;                 // of the values that reductions sum
  bool include_broken = false;  // specimens, too, whose rows come out wrong
};

/// All of it, in sizes that fill a GPU (about 10 s) or that emulation does in seconds.
PrimitivesRequest default_primitives_request(const PrimitiveLab& lab);

/// Runs, checks and times. Throws UsageError for axes that make no sense.
Results bench_primitives(const PrimitivesRequest& request, PrimitiveLab& lab);

}  // namespace ballotcast::detail
