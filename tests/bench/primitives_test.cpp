// Tests `bench primitives`: its tables are complete, only correct rows are timed, and its check
// notices an error in any single lane.
#include "bench/primitives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "backends/device/backend.hpp"
#include "ballotcast/error.hpp"

namespace ballotcast::detail {
namespace primitives_test {

/// A lab that forwards to another lab, claims to measure times, and can corrupt one output.
class ActingLab : public PrimitiveLab {
 public:
  explicit ActingLab(u64 seed = 0) : lab_(backend_called("emulated").primitive_lab(seed)) {}

  u32 timed = 0;  // number of calls of time_ms
  // The position, from 0 to 1, in the outputs of the bit to flip; negative: none.
  double spoil_at = -1.0;
  std::size_t spoilt = 0;  // index of the corrupted output

  std::string describe() const override { return "an actor"; }
  bool has_times() const override { return true; }
  u32 lanes_at_once() const override { return 2048; }
  std::string unavailable(const PrimitiveCase& what) const override {
    return lab_->unavailable(what);
  }
  void set_values(const std::vector<u32>& values) override { lab_->set_values(values); }
  std::vector<u32> outputs(const PrimitiveCase& what) override {
    std::vector<u32> out = lab_->outputs(what);
    if (spoil_at >= 0.0) {
      spoilt = static_cast<std::size_t>(spoil_at * static_cast<double>(out.size() - 1));
      out[spoilt] ^= 1u << (spoilt % 32);
    }
    return out;
  }
  std::vector<double> time_ms(const PrimitiveCase& what, u32 runs) override {
    ++timed;
    double ms = 2.0;
    if (const auto* c = std::get_if<ShuffleCase>(&what)) ms = c->form == "native" ? 1.0 : 4.0;
    if (const auto* c = std::get_if<GroupCase>(&what))
      ms = c->group_size < 32 ? 32.0 / c->group_size : 1.0;
    std::vector<double> times(runs, ms);
    times.back() = 100.0 * ms;  // an outlier
    return times;
  }

 private:
  std::unique_ptr<PrimitiveLab> lab_;
};

PrimitivesRequest small_request(const PrimitiveLab& lab) {
  PrimitivesRequest request = default_primitives_request(lab);
  request.lanes = 256;
  request.vote_rounds = 2;
  request.shuffle_rounds = 4;
  request.group_rounds = 3;
  request.sizes = {5000};
  request.block_sizes = {64};
  return request;
}

std::map<std::string, u32> rows_by_experiment(const Results& results) {
  std::map<std::string, u32> count;
  for (const Row& row : results.rows) ++count[row.experiment];
  return count;
}

std::string axis(const Row& row, const std::string& key) {
  const Value* value = find(row.axes, key);
  return value ? in_words(*value) : "none";
}

double found(const Row& row, const std::string& key) {
  const Value* value = find(row.found, key);
  return value ? std::get<double>(*value) : -1.0;
}

TEST(BenchPrimitives, has_every_row_right_in_emulation_and_no_times) {
  for (const u64 seed : {0ull, 3ull}) {
    const auto lab = backend_called("emulated").primitive_lab(seed);
    const Results results = bench_primitives(default_primitives_request(*lab), *lab);
    const std::map<std::string, u32> expected = {
        {"votes", 3 * 3 * 6}, {"shuffles", 4 * 3 * 6}, {"reductions", 6 + 2}, {"groups", 11}};
    EXPECT_EQ(rows_by_experiment(results), expected);
    EXPECT_FALSE(results.any_wrong());
    for (const Row& row : results.rows) {
      const std::string reduction = axis(row, "reduction");
      const bool machine_only = reduction == "cub" || reduction == "copy";
      EXPECT_EQ(row.verdict, machine_only ? Verdict::skipped : Verdict::right) << row.why;
      EXPECT_EQ(row.why, machine_only ? "only a GPU has it" : "");
      EXPECT_FALSE(row.timing);
      EXPECT_GT(row.items, 0u);
      EXPECT_EQ(row.bytes.has_value(), row.experiment == "reductions");
    }
    ASSERT_EQ(results.notes.size(), 1u);
  }
}

TEST(BenchPrimitives, shows_what_lanes_saw_and_turns_a_warp_took) {
  const auto lab = backend_called("emulated").primitive_lab(0);
  const Results results = bench_primitives(default_primitives_request(*lab), *lab);
  u32 parted = 0;
  for (const Row& row : results.rows) {
    if (row.experiment == "groups") {
      const u64 size = std::get<u64>(*find(row.axes, "group_size"));
      EXPECT_EQ(std::get<u64>(*find(row.found, "turns_a_warp")), size < 32 ? 32 / size : 1);
    }
    if (axis(row, "vote") == "ballot" && axis(row, "branches") == "halves") {
      const std::string low = in_words(*find(row.found, "lane_0_saw"));
      const std::string high = in_words(*find(row.found, "lane_31_saw"));
      if (axis(row, "form") == "active") {
        EXPECT_EQ(low.substr(0, 6), "0x0000");
        EXPECT_EQ(high.substr(6), "0000");
      } else {
        EXPECT_EQ(low, high);
      }
      ++parted;
    }
  }
  EXPECT_EQ(parted, 3u);
}

TEST(BenchPrimitives, times_rows_once_they_are_right) {
  ActingLab lab;
  PrimitivesRequest request = small_request(lab);
  request.runs = 9;
  const Results results = bench_primitives(request, lab);
  EXPECT_FALSE(results.any_wrong());
  u32 timed = 0;
  for (const Row& row : results.rows) {
    if (row.verdict == Verdict::skipped) continue;
    ++timed;
    ASSERT_TRUE(row.timing);
    EXPECT_EQ(row.timing->runs, 9u);
    EXPECT_EQ(row.timing->least_ms, row.timing->median_ms);
    EXPECT_EQ(row.timing->spread, 0.0);
    if (row.experiment == "shuffles") {
      EXPECT_EQ(found(row, "time_over_native"), axis(row, "form") == "native" ? 1.0 : 4.0);
    }
    if (row.experiment == "groups") {
      EXPECT_EQ(found(row, "time_over_warp_size"), row.timing->median_ms);
    }
  }
  EXPECT_EQ(lab.timed, timed);
}

TEST(BenchPrimitives, finds_a_flipped_bit_in_any_lane_of_any_row_and_times_nothing) {
  for (const double place : {0.0, 0.37, 1.0}) {
    ActingLab lab;
    lab.spoil_at = place;
    const Results results = bench_primitives(small_request(lab), lab);
    EXPECT_TRUE(results.any_wrong());
    EXPECT_EQ(lab.timed, 0u);
    for (const Row& row : results.rows) {
      if (row.verdict == Verdict::skipped) continue;
      EXPECT_EQ(row.verdict, Verdict::wrong);
      EXPECT_FALSE(row.timing);
      EXPECT_NE(row.why.find("expected 0x"), std::string::npos) << row.why;
      EXPECT_NE(row.why.find(", got 0x"), std::string::npos) << row.why;
      if (row.experiment != "reductions") {
        EXPECT_EQ(row.why.substr(0, 5), "1 of ") << row.why;
      }
    }
    EXPECT_EQ(results.rows.back().why.find("value " + std::to_string(lab.spoilt) + ": "),
              results.rows.back().why.find("value "));
  }
}

TEST(BenchPrimitives, shows_the_specimen_only_when_asked_and_finds_it_wrong) {
  for (const u64 seed : {0ull, 1ull, 2ull, 3ull}) {
    ActingLab lab(seed);
    PrimitivesRequest request = small_request(lab);
    request.experiments = {"reductions"};
    for (const Row& row : bench_primitives(request, lab).rows)
      EXPECT_NE(axis(row, "reduction"), "racy");
    request.include_broken = true;
    const Results results = bench_primitives(request, lab);
    u32 racy = 0;
    for (const Row& row : results.rows) {
      if (axis(row, "reduction") != "racy") {
        EXPECT_NE(row.verdict, Verdict::wrong);
        continue;
      }
      ++racy;
      EXPECT_EQ(row.verdict, Verdict::wrong);
      EXPECT_FALSE(row.timing);
      EXPECT_EQ(row.why.substr(0, 11), "expected 0x");
      EXPECT_NE(row.why.find(", got 0x"), std::string::npos);
    }
    EXPECT_EQ(racy, 1u);
  }
}

TEST(BenchPrimitives, refuses_axes_that_make_no_sense) {
  const auto lab = backend_called("emulated").primitive_lab(0);
  const auto message = [&](auto change) -> std::string {
    PrimitivesRequest request = small_request(*lab);
    change(request);
    try {
      bench_primitives(request, *lab);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([](auto& r) { r.experiments = {"vote"}; }),
            "unknown experiment 'vote'; known: votes, shuffles, reductions, groups");
  for (const char* experiment : {"votes", "shuffles", "reductions"})
    for (const u32 block_size : {0u, 33u, 2048u})
      EXPECT_EQ(message([&](auto& r) {
                  r.experiments = {experiment};
                  r.block_sizes = {block_size};
                }),
                "block size " + std::to_string(block_size) +
                    ": must be a multiple of 32 from 32 to 1024");
  EXPECT_EQ(message([](auto& r) { r.widths = {0}; }),
            "width of a shuffle 0: must be a power of two from 1 to 32");
  EXPECT_EQ(message([](auto& r) { r.group_sizes = {48}; }),
            "group size 48: must be a power of two from 1 to 1024");
  EXPECT_EQ(message([](auto& r) { r.sizes = {0}; }), "a sum of 0 values: must be 1 to 2^30");
  EXPECT_EQ(message([](auto& r) { r.lanes = 0; }),
            "0 lanes: must be a multiple of the block size, 64, up to 2^30");
  EXPECT_EQ(backend_called("cpu").primitive_lab, nullptr) << "it has no lanes";
}

}  // namespace primitives_test
}  // namespace ballotcast::detail
