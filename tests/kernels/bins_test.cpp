// Tests bins in the order of lanes on the emulated machine: the queue of each bin must contain
// exactly its lanes, ascending, in whatever order blocks and warps run.
#include "kernels/slots/bins.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "backends/emulated/emulated_machine.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {
namespace bins_test {

constexpr u32 kNone = ~0u;

/// A kernel that notes the bins of lanes.
template <u32 kBins>
struct NoteKernel {
  struct Shared {};
  template <class Lane>
  static void run(Lane& lane, Shared&, const u32* bins, u32 count, u32* words) {
    note_bin<kBins>(lane, words, lane.id() < count ? bins[lane.id()] : kNone);
  }
};

struct Queues {
  std::vector<u32> begins, lanes;
  bool operator==(const Queues&) const = default;
};

template <u32 kBins>
Queues queues_of(EmulatedMachine& machine, const std::vector<u32>& bins, u32 block_size,
                 const u32* ids = nullptr) {
  using Noted = NotedBins<kBins>;
  const u32 count = static_cast<u32>(bins.size());
  std::vector<u32> words(Noted::words_for(count), ~0u), scratch(Noted::scratch_for(count), ~0u);
  machine.launch<NoteKernel<kBins>>("note", blocks_for(count, block_size), block_size, bins.data(),
                                    count, words.data());
  Queues queues{std::vector<u32>(kBins + 1u, ~0u), std::vector<u32>(count + 1u, ~0u)};
  queue_bins<kBins>(machine, Noted::of(words.data(), count, scratch.data()), ids,
                    queues.lanes.data(), queues.begins.data());
  const u32 all = queues.begins[kBins];
  EXPECT_LE(all, count);
  EXPECT_EQ(queues.lanes[std::min(all, count)], ~0u) << "more was written than has a bin";
  queues.lanes.resize(std::min(all, count));
  return queues;
}

/// The expected queues, found by looking at all lanes for each bin.
Queues expected(u32 bin_count, const std::vector<u32>& bins) {
  Queues queues;
  for (u32 bin = 0; bin < bin_count; ++bin) {
    queues.begins.push_back(static_cast<u32>(queues.lanes.size()));
    for (u32 i = 0; i < bins.size(); ++i)
      if (bins[i] == bin) queues.lanes.push_back(i);
  }
  queues.begins.push_back(static_cast<u32>(queues.lanes.size()));
  return queues;
}

/// Bins for `count` lanes: random numbers below `choices`; numbers of bin_count or more mean no
/// bin. If `choices` is 0, all lanes have the same bin.
std::vector<u32> some_bins(u32 count, u32 choices, u32 bin_count) {
  std::vector<u32> bins;
  for (u32 i = 0; i < count; ++i)
    bins.push_back(choices == 0u ? bin_count - 1u : mix_bits(i) % choices);
  for (u32& bin : bins)
    if (bin >= bin_count) bin = kNone;
  return bins;
}

template <u32 kBins>
void expect_right(EmulatedMachine& machine, u32 count, u32 choices) {
  SCOPED_TRACE(std::to_string(kBins) + " bins, " + std::to_string(count) + " lanes, one of " +
               std::to_string(choices));
  const std::vector<u32> bins = some_bins(count, choices, kBins);
  for (const u64 seed : {0ull, 5ull}) {
    machine.shuffle(seed);
    ASSERT_EQ(queues_of<kBins>(machine, bins, seed == 0 ? 96 : 256), expected(kBins, bins));
  }
}

TEST(Bins, hold_their_lanes_in_order) {
  EmulatedMachine machine;
  for (const u32 count : {1u, 33u, 3000u, 8192u, 20001u})
    for (const u32 choices : {0u, 3u, 9u, 40u}) {
      expect_right<1>(machine, count, choices);
      expect_right<3>(machine, count, choices);
      expect_right<8>(machine, count, choices);
    }
}

TEST(Bins, are_up_to_32) {
  EmulatedMachine machine;
  for (const u32 choices : {0u, 33u}) expect_right<32>(machine, 9000, choices);
}

TEST(Bins, may_all_be_empty) {
  EmulatedMachine machine;
  const Queues queues = queues_of<8>(machine, std::vector<u32>(500, kNone), 64);
  EXPECT_EQ(queues.begins, std::vector<u32>(9, 0u));
  EXPECT_TRUE(queues.lanes.empty());
}

TEST(Bins, take_a_bin_that_does_not_exist_for_none) {
  EmulatedMachine machine;
  const Queues queues = queues_of<3>(machine, {3, 2, 4, 0, 100}, 32);
  EXPECT_EQ(queues.lanes, (std::vector<u32>{3, 1}));
}

TEST(Bins, hold_what_stands_for_the_lanes) {
  EmulatedMachine machine;
  const std::vector<u32> ids = {70, 10, 30, 90, 50};
  const Queues queues = queues_of<3>(machine, {2, 0, 2, kNone, 0}, 32, ids.data());
  EXPECT_EQ(queues.begins, (std::vector<u32>{0, 2, 2, 4}));
  EXPECT_EQ(queues.lanes, (std::vector<u32>{10, 50, 70, 30}));
}

/// Tests more tiles than a block has lanes, so that the lanes add up several tiles each.
TEST(Bins, may_have_any_number_of_tiles) {
  EmulatedMachine machine(3);
  std::vector<u32> sums(3 * 700), totals(3);
  for (u32 i = 0; i < sums.size(); ++i) sums[i] = i % 7;
  std::vector<u32> before = sums;
  for (u32 bin = 0; bin < 3; ++bin) {
    u32 sum = 0;
    for (u32 t = 0; t < 700; ++t)
      before[bin * 700 + t] = std::exchange(sum, sum + sums[bin * 700 + t]);
  }
  machine.launch<AddTiles>("add", 3, AddTiles::kBlockSize, sums.data(), 700u, totals.data());
  EXPECT_EQ(sums, before);
  for (u32 bin = 0; bin < 3; ++bin)
    EXPECT_EQ(totals[bin], before[bin * 700 + 699] + (bin * 700 + 699) % 7);
}

}  // namespace bins_test
}  // namespace ballotcast::detail
