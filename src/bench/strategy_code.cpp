#include "bench/strategy_code.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <filesystem>

#include "backends/benchmarks/runners.hpp"
#include "kernels/strategies/probe.hpp"
#include "kernels/strategies/table.hpp"

namespace ballotcast::detail {

namespace {

/// The program, or the shared library with the code of the program (python/CMakeLists.txt).
std::string own_file() {
  Dl_info info{};
  link_map* own = nullptr;
  if (::dladdr1(reinterpret_cast<void*>(&own_file), &info, reinterpret_cast<void**>(&own),
                RTLD_DL_LINKMAP) != 0 &&
      own && own->l_name[0] != '\0')
    return own->l_name;
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

/// Adds the machine code of the kernel run_kernel<Probe, ...> for each architecture.
template <class Probe>
void add(std::vector<StrategyCode>& rows, const std::vector<KernelCode>& kernels,
         std::string_view strategy, std::string_view call) {
  const auto first = rows.size();
  for (const KernelCode& kernel : kernels)
    if (kernel.is_called(name_of_kernel<Probe>()))
      rows.push_back({strategy, call, kernel, atomics_per(kernel)});
  std::sort(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
            [](const StrategyCode& a, const StrategyCode& b) { return a.code.arch < b.code.arch; });
}

template <class Strategy>
void add_calls(std::vector<StrategyCode>& rows, const std::vector<KernelCode>& kernels) {
  if constexpr (Strategy::info.reports())
    add<ReportProbe<Strategy>>(rows, kernels, Strategy::info.name, "report");
  if constexpr (Strategy::info.reserves())
    add<ReserveProbe<Strategy>>(rows, kernels, Strategy::info.name, "reserve");
}

template <class... Rows>
std::vector<StrategyCode> rows_in(const std::vector<KernelCode>& kernels, TypeList<Rows...>) {
  std::vector<StrategyCode> rows;
  (add_calls<Rows>(rows, kernels), ...);
  return rows;
}

}  // namespace

StrategyCodes strategy_codes(const std::string& cuobjdump) {
  if (probe_kernels() == 0)
    return {{}, "there is no GPU code in this program: it was built without the CUDA Toolkit"};
  if (cuobjdump.empty())
    return {{},
            "GPU code is read by the program cuobjdump, which was not found; it comes with the "
            "CUDA Toolkit (PyPI: nvidia-cuda-cuobjdump, nvidia-cuda-nvdisasm)"};
  const std::string file = own_file(),
                    start = "ballotcast::detail::run_kernel<ballotcast::detail::";
  StrategyCodes codes{
      rows_in(read_machine_code(file, {start + "ReportProbe<", start + "ReserveProbe<"}, cuobjdump),
              Strategies{}),
      ""};
  if (codes.rows.empty()) codes.why_none = "the strategies' GPU code is not in " + file;
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
