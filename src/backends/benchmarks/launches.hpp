// Launches the kernels of the benchmarks of primitives, with the same code on every machine. A
// Machine (kernels/pipelines/machine.hpp) has launch<Kernel>(description, blocks, block_size,
// views...).
#pragma once

#include <utility>

#include "backends/benchmarks/runners.hpp"
#include "kernels/pipelines/machine.hpp"
#include "kernels/primitives/branch_groups.hpp"
#include "kernels/primitives/reductions/reductions.hpp"
#include "kernels/primitives/shuffles.hpp"
#include "kernels/primitives/votes.hpp"

namespace ballotcast::detail {

/// The number of words that a case (other than a reduction) outputs.
inline std::size_t output_count(const VoteCase& c) { return std::size_t{2} * c.lanes; }
inline std::size_t output_count(const ShuffleCase& c) { return c.lanes; }
inline std::size_t output_count(const GroupCase& c) { return c.lanes + c.lanes / kWarpSize; }

/// Launches the kernel of a case, which writes output_count(c) words to `out`. Throws UsageError if
/// the case is invalid.
template <class Machine>
void launch_case(Machine& machine, const VoteCase& c, u32* out) {
  require_valid(c);
  dispatch(VoteForms{}, "form of votes", c.form, [&](auto form) {
    dispatch(VoteKinds{}, "vote", c.vote, [&](auto vote) {
      using Kernel = VoteKernel<typename decltype(form)::type, typename decltype(vote)::type>;
      machine.template launch<Kernel>("votes", c.lanes / c.block_size, c.block_size, c.branches,
                                      c.rounds, out);
    });
  });
}

template <class Machine>
void launch_case(Machine& machine, const ShuffleCase& c, u32* out) {
  require_valid(c);
  dispatch(ShuffleForms{}, "form of shuffles", c.form, [&](auto form) {
    dispatch(ShuffleKinds{}, "shuffle", c.kind, [&](auto kind) {
      using Kernel = ShuffleKernel<typename decltype(form)::type, typename decltype(kind)::type>;
      machine.template launch<Kernel>("shuffles", c.lanes / c.block_size, c.block_size, c.width,
                                      c.rounds, out);
    });
  });
}

template <class Machine>
void launch_case(Machine& machine, const GroupCase& c, u32* out) {
  require_valid(c);
  machine.template launch<GroupKernel>("groups", c.lanes / c.block_size, c.block_size, c.group_size,
                                       c.rounds, out);
}

/// The memory of a reduction of `count` values: the values, and two arrays for sums, to which
/// passes write in turn. Each array of sums has ceil(count / 32) elements. All arrays are aligned
/// to 16 bytes.
struct ReductionMemory {
  const u32* values;
  u32 *sums, *next_sums;
};

/// Runs passes of `Reduction` until one sum is left. Returns the address of that sum.
template <class Reduction, class Machine>
const u32* launch_passes(Machine& machine, const ReductionCase& c, ReductionMemory memory,
                         u32 lanes_at_once) {
  const u32* from = memory.values;
  u32 count = c.count;
  do {
    u32 blocks = (count + c.block_size - 1u) / c.block_size;
    if (Reduction::kStrided) {
      // Up to 16 blocks' worth of values are summed by one block, because a second pass would take
      // longer. Otherwise each lane sums about four values, or more if there are more lanes than
      // the machine can hold.
      const u32 most = lanes_at_once / c.block_size;
      blocks = blocks <= 16u ? 1u : blocks < 4u * most ? (blocks + 3u) / 4u : most;
    }
    machine.template launch<ReductionKernel<Reduction>>("reduction", blocks, c.block_size, from,
                                                        count, memory.sums);
    from = memory.sums;
    std::swap(memory.sums, memory.next_sums);
    count = blocks;
  } while (count > 1u);
  return from;
}

/// Runs the reduction c.name, a row of Reductions or BrokenReductions. Returns the address of the
/// sum in the machine's memory. For `lanes_at_once`, see PrimitiveLab.
template <class Machine>
const u32* launch_reduction(Machine& machine, const ReductionCase& c, const ReductionMemory& memory,
                            u32 lanes_at_once) {
  require_valid(c);
  const u32* sum = nullptr;
  const auto run = [&](auto row) {
    sum = launch_passes<typename decltype(row)::type>(machine, c, memory, lanes_at_once);
  };
  bool broken = false;
  for (const PrimitiveInfo& row : rows_of(BrokenReductions{})) broken |= row.name == c.name;
  if (broken)
    dispatch(BrokenReductions{}, "reduction", c.name, run);
  else
    dispatch(Reductions{}, "reduction", c.name, run);
  return sum;
}

/// Throws UsageError if the case sums more than `held`, the number of values that the runner has.
inline void require_values(const ReductionCase& c, std::size_t held) {
  if (c.count > held)
    throw UsageError("a sum of " + std::to_string(c.count) + " values: only " +
                     std::to_string(held) + " are available");
}

/// True if `name` is a row of kMachineReductions.
inline bool is_machine_reduction(std::string_view name) {
  for (const PrimitiveInfo& row : kMachineReductions)
    if (row.name == name) return true;
  return false;
}

}  // namespace ballotcast::detail
