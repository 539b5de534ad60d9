// Rays of a picture that come row by row. 32 consecutive ones are a line of the picture, and go
// through far more of the tree than 32 rays of a tile. So they are cast tile by tile (tiles.hpp),
// wherever a row's end can be seen in the rays:
//
//    rays   0  1  2  ..  w-1 |  w  w+1  ..    from one ray to the next: a short step
//           .  .  .       .  |  .   .         from w-1 to w: a long one, back to the left edge
//
// A row ends at a step that is longer than eight of the first ones, if all rows do so, and each
// begins close to where the one before began.
#pragma once

#include "kernels/lane.hpp"
#include "kernels/tiles.hpp"
#include "math/ray.hpp"

namespace ballotcast::detail {

inline constexpr u32 kRowSearches = 128, kRaysASearch = 128;
inline constexpr u32 kLongestRow = kRowSearches * kRaysASearch - 1u;

/// What was seen of the end of the first row, and so of the length of all rows. The places where it
/// may be are shared out to searches of 128 rays each. Each search has a byte: 1 + the number of
/// the ray in the search that begins a new row, or 0.
struct RowsSeen {
  u32 ends[kRowSearches / 4u];

  BC_DEVICE u8& end(u32 search) { return reinterpret_cast<u8*>(ends)[search]; }
};

/// The order in which the rays of a batch are cast.
struct RayOrder {
  u32 row;    // the length of the rows; 0: as the rays are given
  u32 count;  // of all rays

  /// The index of the ray that is cast as number `turn`.
  BC_DEVICE u32 place(u32 turn) const { return row == 0u ? turn : place_in_rows(turn); }

 private:
  BC_DEVICE BC_COLD u32 place_in_rows(u32 turn) const {
    const Tiling tiling{row, count / row, 0u};
    if (turn >= tiling.pixels()) return turn;
    const PixelPlace pixel = tiling.place(turn);
    return pixel.y * row + pixel.x;
  }
};

/// The order in which the rays are given.
struct GivenOrder {
  BC_DEVICE u32 place(u32 turn) const { return turn; }
};

/// The length of the rows; 0 if the searches saw none. All lanes of the warp must call this.
template <class Lane>
BC_DEVICE u32 row_of(Lane& lane, const RowsSeen& seen) {
  static_assert(kRowSearches == 4u * kWarpSize);
  const u32 ends = seen.ends[lane.lane()];
  const u32 lanes = lane.ballot(ends != 0u);
  if (lanes == 0u) return 0u;
  const u32 first = lowest_bit(lanes), its_ends = lane.shuffle(ends, first);
  const u32 byte = lowest_bit(its_ends) / 8u;
  return (first * 4u + byte) * kRaysASearch + (its_ends >> (8u * byte) & 0xffu) - 1u;
}

/// The square of the way from one ray to another.
BC_DEVICE inline float squared_step(const Ray& a, const Ray& b) {
  const vec3 to = b.origin, from = a.origin, new_way = b.direction, way = a.direction;
  return dot(to - from, to - from) + dot(new_way - way, new_way - way);
}

/// The squares of the least and the most of the first 31 steps but one, which may be the end of a
/// row.
struct FirstSteps {
  float least, most;

  /// Those of a row are alike. In other orders, such as tiles, they are not.
  BC_DEVICE bool are_alike() const { return most <= 1.5f * least; }
  /// From the end of a row to the next one.
  BC_DEVICE bool is_long(float squared) const { return squared > 64.0f * most; }
  /// From a row to the one below.
  BC_DEVICE bool is_short(float squared) const { return squared <= 16.0f * most; }
};

template <class Lane>
BC_DEVICE FirstSteps first_steps(Lane& lane, const Ray* rays) {
  const u32 at = lane.lane() < kWarpSize - 1u ? lane.lane() : 0u;
  const i32 step = signed_bits_of(squared_step(rays[at], rays[at + 1u]));
  const i32 longest = lane.reduce_max(step);  // of floats without a sign, as integers
  const u32 others = lane.ballot(step < longest);
  const i32 most = lane.reduce_max(others != 0u && step == longest ? 0 : step);
  return {float_of(static_cast<u32>(lane.reduce_min(step))), float_of(static_cast<u32>(most))};
}

/// Whether the rays are at least 8 rows of this length. 32 ends of rows are looked at; a few may be
/// odd, as where one picture follows another. All lanes of the warp must call this.
template <class Lane>
BC_DEVICE bool are_rows(Lane& lane, const Ray* rays, u32 count, u32 length,
                        const FirstSteps& steps) {
  const u32 rows = count / length;
  if (rows < kTileSide) return false;
  const u32 row = 1u + static_cast<u32>(u64{rows - 1u} * lane.lane() / kWarpSize);
  const Ray first = rays[row * length];
  const bool begins = steps.is_long(squared_step(rays[row * length - 1u], first)) &&
                      steps.is_short(squared_step(rays[(row - 1u) * length], first));
  return count_bits(lane.ballot(begins)) >= kWarpSize * 3u / 4u;
}

/// Looks for the end of the first row, each warp of the grid at other places. There must be at
/// least 32 rays. All lanes must call this. (Not inlined: with it, nvcc would have fewer registers
/// for the walks that follow.)
template <class Lane>
BC_DEVICE BC_COLD bool look_for_rows(Lane& lane, const Ray* rays, u32 count, RowsSeen& seen) {
  const u32 warps = lane.grid_size() / kWarpSize;
  for (u32 search = lane.id() / kWarpSize; search < kRowSearches; search += warps) {
    const FirstSteps steps = first_steps(lane, rays);
    if (!steps.are_alike()) return false;
    i32 end = kRaysASearch;
    // Unrolled, so that it waits for all of them at once.
    BC_UNROLL
    for (u32 k = kRaysASearch; k > 0u; k -= kWarpSize) {
      const u32 in_search = k - kWarpSize + lane.lane();
      const u32 ray = search * kRaysASearch + in_search;
      const bool is_there = ray > kTileSide && ray < count;
      const float step = is_there ? squared_step(rays[ray - 1u], rays[ray]) : 0.0f;
      if (steps.is_long(step)) end = static_cast<i32>(in_search);
    }
    const u32 first = static_cast<u32>(lane.reduce_min(end));
    const bool is_row =
        first < kRaysASearch && are_rows(lane, rays, count, search * kRaysASearch + first, steps);
    if (lane.lane() == 0u) seen.end(search) = static_cast<u8>(is_row ? first + 1u : 0u);
  }
  return true;
}

}  // namespace ballotcast::detail
