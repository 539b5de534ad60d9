// Runs the synthetic kernels (kernels/synthetic) on a machine, for the benchmarks.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "ballotcast/options.hpp"
#include "kernels/synthetic/work.hpp"

namespace ballotcast::detail {

/// A synthetic kernel and its rays.
struct SyntheticCase {
  enum class Kernel { report, reserve, placement };

  Kernel kernel = Kernel::report;
  std::string_view subject;        // name of a strategy (also a broken one) or of a placement
  std::string_view work = "flag";  // a row of Works; ignored by placements
  HitPattern pattern = HitPattern::random;
  double probability = 0.5;  // of a hit, if the pattern uses it
  u32 rays = 1u << 20;
  u32 steps = 0;  // of work, per ray
  u32 block_size = CastOptions{}.block_size;
};

/// The rays of a case in the form that kernels use. The pointers to memory are null.
SyntheticView view_of(const SyntheticCase& c);

/// The results of a run.
struct SyntheticResult {
  u32 counter = 0;
  std::vector<u32> queue;  // for Kernel::reserve: all slots up to the counter
};

/// Runs synthetic kernels. Throws UsageError for unknown names and DeviceError if the machine
/// fails.
class SyntheticRunner {
 public:
  virtual ~SyntheticRunner() = default;

  /// Runs the kernel once, starting with a counter of 0.
  virtual SyntheticResult run(const SyntheticCase& c) = 0;

  /// The number of atomic operations of a run.
  virtual u64 atomics(const SyntheticCase& c) = 0;

  /// Runs the kernel `runs` times, each with a counter of 0. Returns the milliseconds of each run;
  /// the time to clear the counter is not included. Empty if times have no meaning on this machine.
  virtual std::vector<double> time(const SyntheticCase& c, u32 runs) = 0;

  /// The current clock of the multiprocessors in MHz; 0 if that has no meaning.
  virtual double clock_mhz() = 0;
};

}  // namespace ballotcast::detail
