// Tests queries about points in scenes of instances and worlds: results are the same as for one
// mesh with all the transformed triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

/// The closest points of a world of shapes and meshes, by a test of each shape and each triangle.
std::vector<Nearest> closest_of_each(const Scene& scene, u32 world, const std::vector<u32>& masks,
                                     const std::vector<Vec3f>& points, float max_distance = kFar) {
  const SceneData& data = *scene.data();
  std::vector<Nearest> nearest;
  for (const Vec3f& point : points) {
    PointQuery<double> query(vec3(point), 0.0f, max_distance);
    for (std::size_t i = 0; is_usable(vec3(point)) && i < data.instances.size(); ++i) {
      const SceneInstance& at = data.instances[i];
      if ((data.worlds.empty() ? 0u : data.worlds[i]) != world || hides(at.to_scene)) continue;
      if (!masks.empty() && masks[i] == 0) continue;
      if (data.shapes[at.mesh].kind != ShapeKind::none) {
        query.measure(ShapeInScene{data.shapes[at.mesh], at.to_scene, at.first_id});
        continue;
      }
      for (u32 k = 0; k < data.parts[at.mesh].count; ++k) {
        const uvec3 t = data.mesh.triangles[at.first_triangle + k];
        const auto corner = [&](u32 c) {
          return transformed_point(at.to_scene, data.mesh.positions[c]) + 0.0f;
        };
        query.offer(closest_on_triangle(vec3(point), corner(t.x), corner(t.y), corner(t.z)),
                    at.first_id + k);
      }
    }
    nearest.push_back(query.nearest());
  }
  return nearest;
}

/// Points in and around a scene of shapes, at the centres of instances, and far away.
std::vector<Vec3f> points_among(const Scene& scene, u32 count, u32 seed) {
  Random random(seed);
  std::vector<Vec3f> points;
  for (u32 i = 0; i < count; ++i) {
    const Transform& m =
        scene.data()->instances[random.below(static_cast<u32>(scene.instance_count()))].to_scene;
    const vec3 centre = transformed_point(m, vec3(0.0f));
    points.push_back(i % 4 == 0   ? random.point(4.0f)
                     : i % 4 == 1 ? transformed_point(m, random.point(1.2f))
                     : i % 4 == 2 ? centre + random.point(i % 8 == 2 ? 0.0f : 1e-3f)
                                  : random.point(std::ldexp(1.0f, int(random.below(30)))));
  }
  points[5].x = std::numeric_limits<float>::quiet_NaN();
  return points;
}

TEST(PlacedPoints, of_shapes_are_closest_on_every_device_layout_and_tree) {
  const Scene scene = testing::shapes_and_meshes(40, 3);
  const std::vector<Vec3f> points = points_among(scene, 1500, 5);
  for (const float most : {kFar, 0.3f}) {
    const std::vector<Nearest> expected = closest_of_each(scene, 0, {}, points, most);
    u32 on_shapes = 0;
    for (const Nearest& at : expected)
      if (at.found() &&
          scene.data()->shapes[scene.locate(at.triangle).mesh].kind != ShapeKind::none)
        ++on_shapes;
    EXPECT_GT(on_shapes, most == kFar ? 900u : 300u);
    for (const char* device : {"cpu", "emulated"})
      for (const std::string& layout : testing::layout_names())
        for (const BuilderInfo& info : builders()) {
          const std::string builder(info.name);
          Renderer renderer(scene, {device, builder, layout});
          expect_same(closest(renderer, points, {}, most), expected,
                      std::string(device) + ", " + layout + ", " + builder);
        }
  }
}

TEST(PlacedPoints, of_shapes_that_move_or_are_masked_are_closest_in_their_world) {
  auto data = std::make_shared<SceneData>(*testing::shapes_and_meshes(60, 4).data());
  std::vector<Instance> instances;
  std::vector<Scene> meshes = {Scene(testing::scene_of(testing::sphere(4)))};
  for (const Shape& shape : data->shapes)
    if (shape.kind != ShapeKind::none) meshes.push_back(make_scene(shape));
  Random random(7);
  const auto transform = [&] {
    return random.below(7) ? testing::random_transform(random, 0.3f, 1.5f, 3.0f) : kHidden;
  };
  for (u32 i = 0; i < 60; ++i) {
    instances.push_back({i % static_cast<u32>(meshes.size()), transform()});
    instances.back().world = i % 3;
  }
  const Scene scene = make_scene(meshes, instances);
  const std::vector<Vec3f> points = points_among(scene, 600, 6);
  std::vector<u32> masks;
  std::vector<Transform> transforms;
  for (u32 i = 0; i < 60; ++i) {
    masks.push_back(random.below(4) ? 1u << random.below(32) : 0u);
    transforms.push_back(transform());
  }
  auto moved = std::make_shared<SceneData>(*scene.data());
  set_transforms(*moved, transforms, boxes_of_parts(*moved));
  for (const char* device : {"cpu", "emulated"}) {
    RendererOptions options{device};
    options.moves = true;
    Renderer renderer(scene, options);
    for (u32 world = 0; world < 3; ++world)
      expect_same(closest(renderer, points, {world}), closest_of_each(scene, world, {}, points),
                  device);
    renderer.set_transforms(transforms);
    renderer.follow();
    renderer.set_masks(masks);
    for (u32 world = 0; world < 3; ++world)
      expect_same(closest(renderer, points, {world}),
                  closest_of_each(Scene(moved), world, masks, points), device);
  }
}

TEST(PlacedPoints, have_signed_distances_from_solids_of_shapes_and_meshes) {
  // Solids that do not touch each other, and a cube of triangles
  const Scene all = testing::shapes_and_meshes(9, 1);
  std::vector<Scene> meshes = {Scene(testing::scene_of(testing::cube()))};
  std::vector<Instance> instances = {{0}};
  Random random(3);
  for (u32 i = 1; i <= 6; ++i) {
    meshes.push_back(make_scene(all.data()->shapes[i]));
    instances.push_back({i, testing::random_transform(random, 0.4f, 1.5f, 0.0f)});
    instances.back().transform.rows[0][3] = 8.0f * static_cast<float>(i);
  }
  const Scene scene = make_scene(meshes, instances);
  std::vector<Vec3f> points;
  for (u32 i = 0; i < 3000; ++i) {
    vec3 p = random.point(1.5f);
    p.x += 8.0f * static_cast<float>(random.below(7));
    points.push_back(p);
  }
  const std::vector<Nearest> nearest = closest_of_each(scene, 0, {}, points);
  for (const char* device : {"cpu", "emulated"}) {
    Renderer renderer(scene, {device});
    std::vector<float> distances(points.size());
    renderer.signed_distances(points, distances);
    u32 inside = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(std::abs(distances[i]), nearest[i].distance);
      const dvec3 p(points[i].x, points[i].y, points[i].z);
      const Location at = scene.locate(nearest[i].triangle);
      const bool within = at.mesh == 0
                              ? std::min({p.x, p.y, p.z}) > 0.0 && std::max({p.x, p.y, p.z}) < 1.0
                              : is_inside_shape(scene.data()->shapes[at.mesh],
                                                scene.data()->instances[at.instance].to_scene, p);
      ASSERT_EQ(distances[i] < 0.0f, within) << device << ", point " << i;
      inside += within;
    }
    EXPECT_GT(inside, 100u);
    std::vector<float> too_few(2);
    EXPECT_THROW(renderer.signed_distances(points, too_few), UsageError);
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
