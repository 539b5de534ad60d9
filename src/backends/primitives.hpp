// Runners for `bench primitives`: machines that run one vote, shuffle, reduction or group-size
// kernel and return everything that its lanes wrote, or time it. Each machine is a row in
// primitives.cpp.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/primitives/primitive.hpp"
#include "kernels/primitives/votes.hpp"

namespace ballotcast::detail {

// The cases. `lanes` is a multiple of `block_size`, which is a multiple of 32 from 32 to 1024.
// Names are rows of the tables in kernels/primitives/. "Outputs [n]": a run writes n words.

/// Outputs [2 * lanes], as VoteKernel writes them.
struct VoteCase {
  std::string_view form;  // VoteForms
  std::string_view vote;  // VoteKinds
  Branches branches;
  u32 lanes, block_size, rounds;
};

/// Outputs [lanes], as ShuffleKernel writes them.
struct ShuffleCase {
  std::string_view form;  // ShuffleForms
  std::string_view kind;  // ShuffleKinds
  u32 width, lanes, block_size, rounds;
};

/// Sums the first `count` (1 to 2^30) of the values given to set_values. Outputs [1]: the sum.
/// "copy" sums nothing; it outputs [count]: those `count` values.
struct ReductionCase {
  std::string_view name;  // Reductions, BrokenReductions or kMachineReductions
  u32 count, block_size;
};

/// Outputs [lanes + lanes / 32], as GroupKernel writes them.
struct GroupCase {
  u32 group_size, lanes, block_size, rounds;
};

using PrimitiveCase = std::variant<VoteCase, ShuffleCase, ReductionCase, GroupCase>;

/// Throws UsageError unless lanes, block size, width, group size and count are as stated above.
void require_valid(const PrimitiveCase& what);

/// Reductions to compare with, which are not kernels of this project: a vendor's library and a copy
/// of memory. Not all machines have them.
inline constexpr std::array<PrimitiveInfo, 2> kMachineReductions = {{
    {"cub", "cub::DeviceReduce::Sum, of the CUDA Toolkit"},
    {"copy",
     "no sum: a copy from device memory to device memory, for the bandwidth to compare with"},
}};

/// Runs and times cases on a machine. Throws UsageError for invalid names and sizes, and
/// DeviceError if the machine fails.
class PrimitiveLab {
 public:
  virtual ~PrimitiveLab() = default;

  /// A description of the machine.
  virtual std::string describe() const = 0;
  /// True if time_ms has a meaning.
  virtual bool has_times() const = 0;
  /// The number of lanes that fills the machine; a multiple of 1024.
  virtual u32 lanes_at_once() const = 0;
  /// The reason why this machine can't run the case, or "".
  virtual std::string unavailable(const PrimitiveCase& what) const = 0;

  /// Sets the values that reductions sum.
  virtual void set_values(const std::vector<u32>& values) = 0;
  /// Runs the case once, in memory filled with arbitrary values, and returns everything that it
  /// wrote.
  virtual std::vector<u32> outputs(const PrimitiveCase& what) = 0;
  /// Device times of `runs` runs, in milliseconds each. Short cases are timed in batches, which
  /// give the mean of a batch. Call it only if has_times().
  virtual std::vector<double> time_ms(const PrimitiveCase& what, u32 runs) = 0;
};

}  // namespace ballotcast::detail
