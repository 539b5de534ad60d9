// Kernels of programs on emulated lanes.
#include "ballotcast/lanes.hpp"

#include "backends/emulated/machine.hpp"
#include "support/error.hpp"

namespace ballotcast::lanes {

using detail::EmulatedLane;

std::uint32_t call_emulated(void* lane, LaneCall what, std::uint32_t value, std::uint32_t other,
                            std::uint32_t width) {
  EmulatedLane& at = *static_cast<EmulatedLane*>(lane);
  const auto as_signed = static_cast<std::int32_t>(value);
  switch (what) {
    case LaneCall::sync:
      at.sync_among(other);
      return 0u;
    case LaneCall::ballot:
      return at.ballot_among(other, value != 0u);
    case LaneCall::add:
      return at.reduce_add(value);
    case LaneCall::bits:
      return at.reduce_or(value);
    case LaneCall::least:
      return static_cast<std::uint32_t>(at.reduce_min(as_signed));
    case LaneCall::most:
      return static_cast<std::uint32_t>(at.reduce_max(as_signed));
    case LaneCall::shuffle:
      return at.shuffle(value, other, width);
    case LaneCall::shuffle_up:
      return at.shuffle_up(value, other, width);
    case LaneCall::shuffle_down:
      return at.shuffle_down(value, other, width);
    case LaneCall::shuffle_xor:
      return at.shuffle_xor(value, other, width);
    case LaneCall::sync_block:
      at.sync_block();
      return 0u;
    case LaneCall::block_or:
      return at.block_or(value != 0u) ? 1u : 0u;
    case LaneCall::block_count:
      return at.block_count(value != 0u);
  }
  throw UsageError(
      "the program was compiled with another version of ballotcast/lanes.hpp than the "
      "library; compile it again");
}

void run_emulated(const Grid& grid, std::size_t shared_bytes,
                  const std::function<void(Lane&, void*)>& run) {
  if (grid.block_size == 0u || grid.block_size % detail::kWarpSize != 0u ||
      grid.block_size > detail::kLargestBlock)
    throw UsageError("blocks have 32 to 1024 lanes, a multiple of 32; not " +
                     std::to_string(grid.block_size));
  detail::EmulatedMachine machine(grid.order);
  machine.run_blocks("an emulated kernel", grid.blocks, grid.block_size, shared_bytes,
                     [&](EmulatedLane& emulated, void* shared) {
                       Lane lane(&emulated, emulated.thread(), emulated.block(), grid.block_size,
                                 grid.blocks);
                       run(lane, shared);
                     });
}

}  // namespace ballotcast::lanes
