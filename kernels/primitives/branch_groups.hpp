// An experiment: how many neighbouring lanes must take the same branch so that branching costs
// nothing? Groups of lanes take different branches, and a warp executes its branches one after
// another.
#pragma once

#include <array>

#include "kernels/lane.hpp"
#include "kernels/primitives/primitive.hpp"

namespace ballotcast::detail {

/// The group sizes of a sweep. Beyond 32 lanes, the size of a warp, larger groups do not make the
/// kernel faster.
inline constexpr std::array<u32, 11> kGroupSizes = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};

/// The value after `rounds` steps of arithmetic. Each step needs the result of the step before, so
/// that no compiler can shorten the work.
BC_HD inline u32 work_of_group(u32 value, u32 rounds) {
  for (u32 round = 0; round < rounds; ++round) value = (value ^ value >> 15) * 0x2c1b3c6du;
  return value;
}

/// Every lane does the same work, but each group of `group_size` consecutive lanes (a power of two)
/// does the work in a turn of its own. A warp takes 32 / group_size turns, or one turn if a group
/// is larger than a warp. Writes the lanes' values to out[0 .. lanes), then each warp's number of
/// turns to out[lanes .. lanes + warps).
struct GroupKernel {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, u32 group_size, u32 rounds, u32* out) {
    const u32 first_thread = lane.thread() - lane.lane();
    const u32 own = lane.thread() / group_size;
    const u32 first = first_thread / group_size;
    const u32 last = (first_thread + kWarpSize - 1u) / group_size;
    u32 value = start_value(lane.id());
    for (u32 turn = first; turn <= last; ++turn) {
      if (turn == own) value = work_of_group(value, rounds);
      lane.sync_warp();
    }
    out[lane.id()] = value;
    if (lane.lane() == 0u) out[lane.grid_size() + lane.id() / kWarpSize] = last - first + 1u;
  }
};

}  // namespace ballotcast::detail
