// What each strategy is in machine code: the proof that naive is naive, and that a block votes.
#pragma once

#include "bench/machine_code.hpp"
#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// A call of a strategy, alone in a kernel, for one architecture.
struct StrategyCode {
  std::string_view strategy;  // a row of kernels/strategies/table.hpp
  std::string_view call;      // "report" or "reserve"
  KernelCode code;
  AtomicsPer atomics_per;
};

/// The strategies' code in a program.
struct StrategyCodes {
  std::vector<StrategyCode> rows;  // by strategy, call, architecture
  std::string why_none;            // why there are no rows, or ""
};

/// Reads the strategies' probes (kernels/strategies/probe.hpp) out of a program that links this
/// library. Throws InputError as read_machine_code does.
StrategyCodes strategy_codes(const std::string& program = "/proc/self/exe");

/// How the atomics of a kernel that calls a strategy and nothing else are shared, judged by the
/// instructions around them: with a barrier, by a block; with a vote, a count or an exchange within
/// the warp, by a warp; else by nobody.
AtomicsPer atomics_per(const KernelCode& kernel);

/// "one atomic a lane", "no atomic".
std::string_view in_words(AtomicsPer per);

}  // namespace ballotcast::detail
