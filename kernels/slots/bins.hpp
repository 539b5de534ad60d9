// Makes several queues ("bins") of lanes. Each lane wants a slot in one of the queues, or in none.
// As in later.hpp, a kernel only stores ("notes") the bin of each lane, and more kernels make the
// queues. The queues lie one behind the other, and the lane numbers in each queue ascend.
//
// A lane notes a number: its bin plus 1, or 0 for no bin. The warp stores the numbers of its 32
// lanes as bit planes: word p, the result of a ballot, has bit p of each lane's number.
//
// clang-format off
//   lanes    b a . b   a a b .      (drawn with 4 lanes per warp; bin a is noted as 1, b as 2)
//   plane 0  0 1 0 0   1 1 0 0
//   plane 1  1 0 0 1   0 0 1 0
//   tiles    a 1, b 2  a 2, b 1     CountBins: the number of lanes per bin in each tile of words
//   begins   a 0, b 0  a 1, b 2     AddTiles: the number of lanes per bin in the tiles before
//   queues   1 4 5 | 0 3 6          StoreBins: the lanes of bin a, then the lanes of bin b
// clang-format on
//
// This is the counting sort of H. Seward (1954), with a prefix sum over tiles instead of items. The
// rank of a lane within its warp comes from the bit planes.
#pragma once

#include "kernels/slots/tiles.hpp"

namespace ballotcast::detail {

/// The number of bits that `numbers` different numbers need.
constexpr u32 bits_for(u32 numbers) {
  return numbers <= 1u ? 0u : 1u + bits_for((numbers + 1u) / 2u);
}

/// The bins that the lanes of a grid have noted, for kBins bins, and the number of lanes per bin
/// and tile.
template <u32 kBins>
struct NotedBins {
  static_assert(kBins >= 1u && kBins <= kWarpSize, "there are 1 to 32 bins: a lane sums up each");
  static constexpr u32 kPlanes = bits_for(kBins + 1u);

  BallotTiles cut;
  const u32* words;  // the bit planes: kPlanes words per warp
  // sums[b * tiles + t]: the number of lanes in bin b in tile t; AddTiles replaces it by the sum
  // over the tiles before t.
  u32* sums;
  u32* totals;  // for each bin: the number of its lanes

  /// The view of the bit planes at `words`: words_for(lanes) words. `scratch`: memory of
  /// scratch_for(lanes) words for the sums and totals.
  BC_HD static NotedBins of(const u32* words, u64 lanes, u32* scratch) {
    const BallotTiles cut = BallotTiles::of(lanes);
    return {cut, words, scratch, scratch + u64{kBins} * cut.tiles};
  }
  BC_HD static u64 words_for(u64 lanes) { return BallotTiles::room_for(lanes) * kPlanes; }
  BC_HD static u64 scratch_for(u64 lanes) {
    return u64{kBins} * (BallotTiles::most_tiles(lanes) + 1u);
  }
};

/// The bit planes of one warp: bit l of plane p is bit p of the number that lane l has noted.
template <u32 kPlanes>
struct Planes {
  u32 plane[kPlanes];

  /// The mask of the lanes that have noted `number`.
  BC_HD u32 lanes_with(u32 number) const {
    u32 lanes = ~0u;
    for (u32 p = 0; p < kPlanes; ++p) lanes &= (number >> p & 1u) != 0u ? plane[p] : ~plane[p];
    return lanes;
  }
  BC_HD u32 number_of(u32 lane) const {
    u32 number = 0u;
    for (u32 p = 0; p < kPlanes; ++p) number |= (plane[p] >> lane & 1u) << p;
    return number;
  }
};

/// Notes the bin of each lane of a warp. All lanes of the warp must call this exactly once. A bin
/// of kBins or more means none.
template <u32 kBins, class Lane>
BC_DEVICE inline void note_bin(Lane& lane, u32* words, u32 bin) {
  constexpr u32 kPlanes = NotedBins<kBins>::kPlanes;
  const u32 number = bin < kBins ? bin + 1u : 0u;
  u32 own = 0u;  // in lane p: bit plane p, which this lane writes
  for (u32 p = 0; p < kPlanes; ++p) {
    const u32 ayes = lane.ballot((number >> p & 1u) != 0u);
    if (lane.lane() == p) own = ayes;
  }
  if (lane.lane() < kPlanes) words[lane.id() / kWarpSize * kPlanes + lane.lane()] = own;
}

/// The bit planes of warp w. If w is `end` or more, planes in which no lane has a bin.
template <u32 kBins>
BC_HD auto planes_at(const NotedBins<kBins>& noted, u64 w, u64 end) {
  constexpr u32 kPlanes = NotedBins<kBins>::kPlanes;
  Planes<kPlanes> planes;
  for (u32 p = 0; p < kPlanes; ++p) planes.plane[p] = w < end ? noted.words[w * kPlanes + p] : 0u;
  return planes;
}

/// The part of a tile that one warp of the block processes. Each warp has its own part, so that
/// warps need not wait for each other.
struct WarpShare {
  u64 begin, end;  // the numbers of warps of the grid whose bit planes are processed: [begin, end)

  template <class Lane>
  BC_DEVICE static WarpShare of(const Lane& lane, const BallotTiles& cut) {
    const u64 size = cut.per_tile / (lane.block_size() / kWarpSize);
    const u64 begin = cut.begin_of(lane.block()) + lane.warp() * size;
    const u64 end = begin + size, last = cut.end_of(lane.block());
    return {begin, end < last ? end : last};
  }
};

/// Returns the number of lanes per bin in the share of a warp: lane b gets the number for bin b.
template <u32 kBins, class Lane>
BC_DEVICE inline u32 count_bins(Lane& lane, const NotedBins<kBins>& noted, const WarpShare& share) {
  u32 own = 0u;
  for (u64 w = share.begin; w < share.end; w += kWarpSize) {
    const auto planes = planes_at(noted, w + lane.lane(), share.end);
    if (!lane.any(~planes.lanes_with(0u) != 0u)) continue;
    for (u32 b = 0; b < kBins; ++b) {
      const u32 count = lane.reduce_add(count_bits(planes.lanes_with(b + 1u)));
      if (lane.lane() == b) own += count;
    }
  }
  return own;
}

/// The counts of all warps of the block that processes a tile. of_warp[w * kBins + b]: the number
/// of lanes in bin b in the share of warp w.
template <u32 kBins>
struct BinsOfWarps {
  u32 of_warp[BallotTiles::kBlockSize / kWarpSize * kBins];

  /// Computes the counts. When it returns, all lanes of the block may read them.
  template <class Lane>
  BC_DEVICE void count(Lane& lane, const NotedBins<kBins>& noted) {
    const u32 own = count_bins(lane, noted, WarpShare::of(lane, noted.cut));
    if (lane.lane() < kBins) of_warp[lane.warp() * kBins + lane.lane()] = own;
    lane.sync_block();
  }
  /// The number of lanes that want `bin`, in the shares of warps 0 to `warps` - 1.
  BC_DEVICE u32 before(u32 warps, u32 bin) const {
    u32 sum = 0u;
    for (u32 w = 0; w < warps; ++w) sum += of_warp[w * kBins + bin];
    return sum;
  }
};

/// Writes the number of lanes of each bin in each tile. One block per tile.
template <u32 kBins>
struct CountBins {
  static constexpr u32 kBlockSize = BallotTiles::kBlockSize;
  using Shared = BinsOfWarps<kBins>;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, const NotedBins<kBins>& noted) {
    shared.count(lane, noted);
    const u32 bin = lane.thread();
    if (bin < kBins)
      noted.sums[u64{bin} * noted.cut.tiles + lane.block()] =
          shared.before(lane.block_size() / kWarpSize, bin);
  }
};

/// Replaces the sum of each tile by the sum of the tiles before it, and writes the total of each
/// bin. One block per bin.
struct AddTiles {
  static constexpr u32 kBlockSize = BallotTiles::kBlockSize;
  struct Shared {
    u32 of_warps[kMostWarps];
  };

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, u32* sums, u32 tiles, u32* totals) {
    u32* const of_bin = sums + u64{lane.block()} * tiles;
    u32 before = 0u;
    for (u32 begin = 0u; begin < tiles; begin += lane.block_size()) {
      const u32 t = begin + lane.thread();
      const BlockSums found = sums_of_block(lane, shared.of_warps, t < tiles ? of_bin[t] : 0u);
      if (t < tiles) of_bin[t] = before + found.before;
      before += found.all;
    }
    if (lane.thread() == 0u) totals[lane.block()] = before;
  }
};

/// Writes the queues: the lanes of each bin in their order, bin by bin. Writes to `begins` where
/// each bin begins, and where the last bin ends. One block per tile. `ids`: the entry of each lane
/// in the queue; null: the number of the lane.
template <u32 kBins>
struct StoreBins {
  static constexpr u32 kBlockSize = BallotTiles::kBlockSize;
  using Shared = BinsOfWarps<kBins>;

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared& shared, const NotedBins<kBins>& noted,
                            const u32* ids, u32* queues, u32* begins) {
    shared.count(lane, noted);
    // Lane b finds the first slot of bin b for the share of this warp.
    const u32 bin = lane.lane() < kBins ? lane.lane() : 0u;
    const u32 total = lane.lane() < kBins ? noted.totals[bin] : 0u;
    const u32 end = sum_up_to(lane, total);
    if (lane.id() < kBins) {
      begins[bin] = end - total;
      if (bin + 1u == kBins) begins[kBins] = end;
    }
    const u32 next = end - total + noted.sums[u64{bin} * noted.cut.tiles + lane.block()] +
                     shared.before(lane.warp(), bin);
    store(lane, noted, WarpShare::of(lane, noted.cut), next, ids, queues);
  }

 private:
  /// Writes the lanes of a warp's share to their slots. `next`: in lane b, the next free slot of
  /// bin b.
  template <class Lane>
  BC_DEVICE static void store(Lane& lane, const NotedBins<kBins>& noted, const WarpShare& share,
                              u32 next, const u32* ids, u32* queues) {
    for (u64 begin = share.begin; begin < share.end; begin += kWarpSize) {
      const auto own = planes_at(noted, begin + lane.lane(), share.end);
      if (!lane.any(~own.lanes_with(0u) != 0u)) continue;
      // All lanes process the same bit planes together, so that neighbouring lanes write to
      // neighbouring slots.
      for (u32 k = 0; k < kWarpSize; ++k) {
        auto planes = own;
        for (u32& plane : planes.plane) plane = lane.shuffle(plane, k);
        const u32 number = planes.number_of(lane.lane());
        const u32 to = lane.shuffle(next, (number - 1u) % kWarpSize);
        next += count_bits(planes.lanes_with(lane.lane() + 1u));
        if (number == 0u) continue;
        const u32 id = static_cast<u32>((begin + k) * kWarpSize) + lane.lane();
        const u32 before = count_bits(planes.lanes_with(number) & lane.lanes_below());
        queues[to + before] = ids ? ids[id] : id;
      }
    }
  }
};

/// Makes the queues of all bins from the bins that lanes have noted. `begins`: kBins + 1 words; for
/// `ids`, see StoreBins. There must be at least one lane.
template <u32 kBins, class Machine>
void queue_bins(Machine&& machine, const NotedBins<kBins>& noted, const u32* ids, u32* queues,
                u32* begins) {
  constexpr u32 kBlock = BallotTiles::kBlockSize;
  const u32 tiles = noted.cut.tiles;
  machine.template launch<CountBins<kBins>>("count bins", tiles, kBlock, noted);
  machine.template launch<AddTiles>("add tiles", kBins, kBlock, noted.sums, tiles, noted.totals);
  machine.template launch<StoreBins<kBins>>("queue bins", tiles, kBlock, noted, ids, queues,
                                            begins);
}

}  // namespace ballotcast::detail
