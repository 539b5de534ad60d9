// The plan of `bench atomics`: what is measured, and that nothing is measured twice.
#include "bench/atomics.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "backends/device/device_choice.hpp"
#include "support/error.hpp"

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
  std::set<u64> sizes;  // the block sizes measured, including that of the base case
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
