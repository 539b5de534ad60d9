#include <gtest/gtest.h>

#include <cstring>

#include "ballotcast/error.hpp"
#include "render/outputs/outputs.hpp"

namespace ballotcast::detail {
namespace hits_file_test {

TEST(HitsFile, has_the_documented_bytes) {
  const std::vector<Hit> hits = {{1.5f, 7, 0.25f, 0.5f}, miss_of(idle_ray())};
  const std::vector<u8> bytes = encode_hits(2, 1, 1, hits);
  ASSERT_EQ(bytes.size(), 32u + 2 * 16u);
  EXPECT_EQ(std::string(bytes.begin(), bytes.begin() + 8), "BCHITS\r\n");
  EXPECT_EQ(bytes[8], 1);   // version, lowest byte first
  EXPECT_EQ(bytes[12], 2);  // width
  EXPECT_EQ(bytes[16], 1);  // height
  EXPECT_EQ(bytes[20], 1);  // samples per pixel
  EXPECT_EQ(bytes[24], 2);  // count
  EXPECT_EQ(std::memcmp(&bytes[32], hits.data(), 2 * 16u), 0);
}

TEST(HitsFile, is_refused_unless_each_sample_has_a_hit) {
  EXPECT_THROW(encode_hits(2, 2, 1, {}), UsageError);
}

}  // namespace hits_file_test
}  // namespace ballotcast::detail
