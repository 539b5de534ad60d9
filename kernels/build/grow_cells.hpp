// Finds the boxes of cells and counts their elements (bvh/ploc/presplit.hpp), on a machine that has
// lanes. grow_cells_on_host does the same on the host.
#pragma once

#include "bvh/ploc/presplit.hpp"
#include "kernels/build/make_keys.hpp"

namespace ballotcast::detail::ploc {

/// Atomics at one address are serialized, and neighbouring elements are mostly in the same cell (on
/// the first level, all are). So a warp collects elements until it comes to another cell, and then
/// grows the last cell by one set of atomics.
struct GrowCellsTogether {
  static constexpr u32 kBlockSize = 256;
  // Elements per lane. More elements need fewer atomics, but leave fewer warps to hide latency.
  static constexpr u32 kEach = 8;
  struct Shared {};

  /// The number of lanes to launch for `elements` elements.
  static constexpr u32 lanes_for(u32 elements) {
    return (elements / (kWarpSize * kEach) + 1u) * kWarpSize;
  }

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, Elements elements, Cell* cells) {
    const u32 first = lane.id() / kWarpSize * kWarpSize * kEach + lane.lane();
    // The warp's present cell; the number of elements collected for it.
    u32 open = kDone, count = 0;
    OrderedBounds bounds;
    for (u32 k = 0; k < kEach; ++k) {
      const u32 i = first + k * kWarpSize;
      const u32 cell = i < elements.count ? elements.cells[i] : kDone;
      const OrderedBounds own = cell == kDone ? OrderedBounds() : OrderedBounds(elements.boxes[i]);
      const u32 chosen = lane.shuffle(cell, 0);
      if (!lane.all(cell == chosen)) {
        grow_each(lane, cell, own, cells);
        continue;
      }
      if (chosen != open) {
        grow(lane, open, bounds, count, cells);
        open = chosen;
        count = 0;
        bounds = OrderedBounds();
      }
      count += kWarpSize;
      bounds.include(own);
    }
    grow(lane, open, bounds, count, cells);
  }

 private:
  /// Grows a cell by the bounds that all lanes of a warp have collected, `own` being those of this
  /// lane, and by `count` elements. All lanes must call this.
  template <class Lane>
  BC_DEVICE static void grow(Lane& lane, u32 cell, const OrderedBounds& own, u32 count,
                             Cell* cells) {
    if (cell == kDone) return;
    const OrderedBounds all = bounds_of_warp(lane, own);
    if (lane.lane() == 0) cells[cell].add(lane, all, count);
  }

  /// Grows the cells of lanes whose elements are in different cells. All lanes must call this.
  template <class Lane>
  BC_DEVICE static void grow_each(Lane& lane, u32 cell, const OrderedBounds& own, Cell* cells) {
    // With fewer lanes in a cell, a reduction over them costs more than an atomic of each lane.
    constexpr u32 kFewest = 4;
    u32 waiting = lane.ballot(cell != kDone);
    while (waiting != 0) {
      const u32 chosen = lane.shuffle(cell, lowest_bit(waiting));
      const u32 same = lane.ballot(cell == chosen);
      waiting &= ~same;
      if (count_bits(same) >= kFewest)
        grow(lane, chosen, cell == chosen ? own : OrderedBounds(), count_bits(same), cells);
      else if (cell == chosen)
        cells[chosen].add(lane, own, 1u);
    }
  }
};

}  // namespace ballotcast::detail::ploc
