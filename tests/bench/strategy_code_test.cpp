// Naive is naive, and everything else is what its row says: held against the machine code that nvcc
// made of every strategy, alone and within the ray-caster's kernels.
#include "bench/strategy_code.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "bvh/layouts/table.hpp"
#include "kernels/pipelines/passes.hpp"
#include "kernels/pipelines/queue.hpp"
#include "kernels/strategies/probe.hpp"
#include "kernels/strategies/table.hpp"

namespace ballotcast {
namespace {

using enum OpClass;

constexpr u32 kAny = 0xffffffffu;

/// The sum over some classes lies in [least, most].
struct Rule {
  std::vector<OpClass> classes;
  u32 least, most;
};
using Rules = std::vector<Rule>;

const Rule kOneRed = {{red, atom}, 1, 1};
/// One instruction that adds; where the addends may differ from lane to lane, ptxas for sm_80
/// writes a loop over those that do, and one more for the rest.
const Rule kOneOrTwoAtoms = {{atom}, 1, 2};
const Rule kNoBarrier = {{bar_sync, bar_red, bar_arrive}, 0, 0};
const Rule kNothingTogether = {{vote, voteu, redux, popc, upopc, shfl, match}, 0, 0};
const Rule kVotesByHand = {{vote}, 1, kAny};
const Rule kVotes = {{vote, voteu}, 1, kAny};
const Rule kCountsVotes = {{popc, upopc}, 1, kAny};
const Rule kNoSharedMemory = {{lds, sts, atoms}, 0, 0};
const Rule kBarrierVotes = {{bar_red}, 1, 1};

/// What the code of a strategy must hold: of `report` and of `reserve`.
struct Expectation {
  std::string_view strategy;
  AtomicsPer per;
  Rules report;
  Rules reserve;
};

const Expectation kExpectations[] = {
    {"naive",
     AtomicsPer::lane,
     {kOneRed, kNothingTogether, kNoBarrier, kNoSharedMemory},
     {kOneRed, kNothingTogether, kNoBarrier, kNoSharedMemory}},
    {"compiler",
     AtomicsPer::warp,
     {kOneRed, {{voteu}, 1, kAny}, {{vote}, 0, 0}, kCountsVotes, kNoBarrier, kNoSharedMemory},
     {kOneRed, kVotes, kCountsVotes, {{shfl}, 1, kAny}, kNoBarrier, kNoSharedMemory}},
    {"warp-ballot",
     AtomicsPer::warp,
     {kOneRed, {{vote}, 1, 1}, kCountsVotes, kNoBarrier, kNoSharedMemory},
     {kOneOrTwoAtoms, kVotesByHand, kCountsVotes, {{shfl}, 1, kAny}, kNoBarrier, kNoSharedMemory}},
    {"block-flag",
     AtomicsPer::block,
     {kOneRed,
      {{bar_sync}, 2, 2},
      {{bar_red}, 0, 0},
      {{sts}, 2, kAny},
      {{lds}, 1, kAny},
      {{vote}, 0, 0}},
     {kOneRed, {{bar_sync}, 4, 4}, {{bar_red}, 0, 0}, kVotesByHand, kCountsVotes}},
    {"block-vote",
     AtomicsPer::block,
     {kOneRed, kBarrierVotes, {{bar_sync}, 0, 0}, {{vote}, 0, 0}, kNoSharedMemory},
     {kOneRed, kBarrierVotes, {{bar_sync}, 2, 2}, kVotesByHand, kCountsVotes}}};

const Expectation* expectation_of(std::string_view strategy) {
  for (const Expectation& row : kExpectations)
    if (row.strategy == strategy) return &row;
  return nullptr;
}

/// What `kernel` breaks of `rules`, in words, or "".
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

/// Code of the probes; where there is none, the caller must skip.
const StrategyCodes& probes() {
  static const StrategyCodes codes = strategy_codes();
  return codes;
}

const Rules& rules_of(const Expectation& row, std::string_view call) {
  return call == "report" ? row.report : row.reserve;
}

template <class Visit, class... Rows>
void for_each_strategy(Visit visit, TypeList<Rows...>) {
  (visit(TypeTag<Rows>{}), ...);
}

TEST(StrategyCode, every_row_of_the_table_has_an_expectation) {
  for (const auto& row : rows_of(Strategies{}))
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
  for_each_strategy(
      [&](auto tag) {
        using Strategy = typename decltype(tag)::type;
        for (const u32 arch : archs) {
          if (Strategy::info.reports()) {
            EXPECT_TRUE(found.contains({Strategy::info.name, "report", arch}))
                << Strategy::info.name << " sm_" << arch;
          }
          if (Strategy::info.reserves()) {
            EXPECT_TRUE(found.contains({Strategy::info.name, "reserve", arch}))
                << Strategy::info.name << " sm_" << arch;
          }
        }
        calls += Strategy::info.reports() + Strategy::info.reserves();
      },
      Strategies{});
  EXPECT_EQ(probes().rows.size(), calls * archs.size());
}

TEST(StrategyCode, of_every_strategy_is_what_its_row_promises) {
  if (probes().rows.empty()) GTEST_SKIP() << probes().why_none;
  for (const StrategyCode& row : probes().rows) {
    const Expectation* expected = expectation_of(row.strategy);
    if (!expected) continue;  // another test fails for it
    SCOPED_TRACE(std::string(row.strategy) + " " + std::string(row.call));
    EXPECT_EQ(broken(row.code, rules_of(*expected, row.call)), "");
    EXPECT_EQ(in_words(row.atomics_per), in_words(expected->per)) << "sm_" << row.code.arch;
  }
}

TEST(StrategyCode, of_a_plain_atomic_add_does_not_pass_for_naive) {
  if (probes().rows.empty()) GTEST_SKIP() << probes().why_none;
  for (const StrategyCode& row : probes().rows)
    if (row.strategy == "compiler") {
      EXPECT_NE(broken(row.code, rules_of(*expectation_of("naive"), row.call)), "")
          << row.call << " sm_" << row.code.arch;
    }
}

/// The kernels of the ray-caster in the program, by their type.
template <class Kernel>
std::vector<const KernelCode*> in_program(const MachineCode& code) {
  return code.named("ballotcast::run_kernel<" + type_name<Kernel>() + ",");
}

/// Each kernel holds `rules`; there is at least one.
void all_hold(const std::vector<const KernelCode*>& kernels, const Rules& rules) {
  EXPECT_FALSE(kernels.empty());
  for (const KernelCode* kernel : kernels) EXPECT_EQ(broken(*kernel, rules), "");
}

TEST(StrategyCode, of_the_ray_caster_is_naive_where_it_says_so_and_merged_elsewhere) {
  if (probes().rows.empty()) GTEST_SKIP() << probes().why_none;
  const MachineCode code = read_machine_code(BALLOTCAST_PROGRAM);
  using Layout = bvh2::Layout;
  const Rules merged = {kOneRed, kVotes, kCountsVotes, kNoBarrier};
  all_hold(in_program<TraversePass<Layout, Naive>>(code), expectation_of("naive")->report);
  all_hold(in_program<TraverseQueue<Layout, Naive>>(code), expectation_of("naive")->reserve);
  all_hold(in_program<TraversePass<Layout, Compiler>>(code), merged);
  all_hold(in_program<TraverseQueue<Layout, Compiler>>(code), merged);
  all_hold(in_program<TraversePass<Layout, WarpBallot>>(code),
           expectation_of("warp-ballot")->report);
  all_hold(in_program<TraversePass<Layout, BlockFlag>>(code), expectation_of("block-flag")->report);
  all_hold(in_program<TraversePass<Layout, BlockVote>>(code), expectation_of("block-vote")->report);
}

}  // namespace
}  // namespace ballotcast
