// The plan of `bench atomics`: what is measured, and nothing twice.
#include "bench/atomics.hpp"

#include <gtest/gtest.h>

#include <set>

#include "backends/backend.hpp"

namespace ballotcast::detail {
namespace {

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
  std::set<u64> sizes;  // beside the base case, which stands among them
  for (const Row& row : results.rows) {
    EXPECT_TRUE(seen.insert(axes_of(row)).second) << axes_of(row);
    if (axes_of(row, "block_size") ==
        "scene builtin; pipeline passes; strategy naive; loop auto; rays 1024; ")
      sizes.insert(std::get<u64>(*find(row.axes, "block_size")));
  }
  EXPECT_EQ(sizes, (std::set<u64>{32, 64, 128, 256, 512, 1024}));
  EXPECT_EQ(results.notes[0], "strategy naive was asked for more than once: it is measured once");
}

}  // namespace
}  // namespace ballotcast::detail
