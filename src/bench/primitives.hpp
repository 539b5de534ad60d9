// `bench primitives`: what votes, shuffles, reductions and groups of lanes do, and what they cost.
// Every output of every lane is compared with its definition (primitive_definitions.hpp) before
// anything is timed.
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
#include "ballotcast/options.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// What to measure.
struct PrimitivesRequest {
  std::vector<std::string> experiments = {"votes", "shuffles", "reductions", "groups"};
  std::vector<u32> block_sizes = {CastOptions{}.block_size};  // of all experiments except groups
  std::vector<u32> widths = {1, 2, 4, 8, 16, 32};             // of shuffles
  std::vector<u32> sizes;        // number of values that reductions sum
  std::vector<u32> group_sizes;  // powers of two from 1 to 1024
  u32 lanes = 0;                 // of votes, shuffles and groups; rounded up to whole blocks
  u32 vote_rounds = 0, shuffle_rounds = 0, group_rounds = 0;
  u32 runs = 15;                // timed runs per row
  u32 seed = 1;                 // of the values that reductions sum
  bool include_broken = false;  // also run the deliberately broken reductions; their rows are wrong
};

/// A request for all experiments. On a GPU the sizes are large enough to fill it, and the benchmark
/// takes about 10 s. In emulation they are small, and it takes seconds.
PrimitivesRequest default_primitives_request(const PrimitiveLab& lab);

/// Runs what is requested, checks it, and times it if times have a meaning on this machine. Throws
/// UsageError for unknown experiments and invalid values.
Results bench_primitives(const PrimitivesRequest& request, PrimitiveLab& lab);

}  // namespace ballotcast::detail
