// `bench atomics --recommend`: which way to count, or to give slots, is the fastest on this
// machine, as a short table of decisions.
#pragma once

#include <string>
#include <vector>

#include "bench/atomics.hpp"
#include "bench/results.hpp"

namespace ballotcast::detail {

/// Another way to do the same, and its time divided by that of the recommended one.
struct Alternative {
  std::string strategy;
  double ratio = 1.0;
  bool equal = false;   // the difference lies within the noise
  bool weaker = false;  // it does less than was asked for; listed to show what the rest costs
};

/// The answer to a question.
struct Decision {
  std::string question;  // "only the number"
  std::string work;      // "little" or "much" per lane
  std::string strategy;  // the fastest, or equal to it within the noise and simpler
  double ms = 0.0;
  std::string use;  // how kernels of programs use it; "" on the CPU
  std::vector<Alternative> others;
};

/// What has to be measured on a device with lanes, or on CPU threads. `axes`: of one value each,
/// for rays, block_size, lanes, hit_probability or threads; others have their defaults. Throws
/// UsageError for other axes and for several values.
AtomicsRequest request_to_recommend(const Axes& axes, bool on_threads);

/// Decides from the times of these results. Questions without a timed row are left out; so there
/// are no decisions without times.
std::vector<Decision> decisions_of(const Results& results);

/// The decisions for a terminal of 80 columns, with the facts of the results that they rest on.
std::string decisions_table(const Results& results, const std::vector<Decision>& decisions);
/// The same as JSON.
std::string decisions_json(const Results& results, const std::vector<Decision>& decisions);

}  // namespace ballotcast::detail
