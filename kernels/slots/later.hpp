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

#include "kernels/slots/tiles.hpp"

namespace ballotcast::detail {

/// The ballots by which lanes note that they want a slot, and the sum of each tile of them.
struct NotedLanes {
  BallotTiles cut;
  const u32* words;  // bit b of word w: lane 32 w + b wants a slot
  u32* sums;         // of each tile

  /// `memory`: memory_for(lanes) words: first the ballots, then the sums of the tiles.
  BC_HD static NotedLanes in(u32* memory, u64 lanes) {
    return {BallotTiles::of(lanes), memory, memory + BallotTiles::room_for(lanes)};
  }
  BC_HD static u64 memory_for(u64 lanes) {
    return BallotTiles::room_for(lanes) + BallotTiles::most_tiles(lanes);
  }
};

/// Notes that lanes want slots: to be called by all lanes of a warp, each once.
template <class Lane>
BC_DEVICE inline void note_lane(Lane& lane, u32* words, bool wants) {
  const u32 ayes = lane.ballot(wants);
  if (lane.lane() == 0u) words[lane.id() / kWarpSize] = ayes;
}

/// Writes how many lanes of each tile want a slot. One block per tile.
struct CountTiles {
  static constexpr u32 kBlockSize = BallotTiles::kBlockSize;
  struct Shared {
    u32 of_warps[kMostWarps];
  };

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, const NotedLanes& noted) {
    u32 own = 0u;
    const u64 end = noted.cut.end_of(lane.block());
    for (u64 w = noted.cut.begin_of(lane.block()) + lane.thread(); w < end; w += lane.block_size())
      own += count_bits(noted.words[w]);
    const u32 sum = sum_of_block(lane, shared.of_warps, own);
    if (lane.thread() == 0u) noted.sums[lane.block()] = sum;
  }
};

/// Writes the lanes that want a slot, in order, and how many they are. One block per tile. `ids`:
/// what stands for each lane in the queue; null: its number.
struct StoreLanes {
  static constexpr u32 kBlockSize = BallotTiles::kBlockSize;
  struct Shared {
    u32 of_warps[kMostWarps];
  };

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, const NotedLanes& noted, const u32* ids,
                            u32* queue, u32* count) {
    const u32 tile = lane.block();
    u32 own = 0u;
    for (u32 t = lane.thread(); t < tile; t += lane.block_size()) own += noted.sums[t];
    u32 first = sum_of_block(lane, shared.of_warps, own);
    if (tile + 1u == noted.cut.tiles && lane.thread() == 0u) *count = first + noted.sums[tile];
    const u64 end = noted.cut.end_of(tile);
    for (u64 begin = noted.cut.begin_of(tile); begin < end; begin += lane.block_size())
      first += store(lane, shared, noted, begin, end, first, ids, queue);
  }

 private:
  /// Writes the lanes of a word per lane of the block. Returns how many they are.
  template <class Lane>
  BC_DEVICE static u32 store(Lane& lane, Shared& shared, const NotedLanes& noted, u64 begin,
                             u64 end, u32 first, const u32* ids, u32* queue) {
    const u64 w = begin + lane.thread();
    const u32 word = w < end ? noted.words[w] : 0u;
    const u32 own = count_bits(word);
    const BlockSums sums = sums_of_block(lane, shared.of_warps, own);
    if (!lane.any(own != 0u)) return sums.all;  // as in most warps, once few rays are alive
    // All lanes of the warp write a word together, so that neighbours write to neighbours.
    const u64 first_word = begin + lane.warp() * kWarpSize;
    for (u32 k = 0; k < kWarpSize; ++k) {
      const u32 bits = lane.shuffle(word, k), to = lane.shuffle(first + sums.before, k);
      if ((bits >> lane.lane() & 1u) == 0u) continue;
      const u32 number = static_cast<u32>((first_word + k) * kWarpSize) + lane.lane();
      queue[to + count_bits(bits & lane.lanes_below())] = ids ? ids[number] : number;
    }
    return sums.all;
  }
};

/// Makes a queue of the lanes that were noted, at least one warp of them.
template <class Machine>
void queue_noted(Machine&& machine, const NotedLanes& noted, const u32* ids, u32* queue,
                 u32* count) {
  constexpr u32 kBlock = BallotTiles::kBlockSize;
  machine.template launch<CountTiles>("count noted lanes", noted.cut.tiles, kBlock, noted);
  machine.template launch<StoreLanes>("queue noted lanes", noted.cut.tiles, kBlock, noted, ids,
                                      queue, count);
}

}  // namespace ballotcast::detail
