// Finds the boxes of cells and counts their elements (bvh/ploc/presplit.hpp), on a machine with
// lanes. grow_cells_on_host is its twin.
#pragma once

#include "bvh/ploc/presplit.hpp"
#include "kernels/lane.hpp"

namespace ballotcast::detail::ploc {

/// Neighbours are mostly in the same cell, and all are in the first. So lanes of a warp that have
/// the same cell grow it together: atomics at one address take turns.
struct GrowCellsTogether {
  static constexpr u32 kBlockSize = 256;
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, Elements elements, Cell* cells) {
    const u32 i = lane.id();
    const u32 cell = i < elements.count ? elements.cells[i] : kDone;
    const CellExtremes own(cell == kDone ? Aabb{} : elements.boxes[i]);
    u32 waiting = lane.ballot(cell != kDone);
    while (waiting != 0) {
      const u32 its = lane.shuffle(cell, lowest_bit(waiting));
      const u32 same = lane.ballot(cell == its);
      waiting &= ~same;
      if (count_bits(same) < kFewest) {
        if (cell == its) own.grow(lane, cells[its], 1u);
        continue;
      }
      CellExtremes all;
      BC_UNROLL
      for (u32 k = 0; k < 6; ++k) {
        const u32 most = cell == its ? own.most[k] : 0u;
        // reduce_max compares as signed numbers.
        all.most[k] = static_cast<u32>(lane.reduce_max(static_cast<i32>(most ^ kSign))) ^ kSign;
      }
      if (lane.lane() == lowest_bit(same)) all.grow(lane, cells[its], count_bits(same));
    }
  }

 private:
  static constexpr u32 kSign = 0x80000000u;
  static constexpr u32 kFewest = 4;  // lanes for whom it pays to do it together
};

}  // namespace ballotcast::detail::ploc
