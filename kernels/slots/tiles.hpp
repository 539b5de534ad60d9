// Cuts the ballots of a grid into tiles: each warp has stored by ballots which of its lanes want a
// slot in a queue. One block processes each tile, and needs the sum over the tiles before it. Also
// adds up values over the lanes of a block.
#pragma once

#include "kernels/lane.hpp"

namespace ballotcast::detail {

/// The ballots of a grid, one per warp, cut into tiles. There are at most kMostTiles tiles. Each
/// tile has kBlockSize ballots or a multiple of that; only the last tile may have fewer.
struct BallotTiles {
  static constexpr u32 kBlockSize = 256;  // lanes of the block that processes a tile
  static constexpr u32 kMostTiles = 4096;
  /// The largest number of lanes. With more lanes, rounded up to whole blocks, some lanes would
  /// have numbers that 32 bits can't hold.
  static constexpr u64 kMostLanes = (u64{1} << 32u) - kLargestBlock;

  u64 ballots;
  u64 per_tile;  // ballots per tile, a multiple of kBlockSize
  u32 tiles;

  BC_HD static BallotTiles of(u64 lanes) {
    const u64 ballots = (lanes + kWarpSize - 1u) / kWarpSize;
    const u64 blocks = (ballots + kBlockSize - 1u) / kBlockSize;
    const u64 blocks_a_tile = blocks <= kMostTiles ? 1u : (blocks + kMostTiles - 1u) / kMostTiles;
    const u64 per_tile = blocks_a_tile * kBlockSize;
    return {ballots, per_tile, static_cast<u32>((ballots + per_tile - 1u) / per_tile)};
  }
  /// The largest number of tiles for any number of lanes up to `lanes`. (More lanes may give fewer
  /// tiles.)
  BC_HD static u32 most_tiles(u64 lanes) {
    const u64 blocks = (lanes + kWarpSize * kBlockSize - 1u) / (kWarpSize * kBlockSize);
    return static_cast<u32>(blocks < kMostTiles ? blocks : kMostTiles);
  }
  /// The largest number of ballots of a grid with `lanes` lanes, rounded up to whole blocks of any
  /// size.
  BC_HD static u64 room_for(u64 lanes) { return (lanes + kLargestBlock - 1u) / kWarpSize; }

  BC_HD u64 begin_of(u32 tile) const { return tile * per_tile; }
  BC_HD u64 end_of(u32 tile) const {
    const u64 end = begin_of(tile) + per_tile;
    return end < ballots ? end : ballots;
  }
};

/// The sum of `value` over all lanes of a block. `of_warps`: kMostWarps words of shared memory.
template <class Lane>
BC_DEVICE inline u32 sum_of_block(Lane& lane, u32* of_warps, u32 value) {
  const u32 of_warp = lane.reduce_add(value);
  lane.sync_block();  // no lane may still be reading the words of an earlier sum
  if (lane.lane() == 0u) of_warps[lane.warp()] = of_warp;
  lane.sync_block();
  u32 sum = 0u;
  for (u32 w = 0; w < lane.block_size() / kWarpSize; ++w) sum += of_warps[w];
  return sum;
}

/// The sum of `value` over the lanes of the warp up to and including this lane.
template <class Lane>
BC_DEVICE inline u32 sum_up_to(Lane& lane, u32 value) {
  for (u32 distance = 1u; distance < kWarpSize; distance *= 2u) {
    const u32 below = lane.shuffle_up(value, distance);
    if (lane.lane() >= distance) value += below;
  }
  return value;
}

/// Sums of a value over the lanes of a block.
struct BlockSums {
  u32 before;  // sum over the lanes before this lane
  u32 all;     // sum over all lanes of the block
};

/// The sums of `value` over a block. `of_warps`: kMostWarps words of shared memory.
template <class Lane>
BC_DEVICE inline BlockSums sums_of_block(Lane& lane, u32* of_warps, u32 value) {
  const u32 up_to = sum_up_to(lane, value);
  lane.sync_block();  // no lane may still be reading the words of an earlier sum
  if (lane.lane() == kWarpSize - 1u) of_warps[lane.warp()] = up_to;
  lane.sync_block();
  BlockSums sums{up_to - value, 0u};
  for (u32 w = 0; w < lane.block_size() / kWarpSize; ++w) {
    sums.before += w < lane.warp() ? of_warps[w] : 0u;
    sums.all += of_warps[w];
  }
  return sums;
}

}  // namespace ballotcast::detail
