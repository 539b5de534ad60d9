// Kernels of a user's program that run on emulated lanes and on a GPU.
#pragma once

#include "ballotcast/lanes.hpp"

namespace own {

/// A hash: its bits depend on all bits of x.
BALLOTCAST_HD inline std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  return (x ^ x >> 13) * 0xc2b2ae35u;
}

/// Calls all collective operations and atomics of a lane. Writes one number per lane, a hash of all
/// of the lane's results. `sums`: the words to which the atomics of all lanes are applied.
struct Everything {
  struct Shared {
    std::uint32_t words[1024];
  };
  struct Sums {
    std::uint32_t sum, most, bits, taken, firsts, unused;
    std::uint64_t wide, wide_most;
  };

  template <class Lane>
  BALLOTCAST_HD static void run(Lane& lane, Shared& shared, std::uint32_t* results, Sums* sums) {
    const std::uint32_t own = mixed(lane.id() + 1u);
    std::uint32_t all = lane.thread() + 3u * lane.block() + 5u * lane.lane() + 7u * lane.warp();
    const auto note = [&](std::uint32_t value) { all = mixed(all ^ value); };
    note(lane.block_size() ^ lane.grid_size());
    note(lane.ballot(own % 3u == 0u) & lane.lanes_below());
    note(lane.any(own % 64u == 0u) ? 1u : 0u);
    note(lane.all(own % 64u != 0u) ? 1u : 0u);
    note(lane.reduce_add(own));
    note(lane.reduce_or(own & 0x0f0f0f0fu));
    note(static_cast<std::uint32_t>(lane.reduce_min(static_cast<std::int32_t>(own))));
    note(static_cast<std::uint32_t>(lane.reduce_max(static_cast<std::int32_t>(own))));
    for (std::uint32_t width = 1u; width <= 32u; width *= 2u) {
      note(lane.shuffle(own, own % 32u, width));
      note(lane.shuffle_up(own, 3u, width));
      note(lane.shuffle_down(own, 3u, width));
      note(lane.shuffle_xor(own, 5u, width));
    }
    // The two halves of the warp vote separately, at different places in the code.
    if (lane.lane() < 16u) {
      note(lane.ballot_among(0x0000ffffu, own % 2u == 0u));
      lane.sync_among(0x0000ffffu);
    } else {
      note(lane.any_among(0xffff0000u, own % 16u == 0u) ? 1u : 0u);
      note(lane.all_among(0xffff0000u, own % 16u != 0u) ? 1u : 0u);
    }
    lane.sync_warp();
    shared.words[lane.thread()] = own;
    lane.sync_block();
    note(shared.words[lane.block_size() - 1u - lane.thread()]);
    note(lane.block_or(own % 128u == 0u) ? 1u : 0u);
    note(lane.block_count(own % 5u == 0u));
    lane.fetch_add(&sums->sum, own);
    lane.fetch_add(&sums->wide, own);
    lane.fetch_max(&sums->most, own);
    lane.fetch_max(&sums->wide_most, static_cast<std::uint64_t>(own) << 20);
    lane.fetch_or(&sums->bits, own & 0x11111111u);
    if (lane.exchange(&sums->taken, 1u) == 0u) lane.fetch_add(&sums->firsts, 1u);
    lane.fence();
    lane.store(results + lane.id(), all ^ (lane.load(&sums->taken) - 1u));
  }
};

/// Writes the odd numbers of each block to the front of the block's part of `to`, in their order.
/// *kept becomes the number of odd numbers in all blocks.
struct KeepOdd {
  struct Shared {
    std::uint32_t of_warps[32];
  };

  BALLOTCAST_HD static void run(ballotcast::lanes::Lane& lane, Shared& shared,
                                const std::uint32_t* from, std::uint32_t count, std::uint32_t* to,
                                std::uint32_t* kept) {
    const bool keeps = lane.id() < count && from[lane.id()] % 2u == 1u;
    const std::uint32_t ayes = lane.ballot(keeps);
    if (lane.lane() == 0u) shared.of_warps[lane.warp()] = bits_in(ayes);
    lane.sync_block();
    std::uint32_t slot = bits_in(ayes & lane.lanes_below());
    for (std::uint32_t w = 0; w < lane.warp(); ++w) slot += shared.of_warps[w];
    if (keeps) to[lane.block() * lane.block_size() + slot] = from[lane.id()];
    if (lane.lane() == 0u) lane.fetch_add(kept, bits_in(ayes));
  }

 private:
  BALLOTCAST_HD static std::uint32_t bits_in(std::uint32_t word) {
    std::uint32_t bits = 0u;
    for (; word != 0u; word &= word - 1u) ++bits;
    return bits;
  }
};

}  // namespace own
