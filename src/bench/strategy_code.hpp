// The machine code of each strategy. It shows whether the compiler kept what the source says: for
// example, that naive issues one atomic per lane.
#pragma once

#include "bench/machine_code.hpp"
#include "kernels/strategies/strategy.hpp"

namespace ballotcast::detail {

/// The machine code of a kernel that does nothing but call a strategy once, for one architecture.
struct StrategyCode {
  std::string_view strategy;  // a name in kernels/strategies/table.hpp
  std::string_view call;      // "report" or "reserve"
  KernelCode code;
  AtomicsPer atomics_per;
};

/// The machine code of all strategies in a program.
struct StrategyCodes {
  std::vector<StrategyCode> rows;  // ordered by strategy, call and architecture
  std::string why_none;            // the reason why there are no rows, or ""
};

/// Reads the strategies' probes (kernels/strategies/probe.hpp), which are in this code's own file.
/// Throws InputError as read_machine_code does.
StrategyCodes strategy_codes(const std::string& cuobjdump = disassembler());

/// Which lanes share an atomic in a kernel that does nothing but call a strategy. If it has no
/// atomic on global memory: none. If it has a barrier: the lanes of a block. If it votes, counts
/// bits, shuffles or the like: the lanes of a warp. Otherwise each lane issues its own atomic.
AtomicsPer atomics_per(const KernelCode& kernel);

/// As text: "one atomic per lane", "no atomic".
std::string_view in_words(AtomicsPer per);

}  // namespace ballotcast::detail
