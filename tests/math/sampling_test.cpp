#include "math/sampling.hpp"

#include <gtest/gtest.h>

#include <set>

namespace ballotcast::detail {
namespace sampling_test {

TEST(Sampling, every_16_samples_of_a_pattern_fill_a_4_by_4_grid_once_each) {
  for (u32 pixel = 0; pixel < 50; ++pixel) {
    for (u32 first : {0u, 16u, 48u}) {
      std::set<u32> cells;
      for (u32 s = first; s < first + 16; ++s) {
        const vec2 p = sample_2d(pixel, s, 3);
        cells.insert(static_cast<u32>(p.x * 4.0f) * 4 + static_cast<u32>(p.y * 4.0f));
      }
      EXPECT_EQ(cells.size(), 16u) << "pixel " << pixel;
    }
  }
}

TEST(Sampling, samples_lie_in_the_unit_square_and_differ_between_pixels_and_dimensions) {
  std::set<std::pair<float, float>> seen;
  for (u32 pixel = 0; pixel < 10; ++pixel)
    for (u32 dimension = 0; dimension < 10; ++dimension)
      for (u32 s = 0; s < 32; ++s) {
        const vec2 p = sample_2d(pixel, s, dimension);
        ASSERT_GE(p.x, 0.0f);
        ASSERT_LT(p.x, 1.0f);
        ASSERT_GE(p.y, 0.0f);
        ASSERT_LT(p.y, 1.0f);
        seen.insert({p.x, p.y});
      }
  EXPECT_GT(seen.size(), 3190u);
}

TEST(Sampling, samples_of_a_pixel_and_of_aligned_squares_of_pixels_are_evenly_spread) {
  for (const u32 side : {1u, 2u, 4u})
    for (u32 left = 0; left < 40; left += 8) {
      std::set<u32> cells;
      const u32 grid = 4 * side;
      for (u32 y = 8; y < 8 + side; ++y)
        for (u32 x = left; x < left + side; ++x)
          for (u32 s = 0; s < 16; ++s) {
            const vec2 p = sample_place(x, y, s, 16).point(3);
            cells.insert(static_cast<u32>(p.x * static_cast<float>(grid)) * grid +
                         static_cast<u32>(p.y * static_cast<float>(grid)));
          }
      EXPECT_EQ(cells.size(), 16 * side * side) << side << " at " << left;
    }
}

TEST(Sampling, places_beyond_the_length_of_the_sequence_differ_too) {
  const vec2 a = sample_place(1, 2, 3, 1u << 16).point(1),
             b = sample_place(1 + (1u << 14), 2, 3, 1u << 16).point(1);
  EXPECT_TRUE(a.x != b.x || a.y != b.y);
}

TEST(Sampling, cosine_directions_are_unit_and_have_mean_cosine_two_thirds) {
  const vec3 normals[] = {{0, 0, 1}, {0, 0, -1}, {0.6f, -0.8f, 0}, {1, 0, 0}, {0, -1, 0}};
  for (const vec3 n : normals) {
    double sum = 0.0;
    for (u32 s = 0; s < 4096; ++s) {
      const vec3 d = cosine_direction(n, sample_2d(7, s, 1));
      EXPECT_NEAR(dot(d, d), 1.0f, 1e-5f);
      EXPECT_GE(dot(d, n), -1e-6f);
      sum += dot(d, n);
    }
    EXPECT_NEAR(sum / 4096, 2.0 / 3.0, 2e-3);
  }
}

TEST(Sampling, triangle_samples_have_the_centre_as_their_mean) {
  double u = 0.0, v = 0.0;
  for (u32 s = 0; s < 4096; ++s) {
    const vec2 b = triangle_sample(sample_2d(3, s, 2));
    ASSERT_GE(b.x, 0.0f);
    ASSERT_GE(b.y, 0.0f);
    ASSERT_LE(b.x + b.y, 1.0f + 1e-6f);
    u += b.x;
    v += b.y;
  }
  EXPECT_NEAR(u / 4096, 1.0 / 3.0, 2e-3);
  EXPECT_NEAR(v / 4096, 1.0 / 3.0, 2e-3);
}

}  // namespace sampling_test
}  // namespace ballotcast::detail
