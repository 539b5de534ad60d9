// Runs every file of the corpus through its target, so that fixed defects stay fixed.
#include <gtest/gtest.h>

#include <filesystem>

#include "fuzz/target.hpp"
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

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, ::testing::ValuesIn(targets()),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace corpus_test
}  // namespace ballotcast::detail::fuzz
