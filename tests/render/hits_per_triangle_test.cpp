// Tests how often each triangle is hit: the counts equal those from the hits of casts, with every
// way of adding.
#include <gtest/gtest.h>

#include "helpers/devices.hpp"
#include "helpers/instances.hpp"
#include "helpers/meshes.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace hits_per_triangle_test {

using Counts = std::vector<std::uint64_t>;

/// The expected counts, from the hits of closest().
Counts counted(const Scene& scene, const std::vector<Ray>& rays, const RayWorlds& worlds = {}) {
  Renderer renderer(scene, {"cpu"});
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits, {}, worlds);
  Counts counts(scene.triangle_count());
  for (const Hit& hit : hits)
    if (hit.found()) ++counts[hit.triangle];
  return counts;
}

Counts asked(Renderer& renderer, const std::vector<Ray>& rays, const CastOptions& options = {},
             const RayWorlds& worlds = {}) {
  Counts counts(renderer.scene().triangle_count(), 77);  // the initial values must be overwritten
  EXPECT_EQ(renderer.hits_per_triangle(rays, counts, options, worlds).rays, rays.size());
  return counts;
}

class HitsPerTriangleOn : public ::testing::TestWithParam<const char*> {};

TEST_P(HitsPerTriangleOn, are_the_sums_of_hits) {
  const Mesh mesh = testing::soup(300, 11);
  const Scene scene = testing::scene_of(mesh);
  // These are several batches below, and the last block has lanes without a ray.
  const std::vector<Ray> rays = testing::rays_at(mesh, 5003, 12);
  const Counts expected = counted(scene, rays);
  EXPECT_GT(*std::max_element(expected.begin(), expected.end()), 3u);
  Renderer renderer(scene, {GetParam()});
  for (const CastOptions& how : {CastOptions{}, CastOptions{"passes", "naive"},
                                 CastOptions{"passes", "warp-ballot"}, CastOptions{"queue"}})
    EXPECT_EQ(asked(renderer, rays, how), expected) << how.pipeline << " " << how.atomics;
  EXPECT_EQ(asked(renderer, {}), Counts(scene.triangle_count()));

  Counts of_query(scene.triangle_count(), 77);
  ask(renderer, query<HitsPerTriangle>(rays.data(), rays.size(), {}, of_query.data()));
  EXPECT_EQ(of_query, expected);

  resident_of(renderer).begin_work(1024, 0);
  Counts sums(scene.triangle_count(), 5);  // a machine adds to the values that are there
  const CastChoice choice{CastOptions{}};
  Query query = detail::query<HitsPerTriangle>(rays.data(), rays.size(), {}, sums.data());
  query.result_count = sums.size();
  query.choice = &choice;
  resident_of(renderer).answer(query);
  for (std::size_t id = 0; id < sums.size(); ++id) EXPECT_EQ(sums[id], expected[id] + 5) << id;
}

TEST_P(HitsPerTriangleOn, have_the_ids_of_all_instances_of_a_world) {
  const Scene scene = testing::many_worlds(60, 3, 13);
  std::vector<Ray> rays;
  std::vector<u32> worlds;
  for (u32 i = 0; i < 3000; ++i) {
    const auto x = static_cast<float>(i % 50) - 25.0f, y = static_cast<float>(i / 50) - 30.0f;
    rays.push_back({{x, y, -100.0f}, 0.0f, {0.01f * y, 0.01f * x, 1.0f}, unbounded()});
    worlds.push_back(i % 3);
  }
  const RayWorlds each{0, worlds.data()};
  const Counts expected = counted(scene, rays, each);
  EXPECT_GT(std::accumulate(expected.begin(), expected.end(), u64{0}), 10u);
  Renderer renderer(scene, {GetParam()});
  EXPECT_EQ(asked(renderer, rays, {}, each), expected);
}

INSTANTIATE_TEST_SUITE_P(Devices, HitsPerTriangleOn, testing::kDevices, testing::name_of_device);

TEST(HitsPerTriangle, are_the_same_for_a_scene_in_parts_and_with_little_memory) {
  const Mesh mesh = testing::soup(300, 14);
  const Scene scene = testing::scene_of(mesh);
  const std::vector<Ray> rays = testing::rays_at(mesh, 4000, 15);
  const Counts expected = counted(scene, rays);
  RendererOptions in_parts{"emulated:0,1"};
  in_parts.partition = 3;
  Renderer parts(scene, in_parts);
  EXPECT_EQ(asked(parts, rays), expected);

  Renderer free(scene, {"cpu"});
  RendererOptions little{"emulated"};
  const CastChoice choice{CastOptions{}};
  Query query = detail::query<HitsPerTriangle>(rays.data(), rays.size(), {}, nullptr);
  query.result_count = scene.triangle_count();
  query.choice = &choice;
  little.max_memory = least_plan(plans_of_query(memory_of(prepared_of(free)), query)).bytes();
  Renderer bounded(scene, little);
  EXPECT_EQ(asked(bounded, rays), expected);
  EXPECT_EQ(plan_of(bounded).at_once, 1024u);
}

TEST(HitsPerTriangle, need_a_count_for_each_triangle) {
  Renderer renderer(testing::scene_of(testing::soup(30, 16)), {"cpu"});
  Counts few(29);
  EXPECT_THROW(renderer.hits_per_triangle({}, few), UsageError);
}

}  // namespace hits_per_triangle_test
}  // namespace ballotcast::detail
