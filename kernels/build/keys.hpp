// The first steps of building a tree on a machine: a key for each element.
//
//   FindCenters -> MakeGrid -> MakeKeys        then the machine sorts the elements by their keys
#pragma once

#include "bvh/ploc/keys.hpp"
#include "kernels/lane.hpp"

namespace ballotcast::detail::ploc {

/// Finds the box around the centres of all triangles.
struct FindCenters {
  static constexpr u32 kBlockSize = 256;
  static constexpr u32 kMostBlocks = 528;  // 4 per processor of an H200; a warp ends with 6 atomics
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, TriangleView view, OrderedBounds* bounds) {
    u32 most[6] = {};
    for (u32 i = lane.id(); i < view.count; i += lane.grid_size()) {
      const vec3 center = center_of(view.box(i));
      const u32 bits[3] = {ordered_bits(center.x), ordered_bits(center.y), ordered_bits(center.z)};
      BC_UNROLL
      for (u32 axis = 0; axis < 3; ++axis) {
        most[axis] = most[axis] > ~bits[axis] ? most[axis] : ~bits[axis];
        most[3 + axis] = most[3 + axis] > bits[axis] ? most[3 + axis] : bits[axis];
      }
    }
    for (u32 mask = kWarpSize / 2; mask > 0; mask /= 2) {
      BC_UNROLL
      for (u32 k = 0; k < 6; ++k) {
        const u32 other = lane.shuffle_xor(most[k], mask);
        most[k] = most[k] > other ? most[k] : other;
      }
    }
    if (lane.lane() != 0) return;
    for (u32 axis = 0; axis < 3; ++axis) {
      lane.fetch_max(&bounds->low[axis], most[axis]);
      lane.fetch_max(&bounds->high[axis], most[3 + axis]);
    }
  }
};

/// Computes the grid of the keys. Once.
struct MakeGrid {
  BC_HD static void item(u32, const OrderedBounds* bounds, KeyGrid* grid) {
    *grid = key_grid(low_of(*bounds), high_of(*bounds));
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
