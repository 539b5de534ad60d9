// A machine's synthetic_runner: runs the synthetic kernels (kernels/synthetic) for the benchmarks.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kernels/synthetic/work.hpp"

namespace ballotcast::detail {

/// A synthetic kernel and its rays.
struct SyntheticCase {
  enum class Kernel { report, reserve, placement };

  Kernel kernel = Kernel::report;
  std::string_view subject;        // a strategy, broken ones too, or a placement
  std::string_view work = "flag";  // a row of Works; placements have work of their own
  HitPattern pattern = HitPattern::random;
  double probability = 0.5;  // of a hit, where the pattern leaves it open
  u32 rays = 1u << 20;
  u32 steps = 0;  // of work a ray
  u32 block_size = 256;
};

/// The rays of a case, as kernels see them; without memory.
SyntheticView view_of(const SyntheticCase& c);

/// What a run left behind.
struct SyntheticResult {
  u32 counter = 0;
  std::vector<u32> queue;  // of Kernel::reserve: all slots up to the counter
};

/// Runs synthetic kernels. Throws UsageError for names that don't exist and DeviceError when the
/// machine fails.
class SyntheticRunner {
 public:
  virtual ~SyntheticRunner() = default;

  /// Runs the kernel once, on a counter of 0.
  virtual SyntheticResult run(const SyntheticCase& c) = 0;

  /// The atomic operations that a run issues.
  virtual u64 atomics(const SyntheticCase& c) = 0;

  /// Runs the kernel `runs` times, on a counter of 0 each; returns the milliseconds of each, the
  /// clearing left out. Empty where time means nothing.
  virtual std::vector<double> time(const SyntheticCase& c, u32 runs) = 0;

  /// The clock of the multiprocessors as it is now, MHz; 0 where that means nothing.
  virtual double clock_mhz() = 0;
};

}  // namespace ballotcast::detail
