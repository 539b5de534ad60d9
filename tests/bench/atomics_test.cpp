// Tests the plan of `bench atomics`: which cases are measured, and that no case is measured twice.
#include "bench/atomics.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "backends/device/device_choice.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast::detail {
namespace atomics_test {

std::string axes_of(const Row& row, const std::string& but = "") {
  std::string words;
  for (const auto& [key, value] : row.axes)
    if (key != but) words += key + " " + in_words(value) + "; ";
  return words;
}

TEST(BenchAtomics, sweeps_casting_from_one_base_case_and_measures_nothing_twice) {
  AtomicsRequest request;
  request.experiments = {"casting"};
  request.strategies = {"naive", "naive", "block-vote"};
  const Results results = bench_atomics(request, *choose_backend("emulated").backend);
  std::set<std::string> seen;
  std::set<u64> sizes;  // the block sizes measured, including the block size of the base case
  for (const Row& row : results.rows) {
    EXPECT_TRUE(seen.insert(axes_of(row)).second) << axes_of(row);
    if (axes_of(row, "block_size") ==
        "scene builtin; pipeline passes; strategy naive; loop auto; rays 1024; ")
      sizes.insert(std::get<u64>(*find(row.axes, "block_size")));
  }
  EXPECT_EQ(sizes, (std::set<u64>{32, 64, 128, 256, 512, 1024}));
  EXPECT_EQ(results.notes[0], "strategy naive is listed more than once; it is measured once");
}

TEST(BenchAtomics, combines_the_axes_that_are_given) {
  AtomicsRequest request;
  request.experiments = {"synthetic", "placement", "casting"};
  request.strategies = {"naive", "block-vote"};
  request.axes = {{"block_size", {u64{64}, u64{128}, u64{64}}}, {"rays", {u64{512}, u64{1024}}}};
  const Results results = bench_atomics(request, *choose_backend("emulated").backend);
  std::map<std::string, std::size_t> rows;
  for (const Row& row : results.rows) ++rows[row.experiment];
  EXPECT_EQ(rows["synthetic"], 2u * 2u * 2u);
  EXPECT_EQ(rows["casting"], 2u * 2u * 2u);
  EXPECT_EQ(rows["placement"] % 4u, 0u);
  EXPECT_EQ(results.notes[0], "block_size 64 is listed more than once; it is measured once");
}

TEST(BenchAtomics, runs_the_ways_of_the_laboratory_and_checks_their_sums_and_queues) {
  AtomicsRequest request;
  request.experiments = {"synthetic", "slots"};
  request.strategies = {"warp-shards", "spread",       "warp-queues", "later",
                        "warp-atom",   "warp-release", "warp-system"};
  request.axes = {{"rays", {u64{3000}}},
                  {"block_size", {u64{96}}},
                  {"hit_probability", {0.02, 1.0}},
                  {"shards", {u64{1}, u64{4}, u64{64}}}};
  const Results results = bench_atomics(request, *choose_backend("emulated").backend);
  EXPECT_EQ(results.rows.size(), 7u * 2u * 3u);
  std::set<std::string> orders;
  for (const Row& row : results.rows) {
    EXPECT_EQ(row.verdict, Verdict::right) << axes_of(row) << row.why;
    if (const Value* order = find(row.found, "order")) orders.insert(in_words(*order));
  }
  EXPECT_EQ(orders, (std::set<std::string>{"of lanes", "any, in several queues"}));
}

TEST(BenchAtomics, counts_in_clusters_of_blocks) {
  AtomicsRequest request;
  request.experiments = {"synthetic"};
  request.strategies = {"cluster", "red-async"};
  request.axes = {{"rays", {u64{5000}}},
                  {"block_size", {u64{32}, u64{96}}},
                  {"lanes", {std::string("random"), std::string("one-per-block")}},
                  {"hit_probability", {0.01}}};
  const Results results = bench_atomics(request, *choose_backend("emulated").backend);
  ASSERT_EQ(results.rows.size(), 2u * 2u * 2u);
  for (const Row& row : results.rows) {
    EXPECT_EQ(row.verdict, Verdict::right) << axes_of(row) << row.why;
    EXPECT_NE(*row.atomics, 0u);
  }
}

TEST(BenchAtomics, gives_slots_in_queues_of_bins) {
  AtomicsRequest request;
  request.experiments = {"slots"};
  request.strategies = {"bins", "bin-atomics", "bin-sort"};
  request.axes = {{"rays", {u64{3000}}},
                  {"bins", {u64{2}, u64{8}, u64{32}}},
                  {"block_size", {u64{96}}},
                  {"hit_probability", {0.02, 1.0}}};
  const Results results = bench_atomics(request, *choose_backend("emulated").backend);
  ASSERT_EQ(results.rows.size(), 3u * 3u * 2u);
  for (const Row& row : results.rows) {
    const std::string strategy = in_words(*find(row.axes, "strategy"));
    EXPECT_EQ(row.verdict, Verdict::right) << axes_of(row) << row.why;
    EXPECT_EQ(in_words(*find(row.found, "order")),
              strategy == "bin-atomics" ? "any, in several queues" : "of lanes, in several queues");
  }
}

/// The device emulated, whose lanes run in an order that is shuffled by kOrder. (A template,
/// because the device has a pointer to a function that makes its runner.)
template <u64 kOrder>
BackendInfo emulated_in_order() {
  BackendInfo emulated = backend_called("emulated");
  emulated.synthetic_runner = [] { return emulated_synthetic_runner(kOrder); };
  return emulated;
}

TEST(BenchAtomics, is_right_for_every_way_in_any_order_of_lanes) {
  AtomicsRequest request;
  request.experiments = {"synthetic", "slots", "placement"};
  request.axes = {{"rays", {u64{700}}},
                  {"block_size", {u64{96}}},
                  {"work", {std::string("flag"), std::string("memory")}}};
  std::vector<Results> all;
  for (const BackendInfo& emulated :
       {emulated_in_order<0>(), emulated_in_order<1>(), emulated_in_order<2>()}) {
    all.push_back(bench_atomics(request, emulated));
    for (const Row& row : all.back().rows)
      EXPECT_EQ(row.verdict, Verdict::right)
          << row.experiment << ", order " << all.size() - 1 << ": " << axes_of(row) << row.why;
  }
  std::set<std::string> ways;
  for (const Row& row : all[0].rows)
    if (const Value* strategy = find(row.axes, "strategy")) ways.insert(in_words(*strategy));
  EXPECT_EQ(ways.size(), laboratory_strategies().size());
  EXPECT_EQ(all[1].rows.size(), all[0].rows.size());
}

TEST(BenchAtomics, counts_several_rays_per_lane) {
  AtomicsRequest request;
  request.experiments = {"synthetic"};
  request.strategies = {"warp-shards", "naive"};
  request.axes = {{"items", {u64{3}}},
                  {"rays", {u64{5000}}},
                  {"hit_probability", {0.01}},
                  {"block_size", {u64{64}}}};
  const Results results = bench_atomics(request, *choose_backend("emulated").backend);
  ASSERT_EQ(results.rows.size(), 2u);
  EXPECT_EQ(results.rows[0].verdict, Verdict::skipped) << "naive";
  EXPECT_EQ(results.rows[1].verdict, Verdict::right) << results.rows[1].why;
  EXPECT_LT(*results.rows[1].atomics, *results.rows[1].counter);
}

TEST(BenchAtomics, keeps_payloads_in_slots_or_places_of_lanes) {
  AtomicsRequest request;
  request.experiments = {"slots"};
  request.strategies = {"block-scan", "later", "naive"};
  request.axes = {{"payload_bytes", {u64{48}}},
                  {"work", {std::string("flag"), std::string("memory")}},
                  {"rays", {u64{2000}}},
                  {"block_size", {u64{96}}}};
  const Results results = bench_atomics(request, *choose_backend("emulated").backend);
  ASSERT_EQ(results.rows.size(), 6u);
  for (const Row& row : results.rows) {
    const bool can = in_words(*find(row.axes, "strategy")) != "naive" &&
                     in_words(*find(row.axes, "work")) == "flag";
    EXPECT_EQ(row.verdict, can ? Verdict::right : Verdict::skipped) << axes_of(row) << row.why;
  }
}

TEST(BenchAtomics, skips_ragged_work_that_has_no_steps) {
  AtomicsRequest request;
  request.experiments = {"slots"};
  request.strategies = {"later"};
  request.axes = {{"work", {std::string("flag"), std::string("fma20")}}, {"ragged", {u64{8}}}};
  const Results results = bench_atomics(request, *choose_backend("emulated").backend);
  ASSERT_EQ(results.rows.size(), 2u);
  EXPECT_EQ(results.rows[0].verdict, Verdict::skipped);
  EXPECT_EQ(results.rows[1].verdict, Verdict::right) << results.rows[1].why;
}

/// A request for device cpu that is small enough for a test.
AtomicsRequest few_rays_on_threads() {
  AtomicsRequest request;
  request.axes = {{"rays", {u64{3000}}},
                  {"work", {std::string("flag"), std::string("memory")}},
                  {"threads", {u64{1}, u64{3}}}};
  return request;
}

TEST(BenchAtomics, has_threads_on_device_cpu) {
  const Results results = bench_atomics(few_rays_on_threads(), *choose_backend("cpu").backend);
  EXPECT_EQ(results.rows.size(), thread_ways().size() * 2u * 2u);
  for (const Row& row : results.rows) {
    EXPECT_EQ(row.experiment, "threads");
    EXPECT_EQ(row.verdict, Verdict::right) << axes_of(row) << row.why;
    EXPECT_TRUE(row.timing) << axes_of(row);
    const bool counts = in_words(*find(row.axes, "strategy")) != "none";
    EXPECT_EQ(*row.counter != 0, counts) << axes_of(row);
  }
}

TEST(BenchAtomics, refuses_what_the_device_does_not_have) {
  const auto refused = [](const char* device, auto change) {
    AtomicsRequest request;
    change(request);
    EXPECT_THROW(bench_atomics(request, *choose_backend(device).backend), UsageError) << device;
  };
  refused("cpu", [](AtomicsRequest& r) { r.experiments = {"slots"}; });
  refused("cpu", [](AtomicsRequest& r) { r.strategies = {"block-vote"}; });
  refused("cpu", [](AtomicsRequest& r) { r.axes = {{"shards", {u64{4}}}}; });
  refused("cpu", [](AtomicsRequest& r) { r.axes = {{"items", {u64{4}}}}; });
  refused("cpu", [](AtomicsRequest& r) { r.include_broken = true; });
  refused("emulated", [](AtomicsRequest& r) { r.experiments = {"threads"}; });
  refused("emulated", [](AtomicsRequest& r) { r.axes = {{"threads", {u64{4}}}}; });
}

Row timed(const char* experiment, const char* strategy, const char* work, double ms) {
  Row row;
  row.experiment = experiment;
  row.axes = {{"strategy", std::string(strategy)}, {"work", std::string(work)}};
  row.timing = Timing{ms};
  return row;
}

TEST(Recommend, names_the_fastest_and_what_is_equal_within_the_noise) {
  Results results;
  results.noise = 0.06;
  results.rows = {timed("synthetic", "naive", "flag", 6.0),
                  timed("synthetic", "warp-shards", "flag", 0.50),
                  timed("synthetic", "block-count", "flag", 0.52),
                  timed("synthetic", "none", "flag", 0.48),
                  timed("slots", "later", "fma200", 2.0),
                  timed("slots", "block-scan", "fma200", 1.0)};
  const std::vector<Decision> decisions = decisions_of(results);
  ASSERT_EQ(decisions.size(), 3u);
  EXPECT_EQ(decisions[0].strategy, "warp-shards");
  EXPECT_EQ(decisions[0].use,
            "slots::count<slots::WarpShards>(shared, counter, yes); "
            "the words of the counter are to be added up");
  ASSERT_EQ(decisions[0].others.size(), 3u);
  EXPECT_TRUE(decisions[0].others[0].equal);
  EXPECT_FALSE(decisions[0].others[1].equal);
  EXPECT_DOUBLE_EQ(decisions[0].others[1].ratio, 12.0);
  EXPECT_TRUE(decisions[0].others[2].weaker);
  EXPECT_EQ(decisions[1].strategy, "block-scan");
  EXPECT_EQ(decisions[2].question, "slots in the order of lanes");
  EXPECT_EQ(decisions[2].strategy, "later");
  const std::string table = decisions_table(results, decisions);
  EXPECT_NE(table.find("others: block-count equal, naive 12.0x, none equal (does less)"),
            std::string::npos)
      << table;
  EXPECT_NE(decisions_json(results, decisions).find("\"include\": \"ballotcast/slots.hpp\""),
            std::string::npos);
}

TEST(Recommend, asks_for_every_strategy_that_it_decides_about) {
  const AtomicsRequest lanes = request_to_recommend({{"rays", {u64{512}}}}, false);
  const Results results = bench_atomics(lanes, *choose_backend("emulated").backend);
  EXPECT_EQ(results.rows.size(), 2u * (9u + 9u));
  EXPECT_TRUE(decisions_of(results).empty()) << "emulation has no times";
  EXPECT_THROW(request_to_recommend({{"work", {std::string("flag")}}}, false), UsageError);
  EXPECT_THROW(request_to_recommend({{"rays", {u64{1}, u64{2}}}}, false), UsageError);
}

TEST(BenchAtomics, refuses_axes_and_values_that_do_not_exist) {
  const auto refused = [](const Axis& axis) {
    AtomicsRequest request;
    request.axes = {axis};
    EXPECT_THROW(bench_atomics(request, *choose_backend("emulated").backend), UsageError)
        << axis.name;
  };
  refused({"colour", {std::string("red")}});
  refused({"lanes", {std::string("sideways")}});
  refused({"pipeline", {std::string("pipe")}});
  refused({"loop", {std::string("sometimes")}});
  refused({"block_size", {u64{48}}});
  refused({"work", {std::string("fmax")}});
  refused({"rays", {0.5}});
  refused({"shards", {u64{3}}});
  refused({"shards", {u64{128}}});
  refused({"ragged", {u64{0}}});
  refused({"items", {u64{65}}});
  refused({"payload_bytes", {u64{24}}});
  refused({"bins", {u64{4}}});
}

TEST(Axes, are_combined_with_the_last_one_fastest) {
  const std::vector<Values> points = product({{"a", {u64{1}, u64{2}}}, {"b", {0.5, 1.0, 2.0}}});
  ASSERT_EQ(points.size(), 6u);
  EXPECT_EQ(points[1], (Values{{"a", u64{1}}, {"b", 1.0}}));
  EXPECT_EQ(points[3], (Values{{"a", u64{2}}, {"b", 0.5}}));
  EXPECT_EQ(product({}).size(), 1u);
  const Axes given = with_given({{"a", {u64{1}}}, {"b", {0.5}}}, {{"b", {1.0}}, {"c", {2.0}}});
  ASSERT_EQ(given.size(), 2u);
  EXPECT_EQ(given[1].values, std::vector<Value>{1.0});
}

}  // namespace atomics_test
}  // namespace ballotcast::detail
