#include "kernels/frame/pixel_tiles.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ballotcast::detail {
namespace pixel_tiles_test {

TEST(Tiling, visits_every_pixel_of_any_size_once) {
  for (u32 width = 1; width < 40; width += 3)
    for (u32 rows = 1; rows < 40; rows += 5) {
      const Tiling tiling{width, rows, 16};
      std::vector<int> seen(width * rows, 0);
      for (u32 i = 0; i < tiling.pixels(); ++i) {
        const PixelPlace at = tiling.place(i);
        ASSERT_LT(at.x, width);
        ASSERT_GE(at.y, 16u);
        ASSERT_LT(at.y, 16 + rows);
        ++seen[(at.y - 16) * width + at.x];
      }
      for (const int count : seen) ASSERT_EQ(count, 1) << width << "x" << rows;
    }
}

TEST(Tiling, gives_a_warp_8_by_4_pixels) {
  const Tiling tiling{64, 64, 0};
  for (u32 i = 0; i < 32; ++i) {
    const PixelPlace at = tiling.place(64 + i);
    EXPECT_EQ(at.x, 8 + i % 8);
    EXPECT_EQ(at.y, i / 8);
  }
}

}  // namespace pixel_tiles_test
}  // namespace ballotcast::detail
