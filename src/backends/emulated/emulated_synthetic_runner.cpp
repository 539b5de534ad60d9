#include "backends/benchmarks/launches.hpp"
#include "backends/device/rows.hpp"
#include "backends/emulated/machine.hpp"

namespace ballotcast::detail {

namespace {

/// Gives results and counts; its times have no meaning.
class EmulatedSyntheticRunner final : public MachineSyntheticRunner<EmulatedMachine> {
 public:
  explicit EmulatedSyntheticRunner(u64 seed) : MachineSyntheticRunner(seed) {}
  std::vector<double> time(const SyntheticCase&, u32) override { return {}; }
  double clock_mhz() override { return 0.0; }
};

}  // namespace

std::unique_ptr<SyntheticRunner> emulated_synthetic_runner(u64 seed) {
  return std::make_unique<EmulatedSyntheticRunner>(seed);
}

std::unique_ptr<SyntheticRunner> emulated_synthetic_runner() {
  return emulated_synthetic_runner(0);
}

}  // namespace ballotcast::detail
