#include "bench/strategy_code.hpp"

#include <algorithm>

#include "backends/benchmarks/runners.hpp"
#include "kernels/strategies/probe.hpp"
#include "kernels/strategies/table.hpp"

namespace ballotcast::detail {

namespace {

/// Adds the machine code of the kernel run_kernel<Probe, ...> for each architecture.
template <class Probe>
void add(std::vector<StrategyCode>& rows, const MachineCode& code, std::string_view strategy,
         std::string_view call) {
  std::vector<StrategyCode> own;
  for (const KernelCode* kernel :
       code.named("ballotcast::detail::run_kernel<" + type_name<Probe>() + ","))
    own.push_back({strategy, call, *kernel, atomics_per(*kernel)});
  std::sort(own.begin(), own.end(),
            [](const StrategyCode& a, const StrategyCode& b) { return a.code.arch < b.code.arch; });
  rows.insert(rows.end(), own.begin(), own.end());
}

template <class Strategy>
void add_calls(std::vector<StrategyCode>& rows, const MachineCode& code) {
  if constexpr (Strategy::info.reports())
    add<ReportProbe<Strategy>>(rows, code, Strategy::info.name, "report");
  if constexpr (Strategy::info.reserves())
    add<ReserveProbe<Strategy>>(rows, code, Strategy::info.name, "reserve");
}

template <class... Rows>
std::vector<StrategyCode> rows_in(const MachineCode& code, TypeList<Rows...>) {
  std::vector<StrategyCode> rows;
  (add_calls<Rows>(rows, code), ...);
  return rows;
}

}  // namespace

StrategyCodes strategy_codes(const std::string& program) {
  if (probe_kernels() == 0)
    return {{}, "there is no GPU code in this program: it was built without the CUDA Toolkit"};
  const MachineCode code = read_machine_code(program);
  StrategyCodes codes{rows_in(code, Strategies{}), ""};
  if (codes.rows.empty())
    codes.why_none = code.unread.empty() ? "the strategies' GPU code is not in " + program
                                         : "the GPU code can't be read: " + code.unread[0].why;
  return codes;
}

AtomicsPer atomics_per(const KernelCode& kernel) {
  using enum OpClass;
  if (kernel.count({red, atom}) == 0) return AtomicsPer::none;
  if (kernel.count({bar_sync, bar_red}) != 0) return AtomicsPer::block;
  const bool together = kernel.count({vote, voteu, redux, popc, upopc, shfl, match}) != 0;
  return together ? AtomicsPer::warp : AtomicsPer::lane;
}

std::string_view in_words(AtomicsPer per) {
  switch (per) {
    case AtomicsPer::none:
      return "no atomic";
    case AtomicsPer::lane:
      return "one atomic per lane";
    case AtomicsPer::warp:
      return "one atomic per warp";
    case AtomicsPer::block:
      return "one atomic per block";
    case AtomicsPer::varies:
      return "depends on the compiler";
  }
  return "";
}

}  // namespace ballotcast::detail
