// Tests that the emulated machine fulfils the contract of kernels/lane.hpp, and reports kernels
// that break it.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "backends/emulated/emulated_machine.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {
namespace emulated_test {

struct NoShared {};

struct VoteKernel {
  using Shared = NoShared;
  template <class Lane>
  static void run(Lane& lane, Shared&, u32* out) {
    const bool odd_hundred = (lane.id() / 100) % 2 == 1;
    const u32 ballot = lane.ballot(odd_hundred);
    const u32 shuffled = lane.shuffle(lane.id(), 31 - lane.lane());
    const bool any = lane.any(odd_hundred), all = lane.all(odd_hundred);
    const bool block_any = lane.block_or(odd_hundred);
    const u32 block_count = lane.block_count(odd_hundred);
    u32* mine = out + 6 * lane.id();
    mine[0] = ballot;
    mine[1] = shuffled;
    mine[2] = any;
    mine[3] = all;
    mine[4] = block_any;
    mine[5] = block_count;
  }
};

TEST(EmulatedMachine, votes_and_shuffles_as_their_definitions_say) {
  for (const u64 seed : {0ull, 5ull})
    for (const u32 block : {32u, 128u, 1024u}) {
      constexpr u32 kLanes = 2048;
      EmulatedMachine machine(seed);
      std::vector<u32> out(6 * kLanes);
      machine.launch<VoteKernel>("votes", kLanes / block, block, out.data());
      const auto odd = [](u32 id) { return (id / 100) % 2 == 1; };
      for (u32 id = 0; id < kLanes; ++id) {
        const u32 warp = id / 32 * 32;
        u32 ballot = 0, count = 0;
        for (u32 k = 0; k < 32; ++k) ballot |= (odd(warp + k) ? 1u : 0u) << k;
        for (u32 k = 0; k < block; ++k) count += odd(id / block * block + k) ? 1 : 0;
        const u32* mine = &out[6 * id];
        ASSERT_EQ(mine[0], ballot);
        ASSERT_EQ(mine[1], warp + 31 - id % 32);
        ASSERT_EQ(mine[2], ballot != 0);
        ASSERT_EQ(mine[3], ballot == 0xffffffffu);
        ASSERT_EQ(mine[4], count != 0);
        ASSERT_EQ(mine[5], count);
      }
    }
}

struct SharedSumKernel {
  struct Shared {
    u32 values[kLargestBlock];
  };
  template <class Lane>
  static void run(Lane& lane, Shared& shared, u32* out) {
    shared.values[lane.thread()] = lane.thread();
    for (u32 step = lane.block_size() / 2; step > 0; step /= 2) {
      lane.sync_block();
      if (lane.thread() < step) shared.values[lane.thread()] += shared.values[lane.thread() + step];
    }
    if (lane.thread() == 0) out[lane.block()] = shared.values[0];
  }
};

TEST(EmulatedMachine, barriers_order_shared_memory) {
  for (const u64 seed : {0ull, 1ull, 2ull, 3ull}) {
    EmulatedMachine machine(seed);
    std::vector<u32> out(9);
    machine.launch<SharedSumKernel>("sum", 9, 512, out.data());
    for (const u32 sum : out) EXPECT_EQ(sum, 512u * 511u / 2u);
  }
}

/// Lanes branch by lane % 3 and vote among the lanes of their branch, each branch at its own place
/// in the code. Then the even lanes and the odd lanes vote among themselves, whatever their branch.
struct MemberVotesKernel {
  using Shared = NoShared;
  template <class Lane>
  static void run(Lane& lane, Shared&, const u8* ayes, u32* out) {
    const bool p = ayes[lane.id()] != 0;
    const u32 branch = lane.lane() % 3;
    u32 thirds = 0;
    for (u32 k = branch; k < 32; k += 3) thirds |= 1u << k;
    const u32 parity = lane.lane() % 2 == 0 ? 0x55555555u : 0xaaaaaaaau;
    u32* mine = out + 6 * lane.id();
    if (branch == 0) {
      mine[0] = lane.ballot_among(thirds, p);
      mine[1] = lane.any_among(thirds, p);
      lane.sync_among(thirds);
      mine[2] = lane.all_among(thirds, p);
      mine[3] = lane.ballot_among(parity, p);
      mine[4] = lane.any_among(parity, p);
      mine[5] = lane.all_among(parity, p);
    } else if (branch == 1) {
      mine[1] = lane.any_among(thirds, p);
      mine[0] = lane.ballot_among(thirds, p);
      mine[2] = lane.all_among(thirds, p);
      mine[3] = lane.ballot_among(parity, p);
      mine[4] = lane.any_among(parity, p);
      mine[5] = lane.all_among(parity, p);
    } else {
      mine[2] = lane.all_among(thirds, p);
      mine[0] = lane.ballot_among(thirds, p);
      mine[1] = lane.any_among(thirds, p);
      mine[3] = lane.ballot_among(parity, p);
      mine[4] = lane.any_among(parity, p);
      mine[5] = lane.all_among(parity, p);
    }
    lane.sync_warp();
  }
};

TEST(EmulatedMachine, votes_among_members_whichever_branch_they_are_in) {
  for (const u64 seed : {0ull, 1ull, 2ull, 9ull})
    for (const u32 block : {32u, 96u, 512u}) {
      const u32 lanes = 3 * 512;
      std::vector<u8> ayes(lanes);
      for (u32 id = 0; id < lanes; ++id)  // the share of yes votes grows from warp to warp
        ayes[id] = mix_bits(id) % 16 < id / 32 % 17 ? 1 : 0;
      std::vector<u32> out(6 * lanes);
      EmulatedMachine machine(seed);
      machine.launch<MemberVotesKernel>("member votes", lanes / block, block, ayes.data(),
                                        out.data());
      for (u32 id = 0; id < lanes; ++id) {
        const auto expect_votes = [&](u32 modulus, const u32* got) {
          u32 ballot = 0, members = 0;
          for (u32 k = id % 32 % modulus; k < 32; k += modulus) {
            members |= 1u << k;
            ballot |= static_cast<u32>(ayes[id / 32 * 32 + k]) << k;
          }
          ASSERT_EQ(got[0], ballot);
          ASSERT_EQ(got[1], ballot != 0);
          ASSERT_EQ(got[2], ballot == members);
        };
        expect_votes(3, &out[6 * id]);
        expect_votes(2, &out[6 * id + 3]);
      }
    }
}

// AddressSanitizer gives false reports when unfinished fibers are unwound.
#if !defined(__SANITIZE_ADDRESS__)

struct DivergedBarrierKernel {
  using Shared = NoShared;
  template <class Lane>
  static void run(Lane& lane, Shared&) {
    if (lane.warp() == 0) lane.sync_block();
  }
};

struct DivergedVoteKernel {
  using Shared = NoShared;
  template <class Lane>
  static void run(Lane& lane, Shared&) {
    if (lane.lane() < 20) lane.ballot(true);
  }
};

/// Lanes 0..15 pass a mask of themselves; the others pass a mask of all lanes.
struct DifferentMasksKernel {
  using Shared = NoShared;
  template <class Lane>
  static void run(Lane& lane, Shared&) {
    lane.ballot_among(lane.lane() < 16 ? 0xffffu : 0xffffffffu, true);
  }
};

/// All lanes pass the same mask, but they call different votes.
struct DifferentVotesKernel {
  using Shared = NoShared;
  template <class Lane>
  static void run(Lane& lane, Shared&) {
    if (lane.lane() < 16)
      lane.any_among(0xffffffffu, true);
    else
      lane.all_among(0xffffffffu, true);
  }
};

/// Lane 0 passes a mask in which it is not a member.
struct OutsiderKernel {
  using Shared = NoShared;
  template <class Lane>
  static void run(Lane& lane, Shared&) {
    if (lane.thread() < 2) lane.sync_among(2u);
  }
};

template <class Kernel>
std::string message_of(u32 block_size = 64) {
  EmulatedMachine machine;
  try {
    machine.launch<Kernel>("diverged", 1, block_size);
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "no error";
}

TEST(EmulatedMachine, a_diverged_collective_is_a_message_and_no_hang) {
  EXPECT_EQ(
      message_of<DivergedBarrierKernel>(),
      "diverged: deadlock in block 0: 32 lanes at a block collective, 0 at a warp collective, "
      "32 returned");
  EXPECT_EQ(
      message_of<DivergedVoteKernel>(),
      "diverged: deadlock in block 0: 0 lanes at a block collective, 40 at a warp collective, "
      "24 returned");
}

TEST(EmulatedMachine, a_block_with_a_part_of_a_warp_is_a_message) {
  for (const u32 size : {0u, 48u, 1056u})
    EXPECT_EQ(message_of<DivergedVoteKernel>(size),
              "diverged: a block of " + std::to_string(size) +
                  " lanes: blocks have 32 to 1024, a multiple of 32");
}

TEST(EmulatedMachine, members_that_differ_in_mask_or_vote_are_a_message_and_no_hang) {
  EXPECT_EQ(
      message_of<DifferentMasksKernel>(),
      "diverged: deadlock in block 0: 0 lanes at a block collective, 32 at a warp collective, "
      "32 returned");
  EXPECT_EQ(
      message_of<DifferentVotesKernel>(),
      "diverged: deadlock in block 0: 0 lanes at a block collective, 64 at a warp collective, "
      "0 returned");
  EXPECT_EQ(message_of<OutsiderKernel>(),
            "diverged: deadlock in block 0: 0 lanes at a block collective, 1 at a warp collective, "
            "63 returned");
}

struct ThrowingKernel {
  using Shared = NoShared;
  template <class Lane>
  static void run(Lane& lane, Shared&) {
    lane.sync_block();
    if (lane.thread() == 7) throw DeviceError("lane 7 objects");
    lane.sync_block();
  }
};

TEST(EmulatedMachine, what_a_lane_throws_comes_out_of_the_launch) {
  EXPECT_EQ(message_of<ThrowingKernel>(), "diverged: lane 7 objects");
}

#endif

}  // namespace emulated_test
}  // namespace ballotcast::detail
