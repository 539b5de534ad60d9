// Tests kernels of users' programs on emulated lanes (lanes.hpp).
#include "ballotcast/lanes.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "backends/emulated/emulated_machine.hpp"
#include "ballotcast/error.hpp"
#include "device_header/lane_kernels.hpp"

namespace ballotcast::detail {
namespace lanes_test {

using own::Everything;

struct Results {
  std::vector<u32> of_lanes;
  Everything::Sums sums{};

  explicit Results(u32 lanes) : of_lanes(lanes) {}
  bool operator==(const Results& other) const {
    return of_lanes == other.of_lanes && std::memcmp(&sums, &other.sums, sizeof sums) == 0;
  }
};

TEST(OwnLanes, are_those_of_the_librarys_own_kernels_in_any_order) {
  for (const u32 block_size : {32u, 96u, 1024u}) {
    Results right(3 * block_size);
    EmulatedMachine().launch<Everything>("", 3, block_size, right.of_lanes.data(), &right.sums);
    for (const u64 order : {0, 1, 2}) {
      Results got(3 * block_size);
      lanes::emulate<Everything>({3, block_size, order}, got.of_lanes.data(), &got.sums);
      EXPECT_EQ(got, right) << block_size << " lanes, order " << order;
    }
  }
}

TEST(OwnLanes, pack_what_they_keep) {
  std::vector<u32> from(1000), to(1024, 0u);
  std::iota(from.begin(), from.end(), 7u);
  u32 kept = 0;
  lanes::emulate<own::KeepOdd>({4, 256}, from.data(), 1000u, to.data(), &kept);
  EXPECT_EQ(kept, 500u);
  for (u32 block = 0; block < 4; ++block)
    for (u32 i = 0; i < (block < 3 ? 128u : 116u); ++i)
      ASSERT_EQ(to[256 * block + i], 256 * block + 2 * i + 7) << block << ", " << i;
}

/// A kernel whose result shows the order in which lanes run. (A result of a correct kernel must not
/// depend on this order.)
struct Arrives {
  struct Shared {};
  static void run(lanes::Lane& lane, Shared&, u32* place, u32* arrived) {
    lane.sync_block();
    place[lane.fetch_add(arrived, 1u)] = lane.id();
  }
};

TEST(OwnLanes, run_in_the_order_that_is_asked_for) {
  const auto arrivals = [](u64 order) {
    std::vector<u32> places(256);
    u32 arrived = 0;
    lanes::emulate<Arrives>({1, 256, order}, places.data(), &arrived);
    return places;
  };
  std::vector<u32> in_order(256);
  std::iota(in_order.begin(), in_order.end(), 0u);
  EXPECT_EQ(arrivals(0), in_order);
  EXPECT_NE(arrivals(1), in_order);
  EXPECT_NE(arrivals(2), arrivals(1));
  EXPECT_EQ(arrivals(1), arrivals(1));
}

/// A wrong kernel: the first half of each warp does not reach the barrier.
struct Leaves {
  struct Shared {};
  static void run(lanes::Lane& lane, Shared&) {
    if (lane.lane() >= 16u) lane.sync_block();
  }
};
struct Throws {
  struct Shared {};
  static void run(lanes::Lane& lane, Shared&, u32 which) {
    if (lane.id() == which) throw std::runtime_error("lane " + std::to_string(which));
    lane.sync_block();
  }
};

template <class Kernel, class... Arguments>
std::string error_of(const lanes::Grid& grid, const Arguments&... arguments) {
  try {
    lanes::emulate<Kernel>(grid, arguments...);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(OwnLanes, that_wait_for_ever_are_an_error) {
  EXPECT_EQ(error_of<Leaves>({1, 64}),
            "an emulated kernel: deadlock in block 0: 32 lanes at a block collective, 0 at a warp "
            "collective, 32 returned");
}

TEST(OwnLanes, may_throw) { EXPECT_EQ(error_of<Throws>({2, 64}, 70u), "lane 70"); }

TEST(OwnLanes, are_whole_warps) {
  for (const u32 size : {0u, 31u, 100u, 1056u})
    EXPECT_EQ(error_of<Leaves>({1, size}),
              "blocks have 32 to 1024 lanes, a multiple of 32; not " + std::to_string(size));
  EXPECT_EQ(error_of<Leaves>({0, 32}), "");
}

}  // namespace lanes_test
}  // namespace ballotcast::detail
