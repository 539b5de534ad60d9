// Tests scenes whose instances are in several worlds: a ray hits only instances of its world, and
// hits what it would hit in a scene of this world alone.
#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "helpers/cast_options.hpp"
#include "helpers/devices.hpp"
#include "helpers/instances.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace worlds_test {

using testing::Random;
using testing::random_transform;

/// A scene with five worlds of 1, 9, 0, 40 and 3 instances, which are in mixed order.
Scene five_worlds(u32 seed) {
  Random random(seed);
  const std::vector<Scene> meshes = {Scene(testing::scene_of(testing::sphere(5))),
                                     Scene(testing::scene_of(testing::torus(6))),
                                     Scene(testing::scene_of(testing::soup(60, 9)))};
  std::vector<u32> worlds = {0};
  worlds.insert(worlds.end(), 9, 1);
  worlds.insert(worlds.end(), 40, 3);
  worlds.insert(worlds.end(), 3, 4);
  for (std::size_t i = worlds.size(); i-- > 1;)
    std::swap(worlds[i], worlds[random.below(static_cast<u32>(i) + 1)]);
  std::vector<Instance> instances;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    // Worlds differ in size, so a ray may start far away from one world and near another.
    const float reach = worlds[i] == 4 ? 0.01f : 3.0f * static_cast<float>(1 + worlds[i]);
    const float scale = worlds[i] == 4 ? 0.01f : 1.0f;
    instances.push_back(
        {static_cast<u32>(i) % 3, random_transform(random, 0.2f * scale, 2.0f * scale, reach)});
    instances.back().world = worlds[i];
  }
  return make_scene(meshes, instances);
}

std::vector<Ray> some_rays(u32 count, u32 seed) {
  Random random(seed);
  std::vector<Ray> rays;
  for (u32 i = 0; i < count; ++i) {
    const vec3 from = random.point(i % 7 == 0 ? 500.0f : 12.0f),
               to = random.point(i % 5 ? 4.0f : 0.02f);
    rays.push_back({from, 0.0f, to - from, i % 11 ? 1e30f : 0.9f});
  }
  return rays;
}

/// Converts a hit in a scene of one world to the same hit in the scene of all worlds.
Hit in_all_worlds(const Scene& scene, u32 world, Hit hit) {
  if (!hit.found()) return hit;
  const SceneData& data = *scene.data();
  u32 id = hit.triangle;
  for (std::size_t i = 0; i < data.instances.size(); ++i) {
    if (data.worlds[i] != world) continue;
    const u32 count = data.parts[data.instances[i].mesh].count;
    if (id < count) {
      hit.triangle = data.instances[i].first_id + id;
      return hit;
    }
    id -= count;
  }
  ADD_FAILURE() << "no such triangle";
  return hit;
}

/// The world of each ray, in random order.
std::vector<u32> mixed_worlds(std::size_t count, u32 seed) {
  Random random(seed);
  std::vector<u32> worlds(count);
  for (u32& world : worlds) world = random.below(5);
  return worlds;
}

/// The hits of rays in scenes of one world each.
struct Expected {
  std::vector<Hit> closest, all;
  std::vector<u32> counts;
};

Expected expected_in(const Scene& scene, const std::vector<Ray>& rays,
                     const std::vector<u32>& worlds) {
  Expected out;
  out.closest.resize(rays.size());
  out.counts.resize(rays.size());
  std::vector<std::vector<Hit>> each(rays.size());
  for (u32 world = 0; world < 5; ++world) {
    std::vector<Ray> own;
    std::vector<std::size_t> whose;
    for (std::size_t i = 0; i < rays.size(); ++i)
      if (worlds[i] == world) own.push_back(rays[i]), whose.push_back(i);
    std::vector<Hit> hits(own.size());
    for (std::size_t k = 0; k < own.size(); ++k) hits[k] = miss_of(own[k]);
    AllHits all;
    all.starts.assign(own.size() + 1, 0);
    if (world != 2) {  // world 2 is empty
      Renderer alone(scene.world(world), {"cpu", "ploc", "bvh2"});
      alone.closest(own, hits);
      all = alone.all(own);
    }
    for (std::size_t k = 0; k < own.size(); ++k) {
      out.closest[whose[k]] = in_all_worlds(scene, world, hits[k]);
      out.counts[whose[k]] = static_cast<u32>(all.starts[k + 1] - all.starts[k]);
      for (u64 at = all.starts[k]; at < all.starts[k + 1]; ++at)
        each[whose[k]].push_back(in_all_worlds(scene, world, all.hits[at]));
    }
  }
  for (const std::vector<Hit>& hits : each) out.all.insert(out.all.end(), hits.begin(), hits.end());
  return out;
}

void expect_same(const std::vector<Hit>& hits, const std::vector<Hit>& expected,
                 const std::string& what) {
  ASSERT_EQ(hits.size(), expected.size()) << what;
  u32 wrong = 0;
  for (std::size_t i = 0; i < hits.size(); ++i)
    if (!same_bits(hits[i], expected[i]) && wrong++ < 3)
      ADD_FAILURE() << what << ", " << i << ": " << hits[i].triangle << " at " << hits[i].t
                    << ", not " << expected[i].triangle << " at " << expected[i].t;
  EXPECT_EQ(wrong, 0u) << what;
}

class WorldsOn : public ::testing::TestWithParam<const char*> {};

TEST_P(WorldsOn, give_each_ray_the_hits_of_its_own_alone) {
  const Scene scene = five_worlds(3);
  ASSERT_EQ(scene.world_count(), 5u);
  const std::vector<Ray> rays = some_rays(2500, 4);
  const std::vector<u32> worlds = mixed_worlds(rays.size(), 5);
  const Expected expected = expected_in(scene, rays, worlds);
  for (const std::string& layout : testing::layout_names()) {
    Renderer renderer(scene, {GetParam(), "balanced", layout});
    std::vector<Hit> hits(rays.size());
    std::vector<u32> counts(rays.size());
    const RayWorlds each{0, worlds.data()};
    for (const CastOptions& how : testing::ways_to_cast()) {
      renderer.closest(rays, hits, how, each);
      expect_same(hits, expected.closest, how.pipeline + " " + how.atomics);
      renderer.any(rays, hits, how, each);
      for (std::size_t i = 0; i < rays.size(); ++i)
        ASSERT_EQ(hits[i].found(), expected.closest[i].found()) << i;
    }
    renderer.count(rays, counts, each);
    EXPECT_EQ(counts, expected.counts);
    expect_same(renderer.all(rays, each).hits, expected.all, "all");
    // Casts in batches: each batch uses its own part of the list of worlds.
    ResidentScene& resident = resident_of(renderer);
    resident.begin_work(97, 0);
    resident.cast(RayKind::closest, rays.data(), hits.data(), nullptr, rays.size(), {}, each);
    expect_same(hits, expected.closest, "in parts");
    Query asked = query<CrossingCounts>(rays.data(), rays.size(), each, counts.data());
    resident.answer(asked);
    EXPECT_EQ(counts, expected.counts);
    std::vector<u64> starts(1, 0);
    for (const u32 count : counts) starts.push_back(starts.back() + count);
    std::vector<Hit> all(starts.back());
    asked = query<Crossings>(rays.data(), rays.size(), each, all.data());
    asked.starts = starts.data();
    resident.answer(asked);
    expect_same(all, expected.all, "all, in parts");
    for (u32 world = 0; world < 5; ++world) {
      renderer.closest(rays, hits, {}, {world});
      const std::vector<u32> same_for_all(rays.size(), world);
      expect_same(hits, expected_in(scene, rays, same_for_all).closest,
                  "world " + std::to_string(world));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, WorldsOn, testing::kDevices, testing::name_of_device);

TEST(Worlds, follow_their_instances) {
  const Scene scene = five_worlds(6);
  const std::vector<Ray> rays = some_rays(800, 7);
  const std::vector<u32> worlds = mixed_worlds(rays.size(), 8);
  const RayWorlds each{0, worlds.data()};
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer moving(scene, options);
  Random random(9);
  std::vector<Transform> transforms(scene.instance_count());
  for (u32 frame = 0; frame < 40; ++frame) {
    for (Transform& transform : transforms) {
      if (random.below(3) == 0) continue;
      transform = random.below(4) == 0 ? kHidden : random_transform(random, 0.2f, 2.0f, 6.0f);
    }
    moving.set_transforms(transforms);
    moving.follow();
    auto fresh = std::make_shared<SceneData>(*scene.data());
    set_transforms(*fresh, transforms, boxes_of_parts(*fresh));
    Renderer from_the_start(Scene(fresh), {"cpu"});
    std::vector<Hit> hits(rays.size()), expected(rays.size());
    moving.closest(rays, hits, {}, each);
    from_the_start.closest(rays, expected, {}, each);
    expect_same(hits, expected, "frame " + std::to_string(frame));
    EXPECT_EQ(hash_of_trees(prepared_of(moving)), hash_of_trees(prepared_of(from_the_start)));
    u32 visible = 0;
    for (const Hit& hit : hits) {
      if (!hit.found()) continue;
      ++visible;
      EXPECT_FALSE(hides(transforms[scene.locate(hit.triangle).instance]));
    }
    EXPECT_GT(visible, 10u);
  }
}

TEST(Worlds, may_be_a_thousand) {
  const std::vector<Scene> meshes = {Scene(testing::scene_of(testing::sphere(6)))};
  std::vector<Instance> instances;
  std::vector<Transform> transforms;
  for (u32 world = 0; world < 1000; ++world)
    for (u32 i = 0; i < 4; ++i) {
      instances.push_back({0});
      instances.back().world = world;
      transforms.push_back(moved_by(3.0f * static_cast<float>(i), static_cast<float>(world), 0));
    }
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer renderer(make_scene(meshes, instances), options);
  renderer.set_transforms(transforms);
  renderer.follow();
  std::vector<Ray> rays;
  std::vector<u32> worlds;
  for (u32 world = 0; world < 1000; ++world)
    for (u32 i = 0; i < 4; ++i) {
      rays.push_back({{3.0f * static_cast<float>(i), static_cast<float>(world), 9.0f},
                      0.0f,
                      {0, 0, -1},
                      100.0f});
      worlds.push_back(world);
    }
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits, {}, {0, worlds.data()});
  for (u32 i = 0; i < hits.size(); ++i) {
    ASSERT_TRUE(hits[i].found()) << i;
    EXPECT_EQ(renderer.scene().locate(hits[i].triangle).instance, i);
  }
  // In the next world, the balls are one step higher.
  for (u32& world : worlds) world = (world + 1) % 1000;
  for (Ray& ray : rays) ray.origin.y += 1.0f;
  renderer.closest(rays, hits, {}, {0, worlds.data()});
  for (u32 i = 0; i + 4 < hits.size(); ++i)
    EXPECT_EQ(renderer.scene().locate(hits[i].triangle).instance, i + 4);
}

TEST(Worlds, of_hidden_instances_are_empty) {
  RendererOptions options{"cpu"};
  options.moves = true;
  Renderer renderer(five_worlds(3), options);
  renderer.set_transforms(std::vector<Transform>(renderer.scene().instance_count(), kHidden));
  renderer.follow();
  const std::vector<Ray> rays = some_rays(300, 4);
  std::vector<Hit> hits(rays.size());
  renderer.closest(rays, hits, {}, {3});
  for (const Hit& hit : hits) EXPECT_FALSE(hit.found());
  std::vector<u32> counts(rays.size(), 7);
  renderer.count(rays, counts, {1});
  EXPECT_EQ(counts, std::vector<u32>(rays.size(), 0));
}

TEST(Worlds, that_do_not_exist_are_refused) {
  const Scene scene = five_worlds(3);
  Renderer renderer(scene, {"cpu"});
  const std::vector<Ray> rays = some_rays(4, 1);
  std::vector<Hit> hits(4);
  std::vector<u32> counts(4);
  const auto message = [](auto call) -> std::string {
    try {
      call();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([&] { renderer.closest(rays, hits, {}, {5}); }),
            "rays into world 5, but the scene has 5");
  const std::vector<u32> worlds = {0, 4, 9, 1};
  EXPECT_EQ(message([&] {
              renderer.any(rays, hits, {}, {0, worlds.data()});
            }),
            "ray 2: world 9, but the scene has 5");
  EXPECT_EQ(message([&] { renderer.count(rays, counts, {5}); }),
            "rays into world 5, but the scene has 5");
  Renderer still(builtin_scene(), {"cpu"});
  EXPECT_EQ(message([&] { still.all(rays, {1}); }), "rays into world 1, but the scene has 1");
  EXPECT_NE(message([&] { renderer.render(); }).find("a picture shows one world"),
            std::string::npos);
  EXPECT_EQ(message([&] { scene.world(5); }), "no world 5; the scene has 5");
  EXPECT_NE(message([&] { scene.world(2); }).find("nothing is in world 2"), std::string::npos);
  EXPECT_THROW(make_scene(std::vector<Scene>{builtin_scene()}, std::vector<Instance>()),
               InputError);
  Instance far{0};
  far.world = 65536;
  try {
    make_scene(std::vector<Scene>{builtin_scene()}, std::vector<Instance>{far});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "instance 0: world 65536; the last one can be 65535");
  }
}

TEST(Worlds, that_are_drawn_alone_look_like_scenes_of_their_own) {
  const Scene scene = five_worlds(3);
  const Scene one = scene.world(1);
  EXPECT_EQ(one.world_count(), 1u);
  EXPECT_EQ(one.instance_count(), 9u);
  RenderSettings settings;
  settings.width = 40;
  settings.height = 30;
  Renderer renderer(one, {"cpu"});
  EXPECT_EQ(renderer.render(settings).image.pixels.size(), 1200u);
}

TEST(Worlds, have_only_their_own_lamps) {
  auto lamp = std::make_shared<SceneData>(*testing::scene_of(testing::sphere(4)));
  lamp->materials[0].emission = vec3(3.0f);
  const std::vector<Scene> meshes = {Scene(testing::scene_of(testing::torus(8))), Scene(lamp)};
  std::vector<Instance> instances = {{0}, {0}, {1, moved_by(0, 5, 0)}};
  instances[1].world = instances[2].world = 1;
  const Scene both = make_scene(meshes, instances);
  const Scene alone = make_scene(std::vector<Scene>{meshes[0]}, std::vector<Instance>{{0}});
  RenderSettings settings;
  settings.width = 32;
  settings.height = 24;
  const auto picture = [&](const Scene& scene) {
    return hash_of(Renderer(scene, {"cpu"}).render(settings).image);
  };
  EXPECT_EQ(picture(both.world(0)), picture(alone));
  EXPECT_NE(picture(both.world(1)), picture(alone));
  EXPECT_TRUE(both.world(1).data()->has_emitters());
  EXPECT_FALSE(both.world(0).data()->has_emitters());
}

}  // namespace worlds_test
}  // namespace ballotcast::detail
