#include "render/hits_file.hpp"

#include <gtest/gtest.h>

#include "helpers/meshes.hpp"
#include "support/error.hpp"
#include "support/files/files.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace hits_file_test {

std::vector<u8> small_file() {
  return encode_hits(2, 1, 1, {{1.5f, 7, 0.25f, 0.5f}, miss_of(idle_ray())});
}

TEST(HitsFile, comes_back_as_it_was_written) {
  const TempDir dir;
  write_file_atomically(dir / "a.hits", small_file());
  const HitsFile file = read_hits(dir / "a.hits");
  EXPECT_EQ(file.width, 2u);
  EXPECT_EQ(file.height, 1u);
  EXPECT_EQ(file.samples, 1u);
  ASSERT_EQ(file.hits.size(), 2u);
  EXPECT_TRUE(testing::same_bits(file.hits[0], {1.5f, 7, 0.25f, 0.5f}));
  EXPECT_FALSE(file.hits[1].found());
}

TEST(HitsFile, has_the_documented_bytes) {
  const std::vector<u8> bytes = small_file();
  ASSERT_EQ(bytes.size(), 32u + 2 * 16u);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 8), "BCHITS\r\n");
  EXPECT_EQ(bytes[8], 1);       // version, lowest byte first
  EXPECT_EQ(bytes[12], 2);      // width
  EXPECT_EQ(bytes[24], 2);      // count
  EXPECT_EQ(bytes[32 + 4], 7);  // the triangle
}

TEST(HitsFile, refuses_what_is_cut_off_or_something_else) {
  const TempDir dir;
  std::vector<u8> bytes = small_file();
  bytes.pop_back();
  write_file_atomically(dir / "short.hits", bytes);
  EXPECT_THROW(read_hits(dir / "short.hits"), InputError);
  bytes = small_file();
  bytes[0] = 'X';
  write_file_atomically(dir / "other.hits", bytes);
  EXPECT_THROW(read_hits(dir / "other.hits"), InputError);
  bytes = small_file();
  bytes[8] = 2;
  write_file_atomically(dir / "version.hits", bytes);
  EXPECT_THROW(read_hits(dir / "version.hits"), InputError);
  EXPECT_THROW(encode_hits(2, 2, 1, {}), UsageError);
}

}  // namespace hits_file_test
}  // namespace ballotcast::detail
