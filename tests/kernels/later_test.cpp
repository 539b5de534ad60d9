// Tests slots in the order of lanes on the emulated machine: the queue must contain exactly the
// lanes that were noted, ascending, in whatever order blocks and warps run.
#include "kernels/slots/later.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "backends/emulated/emulated_machine.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {
namespace later_test {

/// A kernel that notes the lanes for which `wants` is true.
struct NoteKernel {
  struct Shared {};
  template <class Lane>
  static void run(Lane& lane, Shared&, const u8* wants, u32 count, u32* words) {
    note_lane(lane, words, lane.id() < count && wants[lane.id()]);
  }
};

std::vector<u32> queue_of(EmulatedMachine& machine, const std::vector<u8>& wants, u32 block_size,
                          const u32* ids = nullptr) {
  const u32 count = static_cast<u32>(wants.size());
  const u32 blocks = (count + block_size - 1) / block_size;
  std::vector<u32> words(BallotTiles::room_for(count), ~0u);
  machine.launch<NoteKernel>("note", blocks, block_size, wants.data(), count, words.data());
  const BallotTiles cut = BallotTiles::of(count);
  std::vector<u32> sums(cut.tiles), queue(count + 1, ~0u);
  u32 queued = ~0u;
  queue_noted(machine, NotedLanes{cut, words.data(), sums.data()}, ids, queue.data(), &queued);
  EXPECT_LE(queued, count);
  EXPECT_EQ(queue[queued], ~0u) << "more was written than was queued";
  queue.resize(queued);
  return queue;
}

TEST(Later, queues_the_lanes_that_were_noted_in_their_order) {
  EmulatedMachine machine;
  for (const u32 count : {1u, 31u, 32u, 33u, 3000u, 8192u, 8193u, 40000u})
    for (const u32 one_of : {1u, 2u, 1000u, 0u}) {
      SCOPED_TRACE(std::to_string(count) + " lanes, one of " + std::to_string(one_of));
      std::vector<u8> wants;
      std::vector<u32> expected;
      for (u32 i = 0; i < count; ++i) {
        wants.push_back(one_of != 0u && mix_bits(i) % one_of == 0u);
        if (wants.back()) expected.push_back(i);
      }
      for (const u64 seed : {0ull, 5ull}) {
        machine.shuffle(seed);
        ASSERT_EQ(queue_of(machine, wants, seed == 0 ? 96 : 256), expected);
      }
    }
}

TEST(Later, queues_what_stands_for_the_lanes) {
  EmulatedMachine machine;
  const std::vector<u8> wants = {1, 0, 1, 1, 0};
  const std::vector<u32> ids = {70, 10, 30, 90, 50};
  EXPECT_EQ(queue_of(machine, wants, 32, ids.data()), (std::vector<u32>{70, 30, 90}));
}

TEST(Later, has_a_word_for_each_warp_of_whole_blocks) {
  for (u32 block_size = 32; block_size <= kLargestBlock; block_size += 32)
    for (const u64 lanes : {u64{1}, u64{1000}, u64{1024}, u64{1025}, u64{99999}}) {
      const u64 in_blocks = (lanes + block_size - 1) / block_size * block_size;
      ASSERT_GE(BallotTiles::room_for(lanes), in_blocks / kWarpSize) << lanes << ' ' << block_size;
    }
}

TEST(Later, cuts_any_number_of_lanes_into_few_tiles_without_a_gap) {
  for (const u64 lanes :
       {u64{0}, u64{1}, u64{8192} * 4096, u64{8192} * 4096 + 1, u64{0xffffffff}}) {
    const BallotTiles cut = BallotTiles::of(lanes);
    ASSERT_LE(cut.tiles, BallotTiles::kMostTiles);
    u64 end = 0;
    for (u32 tile = 0; tile < cut.tiles; ++tile) {
      ASSERT_EQ(cut.begin_of(tile), end);
      ASSERT_GT(cut.end_of(tile), end);
      end = cut.end_of(tile);
    }
    ASSERT_EQ(end, (lanes + 31) / 32);
  }
}

TEST(Later, takes_no_more_memory_for_fewer_lanes) {
  u64 most = 0;
  for (u64 tiles = 1; tiles < 70000; ++tiles)
    for (const u64 lanes : {tiles * 8192, tiles * 8192 + 1}) {
      ASSERT_GE(NotedLanes::memory_for(lanes), most) << lanes;
      most = NotedLanes::memory_for(lanes);
      const BallotTiles cut = BallotTiles::of(lanes);
      ASSERT_GE(most, BallotTiles::room_for(lanes) + cut.tiles) << lanes;
    }
}

}  // namespace later_test
}  // namespace ballotcast::detail
