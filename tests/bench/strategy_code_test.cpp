// Tests that the machine code that nvcc generates for each strategy agrees with the strategy's row
// in the table, for the strategy alone and inside the ray-caster's kernels.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "bench/machine_code.hpp"
#include "bvh/layouts/layouts.hpp"
#include "kernels/pipelines/passes.hpp"
#include "kernels/pipelines/queue.hpp"
#include "kernels/strategies/laboratory/laboratory_strategies.hpp"
#include "kernels/strategies/probe.hpp"
#include "kernels/strategies/strategies.hpp"

namespace ballotcast::detail {
namespace strategy_code_test {

using enum OpClass;

constexpr u32 kAny = 0xffffffffu;

/// A rule: the number of instructions of these classes must lie in [least, most].
struct Rule {
  std::vector<OpClass> classes;
  u32 least, most;
};
using Rules = std::vector<Rule>;

const Rule kOneAtomic = {{red, atom}, 1, 1};
/// The rule for the code of one addition. If lanes have different addends, ptxas for sm_75 and
/// sm_80 may write a loop over the addends, and a second atomic for the rest.
const Rule kOneOrTwoAtomics = {{red, atom}, 1, 2};
const Rule kWithResult = {{atom}, 1, 2};
const Rule kWithoutResult = {{red}, 1, 2};
const Rule kNoAtomic = {{red, atom}, 0, 0};
const Rule kNothingTogether = {{vote, voteu, redux, popc, upopc, shfl, match}, 0, 0};
const Rule kNoVoteByHand = {{vote}, 0, 0};
const Rule kVoteByHand = {{vote}, 1, kAny};
const Rule kVoteOfPtxas = {{voteu}, 1, kAny};
const Rule kCountsAyes = {{popc, upopc}, 1, kAny};
const Rule kHandsOn = {{shfl}, 1, kAny};
const Rule kNoBarrier = {{bar_sync, bar_red, bar_arrive}, 0, 0};
const Rule kNoPlainBarrier = {{bar_sync}, 0, 0};
const Rule kOneBarrier = {{bar_sync}, 1, 1};
const Rule kTwoBarriers = {{bar_sync}, 2, 2};
const Rule kBarrierVotes = {{bar_red}, 1, 1};
const Rule kNoBarrierVotes = {{bar_red}, 0, 0};
const Rule kStoresShared = {{sts}, 1, kAny};
const Rule kLoadsShared = {{lds}, 1, kAny};
const Rule kNoShared = {{lds, sts, atoms}, 0, 0};
const Rule kLoads = {{ldg}, 1, kAny};
const Rule kStores = {{stg}, 1, kAny};
// ptxas writes an atomic on the shared memory of another block as one on any memory.
const Rule kAddsInCluster = {{atom}, 1, 1};
const Rule kOneAtomicBesides = {{red}, 1, 1};
const Rule kOneOfClusters = {{bar_cluster}, 1, 1};
const Rule kTwoOfClusters = {{bar_cluster}, 2, 2};
const Rule kNoAsync = {{redas}, 0, 0};
const Rule kOneAsync = {{redas}, 1, 1};

/// The rules for the code of a strategy's `report` and `reserve`.
struct Expectation {
  std::string_view strategy;
  AtomicsPer per;
  Rules report;
  Rules reserve;
};

const Rules kNaive = {kOneAtomic, kNothingTogether, kNoBarrier, kNoShared};

const Expectation kExpectations[] = {
    {"none", AtomicsPer::none, {kNoAtomic, kNothingTogether, kNoBarrier, kNoShared}, {}},
    {"flag-store",
     AtomicsPer::none,
     {kNoAtomic, kBarrierVotes, kNoPlainBarrier, kNothingTogether, kNoShared, kLoads, kStores},
     {}},
    {"block-vote",
     AtomicsPer::block,
     {kOneAtomic, kBarrierVotes, kNoPlainBarrier, kNoVoteByHand, kNoShared},
     {kOneOrTwoAtomics, kBarrierVotes, kTwoBarriers, kVoteByHand, kCountsAyes, kStoresShared,
      kLoadsShared}},
    {"block-flag",
     AtomicsPer::block,
     {kOneAtomic, kTwoBarriers, kNoBarrierVotes, kNoVoteByHand, kStoresShared, kLoadsShared},
     {}},
    {"block-count",
     AtomicsPer::block,
     {kOneOrTwoAtomics, kBarrierVotes, kNoPlainBarrier, kNoShared},
     {}},
    {"warp-slots",
     AtomicsPer::block,
     {kOneOrTwoAtomics,
      kOneBarrier,
      kNoBarrierVotes,
      kVoteByHand,
      kCountsAyes,
      kStoresShared,
      kLoadsShared,
      {{redux, shfl}, 1, kAny}},
     {}},
    {"block-scan",
     AtomicsPer::block,
     {},
     {kOneOrTwoAtomics, kTwoBarriers, kNoBarrierVotes, kVoteByHand, kCountsAyes, kStoresShared,
      kLoadsShared}},
    {"warp-ballot",
     AtomicsPer::warp,
     {kOneOrTwoAtomics, kVoteByHand, kCountsAyes, kNoBarrier, kNoShared},
     {kOneOrTwoAtomics, kVoteByHand, kCountsAyes, kHandsOn, kNoBarrier, kNoShared}},
    {"warp-array",
     AtomicsPer::warp,
     {kOneOrTwoAtomics, kStoresShared, kLoadsShared, kNoBarrier},
     {}},
    {"compiler",
     AtomicsPer::warp,
     {kOneAtomic, kVoteOfPtxas, kNoVoteByHand, kCountsAyes, kNoBarrier, kNoShared},
     {kOneAtomic, kVoteOfPtxas, kNoVoteByHand, kCountsAyes, kHandsOn, kNoBarrier, kNoShared}},
    {"sharded", AtomicsPer::lane, kNaive, {}},
    {"naive", AtomicsPer::lane, kNaive, kNaive},
    {"warp-shards",
     AtomicsPer::warp,
     {kOneOrTwoAtomics, kVoteByHand, kCountsAyes, kNoBarrier, kNoShared},
     {}},
    {"warp-queues",
     AtomicsPer::warp,
     {},
     {kOneOrTwoAtomics, kVoteByHand, kCountsAyes, kHandsOn, kNoBarrier, kNoShared}},
    {"warp-atom", AtomicsPer::warp, {kWithResult, kVoteByHand, kNoBarrier, kNoShared}, {}},
    {"warp-release", AtomicsPer::warp, {kWithoutResult, kVoteByHand, kNoBarrier, kNoShared}, {}},
    {"warp-system", AtomicsPer::warp, {kWithoutResult, kVoteByHand, kNoBarrier, kNoShared}, {}},
    {"spread", AtomicsPer::lane, kNaive, {}},
    {"cluster",
     AtomicsPer::cluster,
     {kAddsInCluster, kOneAtomicBesides, kBarrierVotes, kTwoOfClusters, kNoAsync},
     {}},
    {"red-async", AtomicsPer::cluster, {kOneAtomic, kBarrierVotes, kOneOfClusters, kOneAsync}, {}},
    {"bin-atomics", AtomicsPer::lane, {}, kNaive}};

const Expectation* expectation_of(std::string_view strategy) {
  for (const Expectation& row : kExpectations)
    if (row.strategy == strategy) return &row;
  return nullptr;
}

/// The rules that `kernel` breaks, in words; "" if it breaks none.
std::string broken(const KernelCode& kernel, const Rules& rules) {
  std::string out;
  for (const Rule& rule : rules) {
    u32 count = 0;
    std::string names;
    for (const OpClass op : rule.classes) {
      count += kernel.count(op);
      names += (names.empty() ? "" : "+") + std::string(name_of(op));
    }
    if (count < rule.least || count > rule.most)
      out += "\n  " + std::to_string(count) + " " + names + ", wanted " +
             std::to_string(rule.least) + " to " +
             (rule.most == kAny ? "any" : std::to_string(rule.most));
  }
  if (!out.empty()) out += "\n  in sm_" + std::to_string(kernel.arch) + " " + kernel.name;
  return out;
}

/// The machine code of the probes. If there is none, the caller must skip its test.
const StrategyCodes& probes() {
  static const StrategyCodes codes = strategy_codes(BALLOTCAST_CUOBJDUMP);
  return codes;
}

const Rules& rules_of(const Expectation& row, std::string_view call) {
  return call == "report" ? row.report : row.reserve;
}

template <class Visit, class... Rows>
void for_each_row(Visit visit, TypeList<Rows...>) {
  (visit(TypeTag<Rows>{}), ...);
}

/// All strategies that are a single kernel. For these, the program contains probes (kernels that
/// contain only the strategy).
std::vector<StrategyInfo> one_kernel_strategies() {
  std::vector<StrategyInfo> rows = rows_of(Strategies{});
  for (const StrategyInfo& row : rows_of(LaboratoryStrategies{})) rows.push_back(row);
  return rows;
}

TEST(StrategyCode, every_row_of_the_table_has_an_expectation) {
  for (const auto& row : one_kernel_strategies())
    EXPECT_NE(expectation_of(row.name), nullptr)
        << "say in kExpectations what the machine code of '" << row.name << "' must hold";
}

TEST(StrategyCode, is_there_for_every_call_and_architecture) {
  if (probes().rows.empty()) GTEST_SKIP() << probes().why_none;
  std::set<u32> archs;
  std::set<std::tuple<std::string_view, std::string_view, u32>> found;
  for (const StrategyCode& row : probes().rows) {
    archs.insert(row.code.arch);
    found.insert({row.strategy, row.call, row.code.arch});
  }
  EXPECT_TRUE(archs.contains(80) && archs.contains(90));
  std::size_t calls = 0;
  for (const StrategyInfo& strategy : one_kernel_strategies())
    for (const auto& [call, can] :
         {std::pair{"report", strategy.reports()}, std::pair{"reserve", strategy.reserves()}}) {
      if (!can) continue;
      for (const u32 arch : archs) {
        if (arch < strategy.capability) continue;
        ++calls;
        EXPECT_TRUE(found.contains({strategy.name, call, arch}))
            << strategy.name << " " << call << " sm_" << arch;
      }
    }
  EXPECT_EQ(probes().rows.size(), calls);
}

TEST(StrategyCode, of_every_strategy_is_what_its_row_promises) {
  if (probes().rows.empty()) GTEST_SKIP() << probes().why_none;
  for (const StrategyCode& row : probes().rows) {
    const Expectation* expected = expectation_of(row.strategy);
    if (!expected) continue;  // another test reports this
    SCOPED_TRACE(std::string(row.strategy) + " " + std::string(row.call));
    EXPECT_EQ(broken(row.code, rules_of(*expected, row.call)), "");
    EXPECT_EQ(in_words(row.atomics_per), in_words(expected->per)) << "sm_" << row.code.arch;
  }
}

TEST(StrategyCode, of_a_plain_atomic_add_does_not_pass_for_naive) {
  if (probes().rows.empty()) GTEST_SKIP() << probes().why_none;
  for (const StrategyCode& row : probes().rows)
    if (row.strategy == "compiler") {
      EXPECT_NE(broken(row.code, kNaive), "") << row.call << " sm_" << row.code.arch;
    }
}

/// The code of the program's own ray-casting kernels, for scenes without instances.
const std::vector<KernelCode>& kernels_of_program() {
  const std::string start = "ballotcast::detail::run_kernel<ballotcast::detail::Traverse",
                    view = "<ballotcast::detail::TraceView<";
  static const std::vector<KernelCode> kernels = read_machine_code(
      BALLOTCAST_PROGRAM, {start + "Pass" + view, start + "Queue" + view}, BALLOTCAST_CUOBJDUMP);
  return kernels;
}

/// Checks that the program contains the code of `Kernel`, and that this code follows `rules`.
template <class Kernel>
void holds(const std::vector<KernelCode>& program, const Rules& rules) {
  bool found = false;
  for (const KernelCode& kernel : program)
    if (kernel.is_called(name_of_kernel<Kernel>())) {
      found = true;
      EXPECT_EQ(broken(kernel, rules), "");
    }
  EXPECT_TRUE(found) << name_of_kernel<Kernel>();
}

TEST(StrategyCode, within_the_ray_caster_is_what_it_is_alone) {
  if (probes().rows.empty()) GTEST_SKIP() << probes().why_none;
  const std::vector<KernelCode>& program = kernels_of_program();
  for_each_row(
      [&](auto tag) {
        using Strategy = typename decltype(tag)::type;
        const Expectation* expected = expectation_of(Strategy::info.name);
        if (!expected) return;  // another test reports this
        for_each_row(
            [&](auto layout_tag) {
              using Layout = typename decltype(layout_tag)::type;
              if constexpr (Strategy::info.reports())
                holds<TraversePass<TraceView<Layout>, Strategy>>(program, expected->report);
              if constexpr (Strategy::info.reserves())
                holds<TraverseQueue<TraceView<Layout>, Strategy>>(program, expected->reserve);
            },
            Layouts{});
      },
      Strategies{});
}

/// The number of instructions of TraversePass in the program, per architecture.
template <class Layout, class Strategy>
std::map<u32, u32> lengths_of(const std::vector<KernelCode>& program) {
  std::map<u32, u32> lengths;
  const std::string name = name_of_kernel<TraversePass<TraceView<Layout>, Strategy>>();
  for (const KernelCode& code : program)
    if (code.is_called(name)) lengths[code.arch] = code.instructions;
  return lengths;
}

/// With strategy none, the code of the traversal must not be longer than with strategies that
/// count; see None.
TEST(StrategyCode, of_the_floor_is_no_longer_than_that_of_a_vote_of_the_block) {
  if (probes().rows.empty()) GTEST_SKIP() << probes().why_none;
  const std::vector<KernelCode>& program = kernels_of_program();
  for_each_row(
      [&](auto layout_tag) {
        using Layout = typename decltype(layout_tag)::type;
        const auto floor = lengths_of<Layout, None>(program);
        EXPECT_FALSE(floor.empty());
        for (const auto& [arch, length] : floor) {
          EXPECT_LE(length, (lengths_of<Layout, BlockVote>(program)[arch]))
              << Layout::info.name << " sm_" << arch;
          EXPECT_LE(length, (lengths_of<Layout, WarpBallot>(program)[arch]))
              << Layout::info.name << " sm_" << arch;
        }
      },
      Layouts{});
}

}  // namespace strategy_code_test
}  // namespace ballotcast::detail
