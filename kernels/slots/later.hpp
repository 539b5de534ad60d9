// Slots in the order of lanes, one kernel later.
//
// A lane that wants a slot in a queue gets it by an atomic. Then the order of the queue is that in
// which blocks happen to run, another one each time. The order of lanes needs a sum over all lanes
// before, which a kernel can't have while it runs, unless its blocks wait for each other.
//
// So lanes only note that they want a slot: a bit each, by one ballot per warp. Two small kernels
// make the queue of these bits when all are there.
//
// clang-format off
//   lanes    . x x .   . . . x   x x . .   . . . x      (drawn with 4 lanes per warp)
//   words     0110      1000      0011      1000        the kernel that decides: one per warp
//   tiles          3                   3                CountTiles: how many in each tile of words
//   queue        1 2 7              8 9 15              StoreLanes: each tile behind those before
// clang-format on
//
// The words are few: one bit per lane. Reading them twice costs less than a scan that waits.
#pragma once

#include "kernels/lane.hpp"

namespace ballotcast::detail {

/// The words that lanes note, cut into tiles: at most kMostTiles, of at least a word per lane of a
/// block.
struct NotedLanes {
  static constexpr u32 kBlockSize = 256;
  static constexpr u32 kMostTiles = 4096;

  const u32* words;  // bit b of word w: lane 32 w + b wants a slot
  u64 count;         // of words
  u64 per_tile;
  u32 tiles;
  u32* sums;  // of each tile

  /// `sums`: memory for tiles_for(lanes) words.
  BC_HD static NotedLanes of(const u32* words, u64 lanes, u32* sums) {
    const u64 count = (lanes + kWarpSize - 1u) / kWarpSize;
    const u64 blocks = (count + kBlockSize - 1u) / kBlockSize;
    const u64 blocks_a_tile = blocks <= kMostTiles ? 1u : (blocks + kMostTiles - 1u) / kMostTiles;
    const u64 per_tile = blocks_a_tile * kBlockSize;
    return {words, count, per_tile, static_cast<u32>((count + per_tile - 1u) / per_tile), sums};
  }
  BC_HD static u32 tiles_for(u64 lanes) { return of(nullptr, lanes, nullptr).tiles; }
  /// The words that a grid of so many lanes, rounded up to whole blocks of any size, writes at
  /// most.
  BC_HD static u64 words_for(u64 lanes) { return (lanes + kLargestBlock - 1u) / kWarpSize; }

  BC_HD u64 begin_of(u32 tile) const { return tile * per_tile; }
  BC_HD u64 end_of(u32 tile) const {
    const u64 end = begin_of(tile) + per_tile;
    return end < count ? end : count;
  }
};

/// Notes that lanes want slots: to be called by all lanes of a warp, each once.
template <class Lane>
BC_DEVICE inline void note_lane(Lane& lane, u32* words, bool wants) {
  const u32 ayes = lane.ballot(wants);
  if (lane.lane() == 0u) words[lane.id() / kWarpSize] = ayes;
}

/// The sum of the values of all lanes of a block. `of_warps`: kMostWarps words.
template <class Lane>
BC_DEVICE inline u32 sum_of_block(Lane& lane, u32* of_warps, u32 value) {
  const u32 of_warp = lane.reduce_add(value);
  lane.sync_block();  // nobody reads the words of an earlier sum any more
  if (lane.lane() == 0u) of_warps[lane.warp()] = of_warp;
  lane.sync_block();
  u32 sum = 0u;
  for (u32 w = 0; w < lane.block_size() / kWarpSize; ++w) sum += of_warps[w];
  return sum;
}

/// Writes how many lanes of each tile want a slot. One block per tile.
struct CountTiles {
  static constexpr u32 kBlockSize = NotedLanes::kBlockSize;
  struct Shared {
    u32 of_warps[kMostWarps];
  };

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, const NotedLanes& noted) {
    u32 own = 0u;
    const u64 end = noted.end_of(lane.block());
    for (u64 w = noted.begin_of(lane.block()) + lane.thread(); w < end; w += lane.block_size())
      own += count_bits(noted.words[w]);
    const u32 sum = sum_of_block(lane, shared.of_warps, own);
    if (lane.thread() == 0u) noted.sums[lane.block()] = sum;
  }
};

/// Writes the numbers of the lanes that want a slot, in order, and how many they are. One block per
/// tile.
struct StoreLanes {
  static constexpr u32 kBlockSize = NotedLanes::kBlockSize;
  struct Shared {
    u32 of_warps[kMostWarps];
  };

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, const NotedLanes& noted, u32* queue,
                            u32* count) {
    const u32 tile = lane.block();
    u32 own = 0u;
    for (u32 t = lane.thread(); t < tile; t += lane.block_size()) own += noted.sums[t];
    u32 first = sum_of_block(lane, shared.of_warps, own);
    if (tile + 1u == noted.tiles && lane.thread() == 0u) *count = first + noted.sums[tile];
    const u64 end = noted.end_of(tile);
    for (u64 begin = noted.begin_of(tile); begin < end; begin += lane.block_size())
      first += store(lane, shared, noted, begin, end, first, queue);
  }

 private:
  /// Writes the lanes of a word per lane of the block. Returns how many they are.
  template <class Lane>
  BC_DEVICE static u32 store(Lane& lane, Shared& shared, const NotedLanes& noted, u64 begin,
                             u64 end, u32 first, u32* queue) {
    const u64 w = begin + lane.thread();
    const u32 word = w < end ? noted.words[w] : 0u;
    const u32 own = count_bits(word);
    u32 up_to = own;  // in the warp, this lane included
    for (u32 distance = 1u; distance < kWarpSize; distance *= 2u) {
      const u32 below = lane.shuffle_up(up_to, distance);
      if (lane.lane() >= distance) up_to += below;
    }
    lane.sync_block();
    if (lane.lane() == kWarpSize - 1u) shared.of_warps[lane.warp()] = up_to;
    lane.sync_block();
    u32 before = first, all = 0u;
    for (u32 k = 0; k < lane.block_size() / kWarpSize; ++k) {
      before += k < lane.warp() ? shared.of_warps[k] : 0u;
      all += shared.of_warps[k];
    }
    // All lanes of the warp write a word together, so that neighbours write to neighbours.
    const u64 first_word = begin + lane.warp() * kWarpSize;
    for (u32 k = 0; k < kWarpSize; ++k) {
      const u32 bits = lane.shuffle(word, k), to = lane.shuffle(before + up_to - own, k);
      if ((bits >> lane.lane() & 1u) != 0u)
        queue[to + count_bits(bits & lane.lanes_below())] =
            static_cast<u32>((first_word + k) * kWarpSize) + lane.lane();
    }
    return all;
  }
};

}  // namespace ballotcast::detail
