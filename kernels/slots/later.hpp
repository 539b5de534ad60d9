// Makes a queue of lanes in the order of lanes, after the kernel that decides which lanes want a
// slot.
//
// A lane can reserve a slot in a queue by an atomic. Then the order of the queue is the order in
// which blocks happen to run, which differs from run to run. For the order of lanes, each lane
// needs the number of lanes before it that want a slot. A kernel can't compute this number while it
// runs, unless its blocks wait for each other.
//
// So the lanes only store ("note") whether they want a slot: one bit per lane, by one ballot per
// warp. After this kernel has ended, two small kernels make the queue from the bits.
//
// clang-format off
//   lanes    . x x .   . . . x   x x . .   . . . x      (drawn with 4 lanes per warp)
//   words     0110      1000      0011      1000        the kernel that decides: one per warp
//   tiles          3                   3                CountTiles: the bits in each tile of words
//   queue        1 2 7              8 9 15              StoreLanes: the lanes of each tile
// clang-format on
//
// The words are only one bit per lane, so reading them twice costs less than a scan in which blocks
// wait for each other.
#pragma once

#include "kernels/slots/tiles.hpp"

namespace ballotcast::detail {

/// The ballots in which lanes have noted that they want a slot, and the sums of the tiles of
/// ballots.
struct NotedLanes {
  BallotTiles cut;
  const u32* words;  // bit b of word w: lane 32 w + b wants a slot
  u32* sums;         // for each tile: the number of its lanes that want a slot

  /// The view of `memory`, which has memory_for(lanes) words: first the ballots, then the sums of
  /// the tiles.
  BC_HD static NotedLanes in(u32* memory, u64 lanes) {
    return {BallotTiles::of(lanes), memory, memory + BallotTiles::room_for(lanes)};
  }
  BC_HD static u64 memory_for(u64 lanes) {
    return BallotTiles::room_for(lanes) + BallotTiles::most_tiles(lanes);
  }
};

/// Notes which items of a warp want a slot. The items of its lanes are consecutive, and that of the
/// first lane is a multiple of 32. All lanes of the warp must call this together.
template <class Lane>
BC_DEVICE inline void note_item(Lane& lane, u32* words, u32 item, bool wants) {
  const u32 ayes = lane.ballot(wants);
  if (lane.lane() == 0u) words[item / kWarpSize] = ayes;
}

/// Notes which lanes of a warp want a slot. All lanes of the warp must call this exactly once.
template <class Lane>
BC_DEVICE inline void note_lane(Lane& lane, u32* words, bool wants) {
  note_item(lane, words, lane.id(), wants);
}

/// Writes, for each tile, the number of its lanes that want a slot. One block per tile.
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

/// Writes the queue: the lanes that want a slot, in order. Also writes the number of these lanes to
/// *count. One block per tile. `ids`: the entry of each lane in the queue; null: the number of the
/// lane.
struct StoreLanes {
  static constexpr u32 kBlockSize = BallotTiles::kBlockSize;
  static constexpr u32 kLanesAtOnce = kBlockSize * kWarpSize;
  struct Shared {
    u32 of_warps[kMostWarps];
    u16 wanting[kLanesAtOnce];  // the lanes of kBlockSize words that want a slot, ascending
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
  /// Writes the lanes of kBlockSize words, one word per lane of the block, to their slots from
  /// `first` on. Returns the number of lanes written.
  template <class Lane>
  BC_DEVICE static u32 store(Lane& lane, Shared& shared, const NotedLanes& noted, u64 begin,
                             u64 end, u32 first, const u32* ids, u32* queue) {
    const u64 w = begin + lane.thread();
    const u32 word = w < end ? noted.words[w] : 0u;
    const BlockSums sums = sums_of_block(lane, shared.of_warps, count_bits(word));
    // Collected in shared memory first, so that neighbouring lanes write to neighbouring slots.
    u32 at = sums.before;
    for (u32 bits = word; bits != 0u; bits &= bits - 1u)
      shared.wanting[at++] = static_cast<u16>(lane.thread() * kWarpSize + lowest_bit(bits));
    lane.sync_block();
    for (u32 k = lane.thread(); k < sums.all; k += lane.block_size()) {
      const u32 number = static_cast<u32>(begin * kWarpSize) + shared.wanting[k];
      queue[first + k] = ids ? ids[number] : number;
    }
    return sums.all;
  }
};

/// Makes the queue of the lanes that have noted that they want a slot. For `ids` and `count`, see
/// StoreLanes. There must be at least one lane.
template <class Machine>
void queue_noted(Machine&& machine, const NotedLanes& noted, const u32* ids, u32* queue,
                 u32* count) {
  constexpr u32 kBlock = BallotTiles::kBlockSize;
  machine.template launch<CountTiles>("count noted lanes", noted.cut.tiles, kBlock, noted);
  machine.template launch<StoreLanes>("queue noted lanes", noted.cut.tiles, kBlock, noted, ids,
                                      queue, count);
}

}  // namespace ballotcast::detail
