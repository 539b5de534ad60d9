// Runs kernels that only benchmarks launch: each runner runs a kernel of kernels/primitives or
// kernels/synthetic on a machine, and returns its results, or measures its time.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ballotcast/options.hpp"
#include "kernels/primitives/primitive.hpp"
#include "kernels/primitives/votes.hpp"
#include "kernels/synthetic/work.hpp"
#include "math/portable.hpp"

namespace ballotcast::detail {

// Cases: primitives with the sizes at which a benchmark runs them. `lanes` is a multiple of
// `block_size`, which is a multiple of 32 from 32 to 1024. Names are rows of the tables in
// kernels/primitives/. `rounds`: how often each lane repeats the primitive, or for groups, its step
// of arithmetic. "Outputs [n]" means that a run writes n words.

/// Votes of all lanes. Outputs [2 * lanes]: see VoteKernel.
struct VoteCase {
  std::string_view form;  // a row of VoteForms
  std::string_view vote;  // a row of VoteKinds
  Branches branches;
  u32 lanes, block_size, rounds;
};

/// Shuffles of all lanes. Outputs [lanes]: see ShuffleKernel.
struct ShuffleCase {
  std::string_view form;  // a row of ShuffleForms
  std::string_view kind;  // a row of ShuffleKinds
  u32 width, lanes, block_size, rounds;
};

/// Sums the first `count` (1 to 2^30) of the values that were passed to set_values. Outputs [1]:
/// the sum. The reduction "copy" copies the `count` values instead and outputs [count].
struct ReductionCase {
  std::string_view name;  // a row of Reductions, BrokenReductions or kMachineReductions
  u32 count, block_size;
};

/// Groups of lanes that take turns. Outputs [lanes + lanes / 32]: see GroupKernel.
struct GroupCase {
  u32 group_size, lanes, block_size, rounds;
};

using PrimitiveCase = std::variant<VoteCase, ShuffleCase, ReductionCase, GroupCase>;

/// Throws UsageError unless the lanes, block size, width, group size and count of a case are in
/// their ranges.
void require_valid(const PrimitiveCase& what);

/// Reductions for comparison that are not kernels of this project: those of a vendor's library, and
/// a plain copy of memory. Some machines do not have them.
inline constexpr std::array<PrimitiveInfo, 2> kMachineReductions = {{
    {"cub", "cub::DeviceReduce::Sum, of the CUDA Toolkit"},
    {"copy",
     "no sum: a copy from device memory to device memory, for the bandwidth to compare with"},
}};

/// Runs cases on a machine and measures their time. Throws UsageError for invalid names and sizes,
/// and DeviceError if the machine fails.
class PrimitiveLab {
 public:
  virtual ~PrimitiveLab() = default;

  /// A description of the machine.
  virtual std::string describe() const = 0;
  /// True if the machine can measure times: false for emulated lanes.
  virtual bool has_times() const = 0;
  /// The number of lanes that fills the machine; a multiple of 1024.
  virtual u32 lanes_at_once() const = 0;
  /// The reason why this machine can't run the case, or "".
  virtual std::string unavailable(const PrimitiveCase& what) const = 0;

  /// Sets the values that reductions add up.
  virtual void set_values(const std::vector<u32>& values) = 0;
  /// Runs the case once, with output memory that is filled with arbitrary values before. Returns
  /// all outputs.
  virtual std::vector<u32> outputs(const PrimitiveCase& what) = 0;
  /// Returns the device times of `runs` runs, in milliseconds. Short cases are measured in batches;
  /// then each time is the mean of a batch. Call this function only if has_times() is true.
  virtual std::vector<double> time_ms(const PrimitiveCase& what, u32 runs) = 0;
};

/// A synthetic kernel, and the properties of its rays.
struct SyntheticCase {
  enum class Kernel { report, reserve, placement };

  Kernel kernel = Kernel::report;
  // The name of a placement (kernels/synthetic/placement.hpp), or of a strategy: a row of any table
  // in kernels/strategies/.
  std::string_view subject;
  std::string_view work = "flag";  // a row of Works; placements ignore it
  HitPattern pattern = HitPattern::random;
  double probability = 0.5;  // probability of a hit, if the pattern uses it
  u32 rays = 1u << 20;
  u32 steps = 0;    // steps of work per ray
  u32 ragged = 1;   // one of every eight blocks takes this many times the steps
  u32 shards = 64;  // number of counters or queues of strategies that have several; a power of two
  u32 items = 1;    // rays per lane; more than 1 only for warp-shards
  u32 bins = 8;     // the number of bins, for strategies that have bins: 2, 8 or 32
  // Bytes that each lane with a hit stores in addition to its id: a multiple of 16. Only strategies
  // block-scan and later support this, with work flag or fma.
  u32 payload_bytes = 0;
  u32 block_size = CastOptions{}.block_size;
};

/// The rays of a case in the form that kernels use. All pointers to memory are null.
SyntheticView view_of(const SyntheticCase& c);

/// The results of a run.
struct SyntheticResult {
  u32 counter = 0;
  std::vector<u32> queue;        // for kernels that reserve slots: the ids in them, queue by queue
  std::vector<u32> begins;       // for each queue: the index of its first entry in `queue`
  std::vector<Float4> payloads;  // payload_bytes / 16 elements for each entry of the queue
};

/// Runs synthetic kernels. Throws UsageError for unknown names and DeviceError if the machine
/// fails.
class SyntheticRunner {
 public:
  virtual ~SyntheticRunner() = default;

  /// Runs the kernel once, with a counter that is 0 before the run.
  virtual SyntheticResult run(const SyntheticCase& c) = 0;

  /// The reason why this machine can't run the case, or "".
  virtual std::string unavailable(const SyntheticCase& c) const = 0;
  /// The number of blocks in a thread block cluster; 1 if the machine has no clusters.
  virtual u32 blocks_in_cluster() const = 0;

  /// The number of atomic operations of a run.
  virtual u64 atomics(const SyntheticCase& c) = 0;

  /// Runs the kernel `runs` times, each time with a counter of 0. Returns the time of each run in
  /// milliseconds, without the time to clear the counter. Returns an empty array if the machine
  /// can't measure times.
  virtual std::vector<double> time(const SyntheticCase& c, u32 runs) = 0;

  /// The current clock of the multiprocessors in MHz; 0 if there is no such clock.
  virtual double clock_mhz() = 0;
};

/// The number of probe kernels in this program (kernels/strategies/probe.hpp). Probes are never
/// run: `info --atomics` reads their machine code. Each probe counts once, even if it is compiled
/// for several architectures. 0 in a build without the CUDA Toolkit. A call of this function makes
/// the linker keep the probes in the program.
u32 probe_kernels();

}  // namespace ballotcast::detail
