// The machine code of each strategy. It proves, for example, that naive is naive and that a block
// votes.
#pragma once

#include "bench/machine_code.hpp"
#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The machine code of a kernel that contains one call of a strategy, for one architecture.
struct StrategyCode {
  std::string_view strategy;  // a row of kernels/strategies/table.hpp
  std::string_view call;      // "report" or "reserve"
  KernelCode code;
  AtomicsPer atomics_per;
};

/// The machine code of all strategies in a program.
struct StrategyCodes {
  std::vector<StrategyCode> rows;  // ordered by strategy, call and architecture
  std::string why_none;            // the reason why there are no rows, or ""
};

/// Reads the strategies' probes (kernels/strategies/probe.hpp) from a program that links this
/// library. Throws InputError as read_machine_code does.
StrategyCodes strategy_codes(const std::string& program = "/proc/self/exe");

/// How many lanes share an atomic in a kernel that contains only a strategy, judged by the other
/// instructions: with a barrier, a block; with a vote, a count or a shuffle, a warp; else a single
/// lane.
AtomicsPer atomics_per(const KernelCode& kernel);

/// As text: "one atomic per lane", "no atomic".
std::string_view in_words(AtomicsPer per);

}  // namespace ballotcast::detail
