// Recognises rays of a picture that come row by row. 32 consecutive rays are then part of a row of
// the picture, and go through more nodes than the 32 rays of a tile. So rays that come in rows are
// cast tile by tile (frame/pixel_tiles.hpp):
//
//   rays   0  1  2  ..  w-1 |  w  w+1  ..    from one ray to the next: a short step
//          .  .  .       .  |  .   .         from w-1 to w: a long one, back to the left edge
//
// A row ends where a step is more than eight times as long as the first steps. Of the rows that are
// checked, three quarters must end there, and begin close to the beginning of the row before.
//
// Rows of 16 to 16383 rays are recognised if the first ray of the batch begins a row. Not
// recognised are rays through random points of their pixels, rows that alternate in direction, and
// rows that go round a full circle (panoramas).
#pragma once

#include "kernels/frame/pixel_tiles.hpp"
#include "kernels/lane.hpp"
#include "math/ray_hit.hpp"

namespace ballotcast::detail {

inline constexpr u32 kRowSearches = 128, kRaysASearch = 128;
inline constexpr u32 kShortestRow = 16, kLongestRow = kRowSearches * kRaysASearch - 1u;

/// Where the first row may end. All rows have the same length. Each of several searches looks at
/// 128 rays and stores one byte: 0 if no new row begins among these rays, else 1 + the index (0 to
/// 127) of the ray that begins a row.
struct RowsSeen {
  u32 ends[kRowSearches / 4u];

  /// The byte of a search in `ends`. row_of reads four searches as one word, whose lowest byte is
  /// the first search.
  BC_DEVICE u8& end(u32 search) { return reinterpret_cast<u8*>(ends)[search]; }
};

/// The order in which the rays of a batch are cast.
struct RayOrder {
  u32 row;    // length of the rows; 0: the rays are cast in the order of the batch
  u32 count;  // number of rays in the batch

  /// The index of the ray that is cast at position `turn`. If `turn` is `count` or more, returns
  /// `turn`.
  BC_DEVICE u32 place(u32 turn) const { return row == 0u ? turn : place_in_rows(turn); }

 private:
  BC_DEVICE BC_COLD u32 place_in_rows(u32 turn) const {
    const u32 rays = kTileSide * row;  // number of rays in 8 rows
    const u32 first = turn / rays * rays;
    // Fewer than 8 rows are left: these rays keep their order.
    if (first + rays > count) return turn;
    const PixelPlace pixel = place_in_band(row, kTileSide, turn - first);
    return first + pixel.y * row + pixel.x;
  }
};

/// Casts the rays in the order of the batch.
struct GivenOrder {
  BC_DEVICE u32 place(u32 turn) const { return turn; }
};

/// The length of the rows; 0 if the searches found none. All lanes of the warp must call this.
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

/// The squared length of the step from one ray to another.
BC_DEVICE inline float squared_step(const Ray& a, const Ray& b) {
  const vec3 to = b.origin, from = a.origin, new_way = b.direction, way = a.direction;
  return dot(to - from, to - from) + dot(new_way - way, new_way - way);
}

/// The shortest and the longest of the first 31 steps, squared. The very longest step is ignored:
/// it may be the end of a row.
struct FirstSteps {
  float shortest, longest;

  /// True if the steps are alike, as in a row. In other orders, such as small tiles, they are not.
  BC_DEVICE bool are_alike() const { return longest <= 1.5f * shortest; }
  /// True for a step from the end of a row to the next row: it is more than 8 times as long.
  BC_DEVICE bool is_long(float squared) const { return squared > 64.0f * longest; }
  /// True for a step from the beginning of a row to the next beginning: it is at most 4 times as
  /// long.
  BC_DEVICE bool is_short(float squared) const { return squared <= 16.0f * longest; }
};

template <class Lane>
BC_DEVICE FirstSteps first_steps(Lane& lane, const Ray* rays) {
  const u32 at = lane.lane() < kWarpSize - 1u ? lane.lane() : 0u;
  const i32 step = signed_bits_of(squared_step(rays[at], rays[at + 1u]));
  // Nonnegative floats have the same order as integers.
  const i32 very_longest = lane.reduce_max(step);
  const bool others = lane.any(step < very_longest);
  const i32 longest = lane.reduce_max(others && step == very_longest ? 0 : step);
  return {float_of(static_cast<u32>(lane.reduce_min(step))), float_of(static_cast<u32>(longest))};
}

/// True if the rays form at least 8 rows of this length. Checks 32 ends of rows. A few of them may
/// fail, for example where one picture follows another. All lanes of the warp must call this.
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

/// Looks for the end of the first row. Each warp of the grid does other searches. There must be at
/// least 32 rays. All lanes must call this. For the first warp, returns whether the first rays lie
/// in a line; if they do not, `seen` is unchanged. For other warps, the result has no meaning. (Not
/// inlined: otherwise nvcc leaves fewer registers for the walks that follow.)
template <class Lane>
BC_DEVICE BC_COLD bool look_for_rows(Lane& lane, const Ray* rays, u32 count, RowsSeen& seen) {
  if (lane.id() / kWarpSize >= kRowSearches) return false;  // nothing is left for this warp
  const FirstSteps steps = first_steps(lane, rays);
  if (!steps.are_alike()) return false;
  const u32 warps = lane.grid_size() / kWarpSize;
  for (u32 search = lane.id() / kWarpSize; search < kRowSearches; search += warps) {
    i32 end = kRaysASearch;
    // Unrolled, so that the loads overlap.
    BC_UNROLL
    for (u32 k = kRaysASearch; k > 0u; k -= kWarpSize) {
      const u32 in_search = k - kWarpSize + lane.lane();
      const u32 ray = search * kRaysASearch + in_search;
      const bool is_there = ray >= kShortestRow && ray < count;
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

/// True if the rays may still be rows, after an earlier cast has looked for rows. The first rays
/// must lie in a line. If those of the earlier cast did, too (`were_in_line`), and rows were found,
/// these rays must be rows of that length, or of a fraction of it. All lanes of one warp must call
/// this.
template <class Lane>
BC_DEVICE bool may_still_be_rows(Lane& lane, const Ray* rays, u32 count, bool were_in_line,
                                 const RowsSeen& seen) {
  const FirstSteps steps = first_steps(lane, rays);
  if (!were_in_line || !steps.are_alike()) return steps.are_alike();
  const u32 row = row_of(lane, seen);
  return row == 0u || are_rows(lane, rays, count, row, steps);
}

}  // namespace ballotcast::detail
