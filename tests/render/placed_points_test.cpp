// What is found out about points in scenes of instances and worlds: what is true of all their
// triangles in one mesh.
#include <gtest/gtest.h>

#include "bvh/builders/builder.hpp"
#include "helpers/closest_points.hpp"
#include "helpers/instances.hpp"
#include "render/renderer_state.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {
namespace {

using testing::expect_same;
using testing::kFar;
using testing::Random;

std::vector<Scene> meshes() {
  return {Scene(testing::scene_of(testing::sphere(5))), Scene(testing::scene_of(testing::torus(6))),
          Scene(testing::scene_of(testing::soup(60, 9)))};
}

/// Instances in worlds that differ in size, each instance turned, stretched, perhaps mirrored.
Scene many_worlds(u32 count, u32 worlds, u32 seed) {
  Random random(seed);
  std::vector<Instance> instances;
  for (u32 i = 0; i < count; ++i) {
    const u32 world = random.below(worlds);
    const float size = world % 3 == 2 ? 0.01f : static_cast<float>(1 + world);
    instances.push_back({i % 3, testing::random_transform(random, 0.1f * size, 3.0f * size,
                                                          world % 4 == 1 ? 300.0f : 6.0f * size)});
    instances.back().world = world;
    if (random.below(9) == 0) instances.back().transform = kHidden;
  }
  instances[0].world = worlds - 1;
  return make_scene(meshes(), instances);
}

/// Scenes in which one thing is at its limit.
std::vector<std::pair<const char*, Scene>> odd_scenes() {
  const auto scene_with = [](std::vector<Transform> transforms) {
    std::vector<Instance> instances;
    for (const Transform& m : transforms)
      instances.push_back({static_cast<u32>(instances.size()) % 3, m});
    return make_scene(meshes(), instances);
  };
  return {{"far away", scene_with({moved_by(1e6f, 0, 0), moved_by(1e6f, 3, 0), moved_by(0, 0, 0)})},
          {"distorted", scene_with({{{{1000, 0, 0, 0}, {0, 0.5f, 0.5f, 1}, {0, -0.5f, 0.5f, 0}}},
                                    {{{1, 50, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}})},
          {"large", scene_with({{{{5e5f, 0, 0, 0}, {0, 5e5f, 0, 0}, {0, 0, 5e5f, 0}}}})},
          {"tiny", scene_with({{{{2e-6f, 0, 0, 0}, {0, 2e-6f, 0, 0}, {0, 0, -2e-6f, 0}}}})},
          {"stacked", scene_with(std::vector<Transform>(20))},
          {"hidden", scene_with({kHidden, moved_by(1, 2, 3), kHidden})},
          {"all hidden", scene_with({kHidden, kHidden})}};
}

/// All triangles of a world, and the id of each in the scene.
struct World {
  Mesh mesh;
  std::vector<u32> ids;
};

World world_of(const Scene& scene, u32 world) {
  const SceneData& data = *scene.data();
  World out;
  const Mesh all = testing::flattened(scene);
  out.mesh.positions = all.positions;
  for (std::size_t i = 0; i < data.instances.size(); ++i) {
    const SceneInstance& instance = data.instances[i];
    if ((data.worlds.empty() ? 0u : data.worlds[i]) != world || hides(instance.to_scene)) continue;
    for (u32 k = 0; k < data.parts[instance.mesh].count; ++k) {
      out.ids.push_back(instance.first_id + k);
      out.mesh.triangles.push_back(all.triangles[out.ids.back()]);
    }
  }
  return out;
}

std::vector<Nearest> closest_in(const World& world, const std::vector<Vec3f>& points,
                                float max_distance = kFar) {
  std::vector<Nearest> nearest = testing::closest_of_all(world.mesh, points, max_distance);
  for (Nearest& n : nearest)
    if (n.found()) n.triangle = world.ids[n.triangle];
  return nearest;
}

std::vector<Nearest> closest(Renderer& renderer, const std::vector<Vec3f>& points,
                             const RayWorlds& worlds = {}, float max_distance = kFar) {
  std::vector<Nearest> nearest(points.size());
  renderer.closest_points(points, nearest, max_distance, worlds);
  return nearest;
}

TEST(PlacedPoints, are_closest_as_in_one_mesh_on_every_device_layout_and_tree) {
  const Scene scene = testing::random_instances(40, 3);
  const World world = world_of(scene, 0);
  const std::vector<Vec3f> points = testing::points_at(world.mesh, 1500, 5);
  const std::vector<Nearest> expected = closest_in(world, points);
  for (const char* device : {"cpu", "emulated"})
    for (const char* layout : {"bvh2", "grid2"})
      for (const BuilderInfo& info : builders()) {
        const std::string builder(info.name);
        Renderer renderer(scene, {device, builder, layout});
        expect_same(closest(renderer, points), expected,
                    std::string(device) + ", " + layout + ", " + builder);
      }
}

TEST(PlacedPoints, are_closest_as_in_one_mesh_however_instances_are_placed) {
  for (const auto& [name, scene] : odd_scenes())
    for (const char* layout : {"bvh2", "grid2"}) {
      const World world = world_of(scene, 0);
      const std::vector<Vec3f> points = testing::points_at(world.mesh, 2000, 6);
      Renderer renderer(scene, {"cpu", "balanced", layout});
      for (const float most : {kFar, 0.3f, 0.0f})
        expect_same(closest(renderer, points, {}, most), closest_in(world, points, most),
                    std::string(name) + ", " + layout);
    }
}

TEST(PlacedPoints, see_the_instances_of_their_world) {
  constexpr u32 kWorlds = 7;
  const Scene scene = many_worlds(60, kWorlds, 4);
  std::vector<Vec3f> points;
  std::vector<u32> worlds;
  std::vector<Nearest> expected;
  for (u32 w = 0; w < kWorlds; ++w) {
    const World world = world_of(scene, w);
    const std::vector<Vec3f> here = testing::points_at(world.mesh, 500, w);
    const std::vector<Nearest> found = closest_in(world, here);
    points.insert(points.end(), here.begin(), here.end());
    worlds.insert(worlds.end(), here.size(), w);
    expected.insert(expected.end(), found.begin(), found.end());
  }
  for (std::size_t i = points.size(); i-- > 1;) {  // worlds are mixed
    const std::size_t k = Random(static_cast<u32>(i)).below(static_cast<u32>(i) + 1);
    std::swap(points[i], points[k]);
    std::swap(worlds[i], worlds[k]);
    std::swap(expected[i], expected[k]);
  }
  for (const char* device : {"cpu", "emulated"})
    for (const char* layout : {"bvh2", "grid2"}) {
      Renderer renderer(scene, {device, "balanced", layout});
      expect_same(closest(renderer, points, {0, worlds.data()}), expected, device);
      const std::vector<Nearest> one = closest(renderer, points, {3});
      expect_same(one, closest_in(world_of(scene, 3), points), device);
    }
}

TEST(PlacedPoints, follow_instances_that_move) {
  const Scene scene = testing::random_instances(30, 7);
  const std::vector<Vec3f> points = testing::points_at(world_of(scene, 0).mesh, 800, 8);
  for (const char* device : {"cpu", "emulated"}) {
    RendererOptions options{device};
    options.moves = true;
    Renderer renderer(scene, options);
    Random random(9);
    std::vector<Transform> transforms;
    for (u32 i = 0; i < scene.instance_count(); ++i)
      transforms.push_back(i % 5 ? testing::random_transform(random, 0.2f, 2.0f, 5.0f) : kHidden);
    renderer.set_transforms(transforms);
    expect_same(closest(renderer, points), closest_in(world_of(scene, 0), points), "before");
    renderer.follow();
    auto moved = std::make_shared<SceneData>(*scene.data());
    set_transforms(*moved, transforms, boxes_of_parts(*moved));
    expect_same(closest(renderer, points), closest_in(world_of(Scene(moved), 0), points), "after");
  }
}

TEST(PlacedPoints, in_worlds_that_do_not_exist_are_refused) {
  Renderer renderer(many_worlds(20, 3, 2), {"cpu"});
  const std::vector<Vec3f> points(2, {0.0f, 0.0f, 0.0f});
  std::vector<Nearest> nearest(2);
  const auto message = [&](const RayWorlds& worlds) -> std::string {
    try {
      renderer.closest_points(points, nearest, kFar, worlds);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({3}), "points in world 3, but the scene has 3");
  const u32 each[] = {0, 7};
  EXPECT_EQ(message({0, each}), "point 1: world 7, but the scene has 3");
  EXPECT_EQ(message({2}), "");
}

}  // namespace
}  // namespace ballotcast::detail
