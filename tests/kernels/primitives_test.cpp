// Tests every vote, shuffle, reduction and group size on the emulated machine. The results of all
// lanes are compared with definitions in this file. The lanes run in order, and in several random
// orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "backends/benchmarks/launches.hpp"
#include "backends/emulated/emulated_machine.hpp"

namespace ballotcast::detail {
namespace primitives_test {

constexpr u32 kLanes = 768;  // a multiple of every block size used here
constexpr u64 kSeeds[] = {0, 1, 77};

template <class... Rows, class Visit>
void for_each_row(TypeList<Rows...>, Visit visit) {
  (visit(TypeTag<Rows>{}), ...);
}

/// Calls visit(machine, block_size) for several block sizes and orders of lanes. The machine is
/// static, so that it keeps its stacks.
template <class Visit>
void for_all_schedules(const std::string& what, Visit visit) {
  static EmulatedMachine machine;
  for (const u32 block_size : {32u, 96u, 256u})
    for (const u64 seed : kSeeds) {
      SCOPED_TRACE(what + ", block " + std::to_string(block_size) + ", seed " +
                   std::to_string(seed));
      machine.shuffle(seed);
      visit(machine, block_size);
    }
}

/// The expected result for lane `own` of a warp in which each lane i votes ayes[i]. If `own_branch`
/// is true, only the votes of the lane's own branch count.
u32 seen_by(const std::string& vote, const std::vector<u32>& branch_of,
            const std::vector<bool>& ayes, u32 own, bool own_branch) {
  std::set<u32> voters, for_it;
  for (u32 i = 0; i < 32; ++i)
    if (!own_branch || branch_of[i] == branch_of[own]) {
      voters.insert(i);
      if (ayes[i]) for_it.insert(i);
    }
  if (vote == "any") return for_it.empty() ? 0 : 1;
  if (vote == "all") return for_it == voters ? 1 : 0;
  u32 mask = 0;
  for (const u32 i : for_it) mask += 1u << i;
  return mask;
}

TEST(Votes, show_each_lane_the_whole_warp_or_its_own_branch) {
  constexpr u32 kRounds = 3;
  for_each_row(VoteForms{}, [&](auto form) {
    for_each_row(VoteKinds{}, [&](auto vote) {
      using Form = typename decltype(form)::type;
      using Vote = typename decltype(vote)::type;
      for (const BranchPattern& pattern : kBranchPatterns) {
        std::vector<u32> branch_of(32);
        for (u32 i = 0; i < 32; ++i)
          branch_of[i] = (pattern.branches.low >> i) % 2 + 2 * ((pattern.branches.high >> i) % 2);
        std::vector<u32> expected(2 * kLanes);
        std::vector<u32> values(kLanes);
        for (u32 id = 0; id < kLanes; ++id) values[id] = mix_bits(id + 1);
        for (u32 round = 0; round < kRounds; ++round)
          for (u32 warp = 0; warp < kLanes / 32; ++warp) {
            const u32 quota[] = {16, 1, 31, 0, 32};
            std::vector<bool> ayes(32);
            for (u32 i = 0; i < 32; ++i) {
              const u32 hash = values[32 * warp + i] * (0x85ebca6bu + 2 * branch_of[i]);
              ayes[i] = hash / (1u << 27) < quota[warp % 5];
            }
            for (u32 i = 0; i < 32; ++i) {
              const u32 id = 32 * warp + i;
              expected[id] = seen_by(std::string(Vote::info.name), branch_of, ayes, i,
                                     Form::info.name == "active");
              values[id] = (values[id] ^ expected[id]) * 0x9e3779b1u + 1u;
            }
          }
        std::copy(values.begin(), values.end(), expected.begin() + kLanes);

        for_all_schedules(std::string(Form::info.name) + " " + std::string(Vote::info.name) +
                              ", branches " + std::string(pattern.name),
                          [&](EmulatedMachine& machine, u32 block_size) {
                            std::vector<u32> out(2 * kLanes);
                            launch_case(machine,
                                        VoteCase{Form::info.name, Vote::info.name, pattern.branches,
                                                 kLanes, block_size, kRounds},
                                        out.data());
                            EXPECT_EQ(out, expected);
                          });
      }
    });
  });
}

TEST(Votes, differ_between_the_forms_where_lanes_part) {
  // The result of the experiment: inside a branch, a _sync vote of the whole warp collects more
  // votes than votes without _sync did.
  const auto ballots = [](const char* form, const char* pattern) {
    for (const BranchPattern& row : kBranchPatterns)
      if (row.name == pattern) {
        EmulatedMachine machine;
        std::vector<u32> out(2 * kLanes);
        launch_case(machine, VoteCase{form, "ballot", row.branches, kLanes, 256, 1}, out.data());
        return out;
      }
    return std::vector<u32>();
  };
  EXPECT_EQ(ballots("sync", "together"), ballots("active", "together"));
  for (const char* pattern : {"halves", "odd-even", "one-alone", "fourths", "scattered"}) {
    const std::vector<u32> sync = ballots("sync", pattern), active = ballots("active", pattern);
    EXPECT_EQ(sync, ballots("rejoined", pattern));
    EXPECT_NE(sync, active);
    u32 together = 0;  // the union of the branches' votes is the vote of the first warp
    for (u32 i = 0; i < 32; ++i) together |= active[i];
    EXPECT_EQ(together, sync[0]);
  }
}

/// The value that each lane of a warp must get from a shuffle, computed by segments of the warp.
std::vector<u32> shuffled(const std::string& kind, const std::vector<u32>& warp, u32 round,
                          u32 width) {
  std::vector<u32> got = warp;
  for (u32 lane = 0; lane < 32; ++lane) {
    const u32 n = kind == "idx" ? (7 * lane + round) % 32 : round % 32;
    const u32 place = lane % width;
    const std::vector<u32> segment(warp.begin() + (lane - place),
                                   warp.begin() + (lane - place) + width);
    if (kind == "idx") got[lane] = segment[n % width];
    if (kind == "up" && place >= n) got[lane] = segment[place - n];
    if (kind == "down" && place + n < width) got[lane] = segment[place + n];
    if (kind == "xor") {  // lanes can read from earlier segments, but not from later ones
      const u32 source = lane ^ n;
      if (source / width <= lane / width) got[lane] = warp[source];
    }
  }
  return got;
}

TEST(Shuffles, give_what_their_definition_says_at_every_width_and_argument) {
  constexpr u32 kRounds = 32;  // enough rounds for all arguments
  for_each_row(ShuffleKinds{}, [&](auto kind) {
    const std::string_view name = decltype(kind)::type::info.name;
    for (const u32 width : {1u, 2u, 4u, 8u, 16u, 32u}) {
      std::vector<u32> expected;
      for (u32 warp = 0; warp < kLanes / 32; ++warp) {
        std::vector<u32> values(32);
        for (u32 i = 0; i < 32; ++i) values[i] = mix_bits(32 * warp + i + 1);
        for (u32 round = 0; round < kRounds; ++round) {
          const std::vector<u32> got = shuffled(std::string(name), values, round, width);
          for (u32 i = 0; i < 32; ++i) values[i] = (values[i] ^ got[i]) * 0x9e3779b1u + 1u;
        }
        expected.insert(expected.end(), values.begin(), values.end());
      }
      for (const PrimitiveInfo& form : rows_of(ShuffleForms{}))
        for_all_schedules(
            std::string(form.name) + " " + std::string(name) + ", width " + std::to_string(width),
            [&](EmulatedMachine& machine, u32 block_size) {
              std::vector<u32> out(kLanes);
              launch_case(machine, ShuffleCase{form.name, name, width, kLanes, block_size, kRounds},
                          out.data());
              EXPECT_EQ(out, expected);
            });
    }
  });
}

u32 reduce(std::string_view name, const std::vector<u32>& values, u32 count, u32 block_size,
           u64 seed) {
  static EmulatedMachine machine;  // keeps its stacks
  machine.shuffle(seed);
  std::vector<u32> sums(count / 32 + 1, 0xcdcdcdcdu), next_sums = sums;
  return *launch_reduction(machine, ReductionCase{name, count, block_size},
                           {values.data(), sums.data(), next_sums.data()}, 2048);
}

std::vector<u32> values_to_sum() {
  std::vector<u32> values(20000);
  for (u32 i = 0; i < values.size(); ++i) values[i] = mix_bits(i ^ 0x5bd1e995u);
  return values;
}

TEST(Reductions, sum_all_values_whatever_their_number_and_the_block_size) {
  const std::vector<u32> values = values_to_sum();
  for (const PrimitiveInfo& row : rows_of(Reductions{}))
    for (const u32 count : {1u, 33u, 255u, 4096u, 10007u})
      for (const u32 block_size : {32u, 96u, 256u, 1024u})
        for (const u64 seed : kSeeds)
          EXPECT_EQ(reduce(row.name, values, count, block_size, seed),
                    std::accumulate(values.begin(), values.begin() + count, 0u))
              << row.name << ", " << count << " values, block " << block_size << ", seed " << seed;
}

TEST(Reductions, without_barriers_are_caught_in_every_order_of_lanes) {
  const std::vector<u32> values = values_to_sum();
  for (const PrimitiveInfo& row : rows_of(BrokenReductions{}))
    for (const u32 block_size : {32u, 256u, 1024u})
      for (u64 seed = 0; seed < 10; ++seed)
        EXPECT_NE(reduce(row.name, values, 20000, block_size, seed),
                  std::accumulate(values.begin(), values.end(), 0u))
            << row.name << ", block " << block_size << ", seed " << seed;
}

TEST(Groups, do_the_same_work_in_as_many_turns_as_a_warp_has_groups) {
  constexpr u32 kRounds = 5;
  EmulatedMachine machine;
  for (const u32 block_size : {32u, 1024u})
    for (const u32 group_size : kGroupSizes)
      for (const u64 seed : kSeeds) {
        constexpr u32 kGroupLanes = 2048;
        machine.shuffle(seed);
        std::vector<u32> out(kGroupLanes + kGroupLanes / 32);
        launch_case(machine, GroupCase{group_size, kGroupLanes, block_size, kRounds}, out.data());
        for (u32 id = 0; id < kGroupLanes; ++id) {
          u32 value = mix_bits(id + 1);
          for (u32 round = 0; round < kRounds; ++round)
            value = (value ^ (value >> 15)) * 0x2c1b3c6du;
          ASSERT_EQ(out[id], value) << "lane " << id << ", groups of " << group_size;
        }
        const u32 turns = group_size < 32 ? 32 / group_size : 1;
        for (u32 warp = 0; warp < kGroupLanes / 32; ++warp)
          ASSERT_EQ(out[kGroupLanes + warp], turns) << "groups of " << group_size;
      }
}

}  // namespace primitives_test
}  // namespace ballotcast::detail
