// Tests queries about points in scenes of instances and worlds: results are the same as for one
// mesh with all the transformed triangles.
#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "bvh/builders/builder.hpp"
#include "helpers/closest_points.hpp"
#include "helpers/devices.hpp"
#include "helpers/instances.hpp"

namespace ballotcast::detail {
namespace placed_points_test {

using testing::expect_same;
using testing::kFar;
using testing::many_worlds;
using testing::odd_scenes;
using testing::Random;
using testing::World;
using testing::world_of;

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
    for (const std::string& layout : testing::layout_names())
      for (const BuilderInfo& info : builders()) {
        const std::string builder(info.name);
        Renderer renderer(scene, {device, builder, layout});
        expect_same(closest(renderer, points), expected,
                    std::string(device) + ", " + layout + ", " + builder);
      }
}

TEST(PlacedPoints, are_closest_as_in_one_mesh_however_instances_are_placed) {
  for (const auto& [name, scene] : odd_scenes()) {
    const World world = world_of(scene, 0);
    const std::vector<Vec3f> points = testing::points_at(world.mesh, 2000, 6);
    Renderer one(scene, {"cpu", "balanced", "bvh2"}), other(scene, {"cpu", "balanced", "grid2"});
    for (const float most : {kFar, 0.3f, 0.0f}) {
      SCOPED_TRACE(most);
      const std::vector<Nearest> expected = closest_in(world, points, most);
      expect_same(closest(one, points, {}, most), expected, std::string(name) + ", bvh2");
      expect_same(closest(other, points, {}, most), expected, std::string(name) + ", grid2");
    }
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
  for (std::size_t i = points.size(); i-- > 1;) {  // points of different worlds are mixed
    const std::size_t k = Random(static_cast<u32>(i)).below(static_cast<u32>(i) + 1);
    std::swap(points[i], points[k]);
    std::swap(worlds[i], worlds[k]);
    std::swap(expected[i], expected[k]);
  }
  for (const char* device : {"cpu", "emulated"})
    for (const std::string& layout : testing::layout_names()) {
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

}  // namespace placed_points_test
}  // namespace ballotcast::detail
