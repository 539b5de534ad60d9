// Runs every file of the corpus through its target, so that fixed defects stay fixed.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/assemble.hpp"
#include "support/files/files.hpp"

namespace ballotcast::detail::fuzz {
namespace corpus_test {

class Corpus : public ::testing::TestWithParam<Target> {};

TEST_P(Corpus, is_read_or_refused) {
  const Target& target = GetParam();
  const std::filesystem::path folder =
      std::filesystem::path(BALLOTCAST_SOURCE_DIR "/tests/fuzz/corpus") / target.name;
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    // Printed first, so that a crash shows the file.
    std::cout << entry.path().filename().string() << std::endl;
    const std::vector<u8> bytes = read_file(entry.path().string());
    ASSERT_LE(bytes.size(), target.longest_input);
    target.run(bytes);
    ++count;
  }
  EXPECT_GT(count, 0u);
}

TEST(PackedSeeds, are_read_by_this_version) {
  const std::string path = folder().write("seed.bcast", {});
  const std::vector<std::vector<u8>> seeds = packed_seeds();
  EXPECT_GT(seeds.size(), 3u);
  for (const std::vector<u8>& seed : seeds) {
    ASSERT_LE(seed.size(), target_called("packed")->longest_input);
    folder().write("seed.bcast", seed);
    EXPECT_TRUE(read_or_refused([&] { require_sound(assemble({path})); }));
    run_packed(seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, ::testing::ValuesIn(targets()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace corpus_test
}  // namespace ballotcast::detail::fuzz
