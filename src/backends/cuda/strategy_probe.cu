// The probes of every strategy (kernels/strategies/probe.hpp). They are compiled for a fixed list
// of architectures, even if the program is built for other ones; see tools/cmake/cuda.cmake.
#include "backends/benchmarks/runners.hpp"
#include "backends/cuda/adds.cuh"
#include "backends/cuda/clusters.cuh"
#include "backends/cuda/launch.cuh"
#include "kernels/strategies/laboratory/laboratory_strategies.hpp"
#include "kernels/strategies/probe.hpp"
#include "kernels/strategies/strategies.hpp"

namespace ballotcast::detail {

namespace {

/// Takes a kernel's address, so that the kernel is compiled.
template <class... Views>
u32 compiled(void (*kernel)(Views...)) {
  return kernel != nullptr ? 1u : 0u;
}

template <class Strategy>
u32 kernels_of() {
  using Counter = decltype(counter_for<Strategy>(CounterView{}, 1u, 1u));
  u32 count = 0;
  if constexpr (Strategy::info.reports())
    count += compiled(run_kernel<ReportProbe<Strategy>, u32, Counter>);
  if constexpr (Strategy::info.reserves())
    count += compiled(run_kernel<ReserveProbe<Strategy>, u32, Counter, u32*>);
  return count;
}

template <class... Rows>
u32 kernels_of_all(TypeList<Rows...>) {
  return (kernels_of<Rows>() + ...);
}

}  // namespace

u32 probe_kernels() {
  return kernels_of_all(Strategies{}) + kernels_of_all(LaboratoryStrategies{});
}

}  // namespace ballotcast::detail
