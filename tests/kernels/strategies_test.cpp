// Every strategy on the emulated machine: what it counts, which slots it gives, how many atomics it
// issues, in order and under shuffled schedules.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "backends/emulated/machine.hpp"
#include "kernels/counting_lane.hpp"
#include "kernels/strategies/table.hpp"
#include "math/sampling.hpp"

namespace ballotcast {
namespace {

/// Reports flags[id], counting the atomics.
template <class Strategy>
struct ReportKernel {
  using Shared = typename Strategy::Shared;
  template <class Lane>
  static void run(Lane& plain, Shared& shared, const u8* flags, u32 count, CounterView counter,
                  u32* atomics) {
    CountingLane<Lane> lane(plain, atomics);
    Strategy::report(lane, shared, counter, lane.id() < count && flags[lane.id()]);
  }
};

/// Reserves a slot for each flag and writes the id there.
template <class Strategy>
struct ReserveKernel {
  using Shared = typename Strategy::Shared;
  template <class Lane>
  static void run(Lane& plain, Shared& shared, const u8* flags, u32 count, CounterView counter,
                  u32* atomics, u32* slots) {
    CountingLane<Lane> lane(plain, atomics);
    const bool wanted = lane.id() < count && flags[lane.id()];
    const u32 slot = Strategy::reserve(lane, shared, counter, wanted);
    if (wanted) slots[slot] = lane.id();
  }
};

struct Pattern {
  const char* name;
  std::vector<u8> flags;
};

constexpr u32 kCount = 3000;  // no multiple of any block size

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

/// Groups of `size` lanes in which some flag is set.
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
  /// The most atomics a launch may issue.
  static u32 atomics_allowed(const std::vector<u8>& flags, u32 block_size) {
    const std::string_view name = Strategy::info.name;
    if (name == "naive" || name == "compiler") return rays_with(flags);
    if (name == "warp-ballot") return groups_with(flags, kWarpSize);
    return groups_with(flags, block_size);
  }

  template <class Visit>
  static void for_all_schedules(Visit visit) {
    for (const u32 block_size : {32u, 64u, 96u, 256u, 1024u})
      for (const Pattern& pattern : patterns(block_size))
        for (const u64 seed : {0ull, 1ull, 2ull, 77ull}) {
          SCOPED_TRACE(std::string(pattern.name) + ", block " + std::to_string(block_size) +
                       ", seed " + std::to_string(seed));
          visit(pattern.flags, block_size, seed);
        }
  }
};

template <class... Rows>
::testing::Types<Rows...> as_test_types(TypeList<Rows...>);
using StrategyTypes = decltype(as_test_types(Strategies{}));
TYPED_TEST_SUITE(EveryStrategy, StrategyTypes);

TYPED_TEST(EveryStrategy, counts_what_its_row_says_with_no_more_atomics_than_it_claims) {
  this->for_all_schedules([&](const std::vector<u8>& flags, u32 block_size, u64 seed) {
    EmulatedMachine machine(seed);
    const CounterView counter = machine.clear_counter();
    u32 atomics = 0;
    machine.template launch<ReportKernel<TypeParam>>(
        "report", (kCount + block_size - 1) / block_size, block_size, flags.data(), kCount, counter,
        &atomics);
    const u32 expected =
        TypeParam::info.counts == Counts::rays ? rays_with(flags) : groups_with(flags, block_size);
    EXPECT_EQ(machine.read_counter(), expected);
    EXPECT_EQ(atomics, this->atomics_allowed(flags, block_size));
  });
}

TYPED_TEST(EveryStrategy, gives_each_lane_that_wants_one_a_slot_of_its_own_without_gaps) {
  this->for_all_schedules([&](const std::vector<u8>& flags, u32 block_size, u64 seed) {
    EmulatedMachine machine(seed);
    const CounterView counter = machine.clear_counter();
    u32 atomics = 0;
    std::vector<u32> slots(kCount, 0xffffffffu);
    machine.template launch<ReserveKernel<TypeParam>>(
        "reserve", (kCount + block_size - 1) / block_size, block_size, flags.data(), kCount,
        counter, &atomics, slots.data());
    EXPECT_EQ(machine.read_counter(), rays_with(flags));
    EXPECT_LE(atomics, this->atomics_allowed(flags, block_size));
    slots.resize(rays_with(flags));
    std::sort(slots.begin(), slots.end());
    std::vector<u32> expected;
    for (u32 i = 0; i < kCount; ++i)
      if (flags[i]) expected.push_back(i);
    EXPECT_EQ(slots, expected);
  });
}

/// A block flag that every lane clears, with no barrier after: what BlockFlag warns of. It shows
/// that the tests above can fail.
struct RacyFlag {
  static constexpr StrategyInfo info{"racy", Counts::blocks, ""};
  struct Shared {
    u32 flag;
  };
  template <class Lane>
  static void report(Lane& lane, Shared& shared, CounterView counter, bool staged) {
    shared.flag = 0u;
    lane.sync_warp();  // where warps drift apart
    if (staged) shared.flag = 1u;
    lane.sync_block();
    if (shared.flag && lane.thread() == 0u) lane.fetch_add(counter.value, 1u);
  }
};

TEST(Schedules, catch_a_flag_that_is_cleared_too_late) {
  u32 wrong = 0;
  for (u64 seed = 0; seed < 20; ++seed) {
    const Pattern one = patterns(256)[4];
    EmulatedMachine machine(seed);
    const CounterView counter = machine.clear_counter();
    u32 atomics = 0;
    machine.launch<ReportKernel<RacyFlag>>("racy", (kCount + 255) / 256, 256, one.flags.data(),
                                           kCount, counter, &atomics);
    wrong += machine.read_counter() != groups_with(one.flags, 256) ? 1 : 0;
  }
  EXPECT_GT(wrong, 10u);
}

}  // namespace
}  // namespace ballotcast
