// Tests rays of a picture that come row by row: whether the rows are recognised, and the order in
// which the rays are then cast.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "backends/emulated/emulated_machine.hpp"
#include "kernels/pipelines/warp/choice.hpp"
#include "math/sampling.hpp"

namespace ballotcast::detail {
namespace rows_test {

/// A kernel that looks for rows, and stores what the next kernel reads.
struct Look {
  struct Shared {};
  template <class Lane>
  static void run(Lane& lane, Shared&, const Ray* rays, u32 count, WarpChoice* choice) {
    const bool may_be = look_for_rows(lane, rays, count, choice->rows);
    if (lane.id() == 0u) choice->may_be_rows = may_be ? 1u : 0u;
  }
};
struct Read {
  struct Shared {};
  template <class Lane>
  static void run(Lane& lane, Shared&, const WarpChoice* choice, u32* row) {
    *row = choice->order(lane, 1000u).row;
  }
};

/// The length of the rows that a kernel of `blocks` blocks of two warps finds in `rays`; 0 if it
/// finds no rows.
u32 row_found(const std::vector<Ray>& rays, u32 blocks = 3u) {
  const u32 count = static_cast<u32>(rays.size());
  WarpChoice choice;
  std::memset(&choice, 0xff, sizeof choice);  // what is not written must not be read
  u32 row;
  EmulatedMachine machine;
  machine.launch<Look>("look", blocks, 64u, rays.data(), count, &choice);
  machine.launch<Read>("read", 1u, kWarpSize, &choice, &row);
  return row;
}

Ray perspective(float x, float y) {
  return {{1.0f, 2.0f, 3.0f}, 0.0f, normalize(vec3(x, y, -1.0f)), unbounded()};
}
Ray parallel(float x, float y) { return {{x, y, 5.0f}, 0.0f, {0.1f, 0.2f, -1.0f}, unbounded()}; }

template <class RayThrough>
std::vector<Ray> picture(u32 width, u32 height, RayThrough ray) {
  std::vector<Ray> rays;
  for (u32 i = 0; i < width * height; ++i)
    rays.push_back(ray((static_cast<float>(i % width) + 0.5f) / static_cast<float>(width) - 0.5f,
                       (static_cast<float>(i / width) + 0.5f) / static_cast<float>(width) - 0.5f));
  return rays;
}

/// The rays of a picture of 256x256 pixels, in square tiles that are `side` pixels wide.
template <class RayThrough>
std::vector<Ray> tiles_of(u32 side, RayThrough ray) {
  constexpr u32 kWidth = 256;
  const std::vector<Ray> rows = picture(kWidth, kWidth, ray);
  std::vector<Ray> rays;
  for (u32 i = 0; i < kWidth * kWidth; ++i) {
    const u32 tile = i / (side * side), in_tile = i % (side * side);
    const u32 x = tile % (kWidth / side) * side + in_tile % side;
    const u32 y = tile / (kWidth / side) * side + in_tile / side;
    rays.push_back(rows[y * kWidth + x]);
  }
  return rays;
}

TEST(Rows, of_pictures_are_seen) {
  for (const u32 width : {16u, 100u, 255u, 256u, 257u, 1920u, kLongestRow}) {
    EXPECT_EQ(row_found(picture(width, 9u, perspective)), width);
    EXPECT_EQ(row_found(picture(width, 30u, parallel)), width);
  }
  for (const u32 blocks : {1u, 70u, 200u})
    EXPECT_EQ(row_found(picture(300u, 30u, perspective), blocks), 300u);
  // The distance between rows is three steps within a row.
  const auto apart = [](float x, float y) { return parallel(x, 3.0f * y); };
  EXPECT_EQ(row_found(picture(64u, 30u, apart)), 64u);
}

TEST(Rows, of_pictures_that_follow_one_another_are_seen) {
  std::vector<Ray> rays = picture(64u, 48u, perspective);
  const std::vector<Ray> other = picture(64u, 48u, [](float x, float y) {
    Ray ray = perspective(x, y);
    ray.origin = {100.0f, 0.0f, 0.0f};
    return ray;
  });
  rays.insert(rays.end(), other.begin(), other.end());
  EXPECT_EQ(row_found(rays), 64u);
}

TEST(Rows, are_not_seen_where_there_are_none) {
  EXPECT_EQ(row_found(picture(64u, 7u, perspective)), 0u);  // too few rows
  EXPECT_EQ(row_found(picture(kLongestRow + 1u, 8u, parallel)), 0u);

  for (const u32 side : {2u, 4u, 8u, 16u, 32u})
    EXPECT_EQ(row_found(tiles_of(side, perspective)), 0u) << side;
  EXPECT_EQ(row_found(tiles_of(8u, parallel)), 0u);

  std::vector<Ray> rays;  // circles around one centre, then around another centre
  for (u32 i = 0; i < 64u * 64u; ++i) {
    const float angle = static_cast<float>(i % 64u) * 6.2831853f / 64.0f;
    rays.push_back(parallel((i < 64u ? 0.0f : 1.0f) + std::cos(angle), std::sin(angle)));
  }
  EXPECT_EQ(row_found(rays), 0u);

  rays.assign(5000, perspective(0.0f, 0.0f));  // all rays are the same
  EXPECT_EQ(row_found(rays), 0u);
  for (u32 i = 0; i < rays.size(); ++i)
    rays[i] = perspective(unit_float(hash_pair(1, i)), unit_float(hash_pair(2, i)));
  EXPECT_EQ(row_found(rays), 0u);
  for (Ray& ray : rays) ray.direction.x = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(row_found(rays), 0u);
  rays.resize(32);
  EXPECT_EQ(row_found(rays), 0u);
}

TEST(Rows, are_cast_tile_by_tile_each_ray_once) {
  for (const u32 row : {0u, 16u, 30u, 64u, 400u})
    for (const u32 count : {64u, 500u, 512u, 1000u, 4000u}) {
      const RayOrder order{row, count};
      std::vector<u32> places;
      for (u32 turn = 0; turn < count; ++turn) places.push_back(order.place(turn));
      for (u32 beyond = count; beyond < count + 200u; ++beyond)
        ASSERT_EQ(order.place(beyond), beyond);
      if (row == 64u && count == 4000u) {
        EXPECT_EQ(places[7], 7u);
        EXPECT_EQ(places[8], 64u);
        EXPECT_EQ(places[64], 8u);
        EXPECT_EQ(places[512], 512u);
        EXPECT_EQ(places[3999], 3999u);  // a ray of the last, incomplete group of 8 rows
      }
      std::sort(places.begin(), places.end());
      for (u32 i = 0; i < count; ++i) ASSERT_EQ(places[i], i) << row << ", " << count;
    }
}

}  // namespace rows_test
}  // namespace ballotcast::detail
