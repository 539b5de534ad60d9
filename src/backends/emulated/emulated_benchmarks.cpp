// The kernels of benchmarks on the emulated machine. It computes results and counts; its times are
// meaningless.
#include <algorithm>

#include "backends/benchmarks/launches.hpp"
#include "backends/benchmarks/synthetic_runner.hpp"
#include "backends/device/backend.hpp"
#include "backends/emulated/emulated_machine.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kRubbish = 0xcdcdcdcdu;

class EmulatedPrimitiveLab final : public PrimitiveLab {
 public:
  explicit EmulatedPrimitiveLab(u64 seed) : machine_(seed) {}

  std::string describe() const override { return emulated_describe(); }
  bool has_times() const override { return false; }
  u32 lanes_at_once() const override { return 2 * kLargestBlock; }

  std::string unavailable(const PrimitiveCase& what) const override {
    const auto* reduction = std::get_if<ReductionCase>(&what);
    return reduction && is_machine_reduction(reduction->name) ? "only a GPU has it" : "";
  }

  void set_values(const std::vector<u32>& values) override { values_ = values; }

  std::vector<u32> outputs(const PrimitiveCase& what) override {
    const std::string reason = unavailable(what);
    if (!reason.empty()) throw UsageError("not on device emulated: " + reason);
    return std::visit([&](const auto& c) { return run(c); }, what);
  }

  std::vector<double> time_ms(const PrimitiveCase&, u32) override {
    throw UsageError("device emulated has no times");
  }

 private:
  template <class Case>
  std::vector<u32> run(const Case& c) {
    std::vector<u32> out(output_count(c), kRubbish);
    launch_case(machine_, c, out.data());
    return out;
  }

  std::vector<u32> run(const ReductionCase& c) {
    require_values(c, values_.size());
    std::vector<u32> sums(c.count / kWarpSize + 1u, kRubbish), next_sums = sums;
    return {*launch_reduction(machine_, c, {values_.data(), sums.data(), next_sums.data()},
                              lanes_at_once())};
  }

  EmulatedMachine machine_;
  std::vector<u32> values_;
};

class EmulatedSyntheticRunner final : public MachineSyntheticRunner<EmulatedMachine> {
 public:
  explicit EmulatedSyntheticRunner(u64 seed) : MachineSyntheticRunner(seed) {}
  std::vector<double> time(const SyntheticCase&, u32) override { return {}; }
  double clock_mhz() override { return 0.0; }
  u32 blocks_in_cluster() const override { return 1; }
  std::string unavailable(const SyntheticCase&) const override { return ""; }

 protected:
  void sort(const Pairs& pairs) override {
    std::copy(pairs.ids, pairs.ids + pairs.count, pairs.sorted);
    std::stable_sort(pairs.sorted, pairs.sorted + pairs.count,
                     [&](u32 a, u32 b) { return pairs.keys[a] < pairs.keys[b]; });
    std::transform(pairs.sorted, pairs.sorted + pairs.count, pairs.keys + pairs.count,
                   [&](u32 id) { return pairs.keys[id]; });
  }
};

}  // namespace

std::unique_ptr<PrimitiveLab> emulated_primitive_lab(u64 seed) {
  return std::make_unique<EmulatedPrimitiveLab>(seed);
}

std::unique_ptr<SyntheticRunner> emulated_synthetic_runner(u64 seed) {
  return std::make_unique<EmulatedSyntheticRunner>(seed);
}

std::unique_ptr<SyntheticRunner> emulated_synthetic_runner() {
  return emulated_synthetic_runner(0);
}

}  // namespace ballotcast::detail
