#include "backends/emulated/emulated_backend.hpp"
#include "backends/emulated/machine.hpp"
#include "backends/machine_laboratory.hpp"

namespace ballotcast {

namespace {

/// Semantics and counts; its times mean nothing.
class EmulatedLaboratory final : public MachineLaboratory<EmulatedMachine> {
 public:
  explicit EmulatedLaboratory(u64 seed) : MachineLaboratory(seed) {}
  std::vector<double> time(const SyntheticCase&, u32) override { return {}; }
  double clock_mhz() override { return 0.0; }
};

}  // namespace

std::unique_ptr<Laboratory> emulated_laboratory(u64 seed) {
  return std::make_unique<EmulatedLaboratory>(seed);
}

std::unique_ptr<Laboratory> emulated_laboratory() { return emulated_laboratory(0); }

}  // namespace ballotcast
