// Tests kernels of users' programs that call slots.hpp, on emulated lanes.
#include "ballotcast/slots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "device_header/slot_kernels.hpp"

namespace ballotcast::detail {
namespace own_slots_test {

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t kBlockSizes[] = {32, 96, 1024};
const std::vector<std::uint32_t> kCounts = {0, 1, 33, 9001};  // 9001: two tiles of ballots
constexpr std::uint64_t kOrders[] = {0, 1, 2};
constexpr std::uint32_t kOld = 0xcdcdcdcdu;  // the content of memory before a kernel writes to it

lanes::Grid grid_of(std::uint32_t count, std::uint32_t block_size, std::uint64_t order) {
  return {(count + block_size - 1) / block_size, block_size, order};
}

/// A hash of i: a pseudo-random number.
std::uint32_t number(std::uint32_t i) {
  i = (i + 1) * 0x9e3779b9u;
  return (i ^ i >> 15) * 0x85ebca6bu >> 8;
}

/// Calls test(count, grid) for each count of lanes, with several block sizes and orders of lanes.
template <class Test>
void for_each_grid(const std::vector<std::uint32_t>& counts, Test test) {
  for (const std::uint32_t count : counts)
    for (const std::uint32_t size : kBlockSizes)
      for (const std::uint64_t order : kOrders) {
        SCOPED_TRACE(std::to_string(count) + " lanes, blocks of " + std::to_string(size) +
                     ", order " + std::to_string(order));
        test(count, grid_of(count, size, order));
      }
}

TEST(OwnSlots, make_a_queue_in_the_order_of_lanes) {
  for_each_grid(kCounts, [](std::uint32_t count, const lanes::Grid& grid) {
    std::vector<float> values(count);
    Words ids(count), expected, of_ids;
    for (std::uint32_t i = 0; i < count; ++i) {
      values[i] = static_cast<float>(number(i) % 100) / 100;
      ids[i] = number(i) ^ 5;
      if (values[i] > 0.5f) expected.push_back(i), of_ids.push_back(ids[i]);
    }
    const slots::Later later(count);
    Words noted(later.noted_bytes() / 4, kOld), scratch(later.scratch_bytes() / 4, kOld);
    lanes::emulate<own::Find>(grid, values.data(), count, noted.data());
    for (const bool given : {false, true}) {
      Words queue(count + 1, kOld);
      std::uint32_t queued = kOld;
      later.emulate_queue(noted.data(), queue.data(), &queued, scratch.data(),
                          given ? ids.data() : nullptr, grid.order);
      ASSERT_EQ(queued, expected.size());
      EXPECT_EQ(queue[queued], kOld) << "more lanes were written than were queued";
      queue.resize(queued);
      EXPECT_EQ(queue, given ? of_ids : expected);
    }
  });
}

TEST(OwnSlots, make_the_same_queue_if_a_lane_has_several_items) {
  std::vector<float> values(9001);
  Words expected;
  for (std::uint32_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(number(i) % 100) / 100;
    if (values[i] > 0.5f) expected.push_back(i);
  }
  const slots::Later later(values.size());
  for (const std::uint32_t block_size : kBlockSizes)
    for (const std::uint64_t order : kOrders) {
      Words noted(later.noted_bytes() / 4, kOld), scratch(later.scratch_bytes() / 4, kOld);
      lanes::emulate<own::FindInLoop>({2, block_size, order}, values.data(), 9001u, noted.data());
      Words queue(values.size(), kOld);
      std::uint32_t queued = kOld;
      later.emulate_queue(noted.data(), queue.data(), &queued, scratch.data(), nullptr, order);
      queue.resize(queued);
      EXPECT_EQ(queue, expected) << "blocks of " << block_size << ", order " << order;
    }
}

/// The expected queues: the numbers of the lanes, bin after bin, and where each bin begins in them.
struct Partition {
  Words begins, lanes;
};
Partition partition_of(const Words& bins, std::uint32_t bin_count) {
  Partition made;
  for (std::uint32_t bin = 0; bin < bin_count; ++bin) {
    made.begins.push_back(static_cast<std::uint32_t>(made.lanes.size()));
    for (std::uint32_t i = 0; i < bins.size(); ++i)
      if (bins[i] == bin) made.lanes.push_back(i);
  }
  made.begins.push_back(static_cast<std::uint32_t>(made.lanes.size()));
  return made;
}

TEST(OwnSlots, make_bins_that_are_a_stable_partition) {
  constexpr std::uint32_t kBins = 5;
  for_each_grid(kCounts, [](std::uint32_t count, const lanes::Grid& grid) {
    Words lane_bins(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      lane_bins[i] = number(i) % (kBins + 1);
      if (lane_bins[i] == kBins) lane_bins[i] = slots::kNoBin;
    }
    const slots::Bins<kBins> bins(count);
    Words noted(bins.noted_bytes() / 4, kOld), scratch(bins.scratch_bytes() / 4, kOld);
    lanes::emulate<own::FindBins<kBins>>(grid, lane_bins.data(), count, noted.data());
    Words queues(count + 1, kOld), begins(kBins + 1, kOld);
    bins.emulate_queues(noted.data(), queues.data(), begins.data(), scratch.data(), nullptr,
                        grid.order);
    const Partition expected = partition_of(lane_bins, kBins);
    ASSERT_EQ(begins, expected.begins);
    EXPECT_EQ(queues[begins[kBins]], kOld) << "more lanes were written than have a bin";
    queues.resize(begins[kBins]);
    EXPECT_EQ(queues, expected.lanes);
  });
}

/// Some lanes want a slot: `lanes` has 1 for these lanes, and `right` has their numbers.
struct Wanting {
  std::vector<std::uint8_t> lanes;
  Words right;

  explicit Wanting(std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      lanes.push_back(number(i) % 40 == 0);
      if (lanes.back()) right.push_back(i);
    }
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(lanes.size()); }
  /// The number of blocks of this size in which any lane wants a slot.
  std::uint32_t blocks_with_any(std::uint32_t block_size) const {
    Words blocks;
    for (const std::uint32_t i : right) blocks.push_back(i / block_size);
    return static_cast<std::uint32_t>(std::unique(blocks.begin(), blocks.end()) - blocks.begin());
  }
};

/// The result of count<Way>(): the sum of the words of the counter. `Way`: a strategy.
template <class Way>
std::uint32_t counted(const Wanting& wanting, const lanes::Grid& grid) {
  Words counter(slots::kCounterBytes / 4, 0u);
  lanes::emulate<own::Count<Way>>(grid, wanting.lanes.data(), wanting.count(), counter.data());
  return std::accumulate(counter.begin(), counter.end(), 0u);
}

TEST(OwnSlots, count_by_every_way) {
  for_each_grid({1, 33, 2000}, [](std::uint32_t count, const lanes::Grid& grid) {
    const Wanting wanting(count);
    const auto wanted = static_cast<std::uint32_t>(wanting.right.size());
    EXPECT_EQ(counted<slots::WarpSlots>(wanting, grid), wanted);
    EXPECT_EQ(counted<slots::WarpShards>(wanting, grid), wanted);
    EXPECT_EQ(counted<slots::BlockCount>(wanting, grid), wanted);
    EXPECT_EQ(counted<slots::WarpBallot>(wanting, grid), wanted);
    EXPECT_EQ(counted<slots::Sharded>(wanting, grid), wanted);
    EXPECT_EQ(counted<slots::Naive>(wanting, grid), wanted);
    EXPECT_EQ(counted<slots::BlockVote>(wanting, grid), wanting.blocks_with_any(grid.block_size));
    EXPECT_EQ(counted<slots::FlagStore>(wanting, grid), wanted != 0u ? 1u : 0u);
  });
}

/// The queue that reserve<Way>() makes, sorted by lane number. `Way`: a strategy.
template <class Way>
Words reserved(const Wanting& wanting, const lanes::Grid& grid) {
  Words counter(slots::kCounterBytes / 4, 0u), queue(wanting.right.size() + 1, kOld);
  lanes::emulate<own::Reserve<Way>>(grid, wanting.lanes.data(), wanting.count(), counter.data(),
                                    queue.data());
  EXPECT_EQ(counter[0], wanting.right.size());
  EXPECT_EQ(queue.back(), kOld);
  queue.pop_back();
  std::sort(queue.begin(), queue.end());
  return queue;
}

TEST(OwnSlots, reserve_by_every_way) {
  for_each_grid({1, 33, 2000}, [](std::uint32_t count, const lanes::Grid& grid) {
    const Wanting wanting(count);
    EXPECT_EQ(reserved<slots::BlockScan>(wanting, grid), wanting.right);
    EXPECT_EQ(reserved<slots::BlockVote>(wanting, grid), wanting.right);
    EXPECT_EQ(reserved<slots::WarpBallot>(wanting, grid), wanting.right);
    EXPECT_EQ(reserved<slots::Naive>(wanting, grid), wanting.right);
  });
}

/// A wrong kernel: lanes without an item return, but all lanes of a block must call reserve().
struct ReturnsEarly {
  using Shared = slots::BlockScan::Shared;
  static void run(lanes::Lane& lane, Shared& shared, std::uint32_t count, std::uint32_t* queued) {
    if (lane.id() < count) slots::reserve(lane, shared, queued, true);
  }
};

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(OwnSlots, are_an_error_unless_all_lanes_call) {
  std::uint32_t queued = 0;
  EXPECT_EQ(error_of([&] {
              lanes::emulate<ReturnsEarly>({1, 64}, 40u, &queued);
            }),
            "an emulated kernel: deadlock in block 0: 32 lanes at a block collective, 8 at a warp "
            "collective, 24 returned");
}

TEST(OwnSlots, know_their_bins) {
  const Words bins = {0, slots::kNoBin, 4, 5};
  Words noted(slots::Bins<5>(4).noted_bytes() / 4);
  EXPECT_EQ(error_of([&] {
              lanes::emulate<own::FindBins<5>>({1, 32}, bins.data(), 4u, noted.data());
            }),
            "ballotcast::slots: lane 3 notes bin 5; there are 5 bins");
}

TEST(OwnSlots, are_not_made_of_an_earlier_queue_in_its_own_memory) {
  const std::string refused =
      "ballotcast::slots: the new queue and the earlier one are the same memory";
  Words noted(slots::Bins<2>(40).noted_bytes() / 4), queue(40), begins(3);
  Words scratch(slots::Bins<2>(40).scratch_bytes() / 4);
  EXPECT_EQ(error_of([&] {
              slots::Later(40).emulate_queue(noted.data(), queue.data(), begins.data(),
                                             scratch.data(), queue.data());
            }),
            refused);
  EXPECT_EQ(error_of([&] {
              slots::Bins<2>(40).emulate_queues(noted.data(), queue.data(), begins.data(),
                                                scratch.data(), queue.data());
            }),
            refused);
}

TEST(OwnSlots, need_no_memory_for_empty_queues) {
  Words begins(3, kOld);
  slots::Later(0).emulate_queue(nullptr, nullptr, begins.data(), nullptr);
  EXPECT_EQ(begins[0], 0u);
  slots::Bins<2>(0).emulate_queues(nullptr, nullptr, begins.data(), nullptr);
  EXPECT_EQ(begins, Words(3, 0u));
}

TEST(OwnSlots, are_refused_for_more_lanes_than_have_numbers) {
  constexpr std::uint64_t kTooMany = (std::uint64_t{1} << 32) - 1023;
  const std::string refused =
      "ballotcast::slots: 4294966273 lanes; at most 4294966272 have numbers";
  Words words(3);
  EXPECT_EQ(error_of([&] {
              slots::Later(kTooMany).emulate_queue(words.data(), words.data(), words.data(),
                                                   nullptr);
            }),
            refused);
  EXPECT_EQ(error_of([&] {
              slots::Bins<2>(kTooMany).emulate_queues(words.data(), words.data(), words.data(),
                                                      nullptr);
            }),
            refused);
}

}  // namespace own_slots_test
}  // namespace ballotcast::detail
