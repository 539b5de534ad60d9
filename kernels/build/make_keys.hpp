// The first steps of building a tree on a machine: computing a sort key for each element.
//
//   FindCenters -> MakeGrid -> MakeKeys        then the machine sorts the elements by their keys
#pragma once

#include "bvh/ploc/keys.hpp"
#include "kernels/lane.hpp"

namespace ballotcast::detail::ploc {

/// The union of the bounds of all lanes of a warp. All lanes must call this.
template <class Lane>
BC_DEVICE inline OrderedBounds bounds_of_warp(Lane& lane, OrderedBounds own) {
  // reduce_max compares signed numbers; flipping the sign bit keeps the order.
  constexpr u32 kSign = 0x80000000u;
  BC_UNROLL
  for (u32& word : own.most)
    word = static_cast<u32>(lane.reduce_max(static_cast<i32>(word ^ kSign))) ^ kSign;
  return own;
}

/// Finds the box around the centres of all triangles.
struct FindCenters {
  static constexpr u32 kBlockSize = 256;
  // 4 blocks for each of the 132 multiprocessors of an H200. More blocks would add atomics: each
  // warp ends with 6.
  static constexpr u32 kMostBlocks = 528;
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, TriangleView view, OrderedBounds* bounds) {
    OrderedBounds own;
    for (u32 i = lane.id(); i < view.count; i += lane.grid_size()) {
      const vec3 center = center_of(view.box(i));
      own.include(OrderedBounds({center, center}));
    }
    const OrderedBounds all = bounds_of_warp(lane, own);
    if (lane.lane() == 0) bounds->include_shared(lane, all);
  }
};

/// Computes the grid from which keys are made. Runs once.
struct MakeGrid {
  BC_HD static void item(u32, const OrderedBounds* bounds, KeyGrid* grid) {
    *grid = key_grid(bounds->low(), bounds->high());
  }
};

/// Computes the key of an element.
struct MakeKeys {
  BC_HD static void item(u32 i, TriangleView view, const KeyGrid* grid, u64* keys, u32* order) {
    keys[i] = key_of(*grid, view, i);
    order[i] = i;
  }
};

}  // namespace ballotcast::detail::ploc
