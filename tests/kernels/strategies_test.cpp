// Tests every strategy on the emulated machine: the counter, the reserved slots, and the number of
// atomics. The lanes run in order, and in several random orders.
#include "kernels/strategies/strategies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "backends/emulated/emulated_machine.hpp"
#include "kernels/counting.hpp"
#include "kernels/strategies/broken/broken_strategies.hpp"
#include "kernels/strategies/laboratory/warp_shards.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {
namespace strategies_test {

/// A kernel that reports each lane whose flag is set.
template <class Strategy>
struct ReportKernel {
  using Shared = typename Strategy::Shared;
  template <class Lane>
  static void run(Lane& lane, Shared& shared, const u8* flags, u32 count, CounterView counter) {
    Strategy::report(lane, shared, counter, lane.id() < count && flags[lane.id()]);
  }
};

/// A kernel that reserves a slot for each lane whose flag is set, and writes the lane's id to the
/// slot.
template <class Strategy>
struct ReserveKernel {
  using Shared = typename Strategy::Shared;
  template <class Lane>
  static void run(Lane& lane, Shared& shared, const u8* flags, u32 count, CounterView counter,
                  u32* slots) {
    const bool wanted = lane.id() < count && flags[lane.id()];
    const u32 slot = Strategy::reserve(lane, shared, counter, wanted);
    if (wanted) slots[slot] = lane.id();
  }
};

struct Pattern {
  const char* name;
  std::vector<u8> flags;
};

constexpr u32 kCount = 3000;  // not a multiple of any block size

std::vector<Pattern> patterns(u32 block_size) {
  std::vector<Pattern> all = {{"none", std::vector<u8>(kCount, 0)},
                              {"all", std::vector<u8>(kCount, 1)}};
  Pattern half{"half", {}}, rare{"p = 0.001", {}}, one{"one a block", std::vector<u8>(kCount, 0)};
  for (u32 i = 0; i < kCount; ++i) {
    half.flags.push_back(mix_bits(i) & 1);
    rare.flags.push_back(mix_bits(i) % 1000 == 0);
  }
  for (u32 block = 0; block * block_size < kCount; ++block) {
    const u32 lanes = std::min(block_size, kCount - block * block_size);
    one.flags[block * block_size + mix_bits(block) % lanes] = 1;
  }
  all.insert(all.end(), {half, rare, one});
  return all;
}

u32 rays_with(const std::vector<u8>& flags) {
  return std::accumulate(flags.begin(), flags.end(), 0u);
}

/// The number of groups of `size` lanes in which at least one flag is set.
u32 groups_with(const std::vector<u8>& flags, u32 size) {
  u32 groups = 0;
  for (u32 i = 0; i < flags.size(); i += size)
    groups += std::any_of(flags.begin() + i,
                          flags.begin() + std::min<std::size_t>(i + size, flags.size()),
                          [](u8 f) { return f != 0; })
                  ? 1
                  : 0;
  return groups;
}

template <class Strategy>
class EveryStrategy : public ::testing::Test {
 public:
  /// The number of atomics that a launch of `report` must issue.
  static u32 atomics_expected(const std::vector<u8>& flags, u32 block_size) {
    switch (Strategy::info.atomics_per) {
      case AtomicsPer::none:
        return 0;
      case AtomicsPer::lane:
      case AtomicsPer::varies:  // no compiler merges atomics in emulation
        return rays_with(flags);
      case AtomicsPer::warp:
        return groups_with(flags, kWarpSize);
      case AtomicsPer::block:
      case AtomicsPer::cluster:  // of one block in emulation
        break;
    }
    return groups_with(flags, block_size);
  }

  static u32 count_expected(const std::vector<u8>& flags, u32 block_size) {
    switch (Strategy::info.counter) {
      case CounterMeaning::rays:
        return rays_with(flags);
      case CounterMeaning::blocks:
        return groups_with(flags, block_size);
      case CounterMeaning::any:
        return rays_with(flags) != 0 ? 1 : 0;
      case CounterMeaning::nothing:
        break;
    }
    return 0;
  }

  /// Calls visit(machine, flags, block_size). It uses one machine, which keeps its stacks; only the
  /// machine's seed changes.
  template <class Visit>
  static void for_all_schedules(Visit visit) {
    EmulatedMachine machine;
    for (const u32 block_size : {32u, 64u, 96u, 256u, 1024u})
      for (const Pattern& pattern : patterns(block_size))
        for (const u64 seed : {0ull, 1ull, 2ull, 77ull}) {
          SCOPED_TRACE(std::string(pattern.name) + ", block " + std::to_string(block_size) +
                       ", seed " + std::to_string(seed));
          machine.shuffle(seed);
          visit(machine, pattern.flags, block_size);
        }
  }
};

/// All strategies, and WarpShards, which users' programs can use, too.
template <class... Rows>
::testing::Types<Rows..., WarpShards> as_test_types(TypeList<Rows...>);
using StrategyTypes = decltype(as_test_types(Strategies{}));
TYPED_TEST_SUITE(EveryStrategy, StrategyTypes);

TYPED_TEST(EveryStrategy, counts_what_its_row_says_with_the_atomics_it_claims) {
  if constexpr (TypeParam::info.reports())
    this->for_all_schedules([&](EmulatedMachine& machine, const std::vector<u8>& flags,
                                u32 block_size) {
      const CounterView counter = machine.cast_memory().counter(0);
      u64 atomics = 0;
      CountingMachine counting(machine, &atomics);
      counting.template launch<ReportKernel<TypeParam>>("report",
                                                        (kCount + block_size - 1) / block_size,
                                                        block_size, flags.data(), kCount, counter);
      EXPECT_EQ(total_of(counter, TypeParam::info.shards), this->count_expected(flags, block_size));
      EXPECT_EQ(atomics, this->atomics_expected(flags, block_size));
      clear(counter, TypeParam::info.shards);
      for (u32 i = 0; i < kCounterWords; ++i) EXPECT_EQ(counter.value[i], 0u);
    });
  else
    static_assert(TypeParam::info.reserves());
}

TYPED_TEST(EveryStrategy, gives_each_lane_that_wants_one_a_slot_of_its_own_without_gaps) {
  if constexpr (TypeParam::info.reserves())
    this->for_all_schedules(
        [&](EmulatedMachine& machine, const std::vector<u8>& flags, u32 block_size) {
          const CounterView counter = machine.cast_memory().counter(0);
          u64 atomics = 0;
          CountingMachine counting(machine, &atomics);
          std::vector<u32> slots(kCount, 0xffffffffu);
          counting.template launch<ReserveKernel<TypeParam>>(
              "reserve", (kCount + block_size - 1) / block_size, block_size, flags.data(), kCount,
              counter, slots.data());
          EXPECT_EQ(counter.value[0], rays_with(flags));
          clear(counter, TypeParam::info.shards);
          EXPECT_EQ(atomics, this->atomics_expected(flags, block_size));
          slots.resize(rays_with(flags));
          std::sort(slots.begin(), slots.end());
          std::vector<u32> expected;
          for (u32 i = 0; i < kCount; ++i)
            if (flags[i]) expected.push_back(i);
          EXPECT_EQ(slots, expected);
        });
  else
    static_assert(TypeParam::info.reports());
}

/// The number of 20 random orders of lanes for which a broken strategy (strategies/broken) gives a
/// wrong count. One lane per block hits.
template <class Specimen>
u32 times_wrong(u32 block_size) {
  u32 wrong = 0;
  const Pattern one = patterns(block_size)[4];
  EmulatedMachine machine;
  for (u64 seed = 1; seed <= 20; ++seed) {
    machine.shuffle(seed);
    const CounterView counter = machine.cast_memory().counter(0);
    machine.template launch<ReportKernel<Specimen>>("specimen",
                                                    (kCount + block_size - 1) / block_size,
                                                    block_size, one.flags.data(), kCount, counter);
    wrong += counter.value[0] != (Specimen::info.counter == CounterMeaning::rays
                                      ? rays_with(one.flags)
                                      : groups_with(one.flags, block_size))
                 ? 1
                 : 0;
    clear(counter, 1);
  }
  return wrong;
}

TEST(BrokenStrategies, are_caught_by_their_count) {
  for (const u32 block_size : {64u, 256u, 1024u}) {
    SCOPED_TRACE(block_size);
    EXPECT_EQ(times_wrong<SharedColumn>(block_size), 20u);
    EXPECT_EQ(times_wrong<SharedFlagPerWarp>(block_size), 20u);
    EXPECT_GT(times_wrong<UnguardedFlag>(block_size), 10u);
  }
}

TEST(BrokenStrategies, look_right_where_nothing_can_go_wrong) {
  // In a block of one warp, only one lane reports and no warp can be late. So tests with such
  // blocks miss the errors.
  EXPECT_EQ(times_wrong<SharedFlagPerWarp>(32), 0u);
}

}  // namespace strategies_test
}  // namespace ballotcast::detail
