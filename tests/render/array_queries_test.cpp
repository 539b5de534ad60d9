// Tests queries whose rays or points lie in arrays of another program, with strides and in single
// or double precision: results are the same as for the same items in contiguous arrays.
#include <gtest/gtest.h>

#include "backends/cuda/stream_caster.hpp"
#include "helpers/devices.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace array_queries_test {

/// Rays in strided arrays. Origins are every second row of an array of floats, from back to front.
/// Directions are doubles. The components of both are not adjacent in memory.
struct Arrays {
  explicit Arrays(const std::vector<Ray>& rays)
      : count(static_cast<i64>(rays.size())),
        origins(rays.size() * 6, -7.0f),
        directions(rays.size() * 3),
        limits(rays.size()) {
    for (i64 i = 0; i < count; ++i) {
      const Ray& ray = rays[static_cast<std::size_t>(i)];
      const float o[] = {ray.origin.x, ray.origin.y, ray.origin.z};
      const float d[] = {ray.direction.x, ray.direction.y, ray.direction.z};
      for (i64 k = 0; k < 3; ++k) {
        origins[static_cast<std::size_t>(k * 2 * count + 2 * (count - 1 - i))] = o[k];
        directions[static_cast<std::size_t>(k * count + i)] = double{d[k]};
      }
      limits[static_cast<std::size_t>(i)] = double{ray.t_max};
    }
  }

  RayArrays rays() const {
    return {{1u, {}},
            {origins.data() + 2 * (count - 1), {-2}, 2 * count, 0u, {}},
            {directions.data(), {1}, count, 1u, {}},
            {nullptr, {}, 0, 0u, {0.0}},
            {limits.data(), {1}, 0, 1u, {}},
            dvec3(0.0),
            {dvec3(0.0), 1.0},
            0u,
            0u};
  }
  PointArray points() const { return {{1u, {}}, rays().origins, dvec3(0.0)}; }

  i64 count;
  std::vector<float> origins;
  std::vector<double> directions, limits;
};

class ArrayQueriesOn : public ::testing::TestWithParam<const char*> {
 protected:
  const Mesh mesh = testing::soup(300, 31);
  const Scene scene = testing::scene_of(mesh);
  // More rays than are packed at a time.
  const std::vector<Ray> rays = made();
  const Arrays arrays{rays};
  const RayArrays in_arrays = arrays.rays();

  std::vector<Ray> made() const {
    std::vector<Ray> all = testing::rays_at(mesh, (1u << 18) + 77u, 32);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].t_min = 0.0f;
      if (i % 7 == 0) all[i].t_max = 0.5f;
    }
    return all;
  }

  template <class Row>
  std::vector<typename Row::Result> asked(Renderer& renderer) {
    std::vector<typename Row::Result> results(rays.size());
    ask(renderer, query<Row>(&in_arrays, rays.size(), {}, results.data()));
    return results;
  }
};

TEST_P(ArrayQueriesOn, about_rays_have_the_answers_of_plain_rays) {
  Renderer plain(scene, {"cpu"}), renderer(scene, {GetParam()});
  std::vector<Hit> hits(rays.size()), any(rays.size());
  std::vector<u32> counts(rays.size());
  plain.closest(rays, hits);
  plain.any(rays, any);
  plain.count(rays, counts);
  const auto found = asked<ClosestHits>(renderer);
  const auto occluded = asked<Occlusions>(renderer);
  u32 misses = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    ASSERT_TRUE(testing::same_bits(found[i], hits[i])) << i;
    ASSERT_EQ(occluded[i], any[i].found() ? 1 : 0) << i;
    misses += occluded[i] == 0 ? 1u : 0u;
  }
  EXPECT_GT(misses, rays.size() / 10);
  EXPECT_EQ(asked<CrossingCounts>(renderer), counts);

  const AllHits all =
      ask_for_all_crossings(renderer, query<CrossingCounts>(&in_arrays, rays.size(), {}, nullptr));
  const AllHits expected = plain.all(rays);
  EXPECT_EQ(all.starts, expected.starts);
  ASSERT_EQ(all.hits.size(), expected.hits.size());
  for (std::size_t i = 0; i < all.hits.size(); ++i)
    ASSERT_TRUE(testing::same_bits(all.hits[i], expected.hits[i])) << i;
}

TEST_P(ArrayQueriesOn, about_points_have_the_answers_of_plain_points) {
  Renderer plain(scene, {"cpu"}), renderer(scene, {GetParam()});
  std::vector<Vec3f> points;
  std::vector<Vec3d> precise;
  for (const Ray& ray : rays) {
    points.push_back(Vec3f(ray.origin));
    precise.push_back(Vec3d(dvec3(vec3(ray.origin))));
  }
  const PointArray array = arrays.points();
  std::vector<Nearest> nearest(points.size()), expected(points.size());
  std::vector<std::uint8_t> inside(points.size()), expected_inside(points.size());
  plain.closest_points(points, expected, 5.0f);
  plain.contains(precise, expected_inside);
  Query closest = query<ClosestPoints>(&array, points.size(), {}, nearest.data());
  closest.max_distance = 5.0f;
  ask(renderer, closest);
  ask(renderer, query<PointsInside>(&array, points.size(), {}, inside.data()));
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(nearest[i].triangle, expected[i].triangle) << i;
    ASSERT_EQ(nearest[i].distance, expected[i].distance) << i;
  }
  EXPECT_EQ(inside, expected_inside);
}

INSTANTIATE_TEST_SUITE_P(Devices, ArrayQueriesOn, testing::kDevices, testing::name_of_device);

TEST(ArrayQueries, of_scenes_in_parts_are_those_of_the_whole) {
  const Mesh mesh = testing::soup(300, 31);
  const Scene scene = testing::scene_of(mesh);
  const std::vector<Ray> rays = testing::rays_at(mesh, 3000, 33);
  Renderer whole(scene, {"cpu"});
  RendererOptions options{"cpu"};
  options.partition = 3;
  Renderer parts(scene, options);
  std::vector<std::uint8_t> in_whole(rays.size()), in_parts(rays.size());
  ask(whole, query<Occlusions>(rays.data(), rays.size(), {}, in_whole.data()));
  ask(parts, query<Occlusions>(rays.data(), rays.size(), {}, in_parts.data()));
  EXPECT_EQ(in_whole, in_parts);
  EXPECT_EQ(parts_of(parts).size(), 3u);
  std::vector<std::uint64_t> a(scene.triangle_count()), b(a);
  whole.hits_per_triangle(rays, a);
  parts.hits_per_triangle(rays, b);
  EXPECT_EQ(a, b);
}

TEST(ArrayQueries, say_what_is_wrong_with_their_options) {
  const Mesh mesh = testing::soup(30, 31);
  Renderer renderer(testing::scene_of(mesh), {"cpu"});
  const Vec3f point{0.0f, 0.0f, 0.0f};
  Nearest nearest;
  Query closest = query<ClosestPoints>(&point, 1, {}, &nearest);
  closest.max_distance = -1.0f;
  EXPECT_THROW(ask(renderer, closest), UsageError);
  EXPECT_THROW(ask(renderer, query<ClosestPoints>(&point, 1, {3, nullptr}, &nearest)), UsageError);
}

TEST(ArrayQueries, on_a_device_may_only_ask_for_worlds_and_counts_that_there_are) {
  const PointArray points = plain_points(static_cast<const Vec3d*>(nullptr), 1);
  const u32 each = 0;
  const auto asked = [&](u64 count, RayWorlds worlds, u32 world_count) {
    require_on_device(query<PointsInside>(&points, count, worlds, nullptr), world_count);
    require_on_device(query<WindingNumbers>(&points, count, worlds, nullptr), world_count);
  };
  constexpr u64 kMost = (u64{1} << 31) - 1;
  EXPECT_NO_THROW(asked(kMost, {}, 0));
  EXPECT_NO_THROW(asked(kMost, {3, nullptr}, 4));
  EXPECT_NO_THROW(asked(kMost, {0, &each}, 4));
  EXPECT_THROW(asked(1, {3, nullptr}, 0), UsageError);
  EXPECT_THROW(asked(1, {0, &each}, 0), UsageError);
  EXPECT_THROW(asked(kMost + 1, {}, 4), UsageError);
}

}  // namespace array_queries_test
}  // namespace ballotcast::detail
