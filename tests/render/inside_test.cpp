// Tests inside and outside: the same results as by testing all triangles, with every device, tree
// and size of batches.
#include <gtest/gtest.h>

#include "ballotcast/error.hpp"
#include "bvh/builders/builder.hpp"
#include "geometry/point_crossing.hpp"
#include "helpers/closest_points.hpp"
#include "helpers/devices.hpp"
#include "helpers/instances.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace inside_test {

using testing::Random;
using testing::World;
using testing::world_of;

constexpr InsideRule kRules[] = {InsideRule::parity, InsideRule::nonzero, InsideRule::winding};

/// Points with a NaN, far away, at corners, on edges and faces, and very near to these: as floats,
/// and moved by less than the spacing of floats.
std::vector<Vec3d> points_at(const Mesh& mesh, u32 count, u32 seed) {
  Random random(seed);
  std::vector<Vec3d> points;
  for (const Vec3f& p : testing::points_at(mesh, count, seed)) {
    points.emplace_back(p.x, p.y, p.z);
    if (random.below(3) == 0) points.back() = dvec3(points.back()) + dvec3(random.point(1e-12f));
  }
  return points;
}

/// Points around a mesh and inside of it. Hardly any of them is near to a triangle.
std::vector<Vec3d> points_around(const Mesh& mesh, u32 count, u32 seed) {
  Random random(seed);
  const Aabb box = mesh.bounds();
  std::vector<Vec3d> points;
  for (u32 i = 0; i < count; ++i)
    points.push_back(dvec3(box.center() + random.point(largest_magnitude(box.extent()))));
  return points;
}

bool is_usable_point(const Vec3d& p) { return is_usable(dvec3(p)); }

/// The expected results, found by testing all triangles. `fronts`: -1 for triangles whose front is
/// reversed, else 1.
std::vector<u8> inside_of_all(const Mesh& mesh, const std::vector<Vec3d>& points, InsideRule rule,
                              const std::vector<i32>& fronts = {}) {
  std::vector<u8> inside;
  for (const Vec3d& p : points) {
    u32 count = 0;
    i32 turns = 0;
    for (std::size_t i = 0; i < mesh.triangles.size() && is_usable_point(p); ++i) {
      const uvec3 t = mesh.triangles[i];
      const i32 turn =
          crossing_above(dvec3(p), mesh.positions[t.x], mesh.positions[t.y], mesh.positions[t.z]);
      count += turn != 0 ? 1u : 0u;
      turns += fronts.empty() ? turn : turn * fronts[i];
    }
    inside.push_back(rule == InsideRule::parity ? count & 1u : turns != 0 ? 1u : 0u);
  }
  return inside;
}

std::vector<u8> contains(Renderer& renderer, const std::vector<Vec3d>& points, InsideRule rule,
                         const RayWorlds& worlds = {}) {
  std::vector<u8> inside(points.size(), 7);
  renderer.contains(points, inside, rule, worlds);
  return inside;
}

std::vector<double> windings(Renderer& renderer, const std::vector<Vec3d>& points,
                             const RayWorlds& worlds = {}) {
  std::vector<double> numbers(points.size());
  renderer.winding_numbers(points, numbers, worlds);
  return numbers;
}

/// A pile of `floors` flat squares, so that rays have more crossings than a walk remembers.
Mesh pile(u32 floors) {
  Mesh mesh;
  for (u32 i = 0; i < floors; ++i) {
    const float z = 0.37f * static_cast<float>(i);
    const u32 at = static_cast<u32>(mesh.positions.size());
    for (const vec3 p : {vec3(0, 0, z), vec3(1, 0, z), vec3(1, 1, z), vec3(0, 1, z)})
      mesh.positions.push_back(p);
    mesh.triangles.push_back({at, at + 1, at + 2});
    mesh.triangles.push_back({at, at + 2, at + 3});
  }
  return mesh;
}

TEST(Inside, is_the_same_on_every_device_layout_and_tree_and_without_a_tree) {
  const Mesh meshes[] = {testing::soup(900, 31),
                         testing::sphere(12),
                         testing::cube(),
                         testing::torus(9),
                         pile(60),
                         testing::repeated(testing::soup(60, 32), 25),
                         testing::chain(),
                         {}};
  for (const Mesh& mesh : meshes) {
    const std::vector<Vec3d> points = points_at(mesh, 900, 9);
    for (const InsideRule rule : {InsideRule::parity, InsideRule::nonzero}) {
      const std::vector<u8> expected = inside_of_all(mesh, points, rule);
      for (const char* device : {"cpu", "emulated"})
        for (const std::string& layout : testing::layout_names())
          for (const BuilderInfo& info : builders()) {
            const std::string builder(info.name);
            Renderer renderer(testing::scene_of(mesh), {device, builder, layout});
            ASSERT_EQ(contains(renderer, points, rule), expected)
                << mesh.triangles.size() << " triangles, " << device << ", " << layout << ", "
                << builder;
          }
    }
  }
}

TEST(Inside, is_the_same_however_many_are_asked_at_a_time) {
  const Mesh mesh = testing::sphere(10);
  const std::vector<Vec3d> points = points_at(mesh, 4000, 10);
  Renderer free(testing::scene_of(mesh), {"cpu"});
  RendererOptions options{"cpu"};
  options.max_memory =
      least_plan(plans_of_query(memory_of(prepared_of(free)),
                                query<PointsInside>(points.data(), points.size(), {}, nullptr)))
          .bytes();
  Renderer bounded(testing::scene_of(mesh), options);
  for (const InsideRule rule : kRules)
    EXPECT_EQ(contains(bounded, points, rule), contains(free, points, rule));
  EXPECT_EQ(plan_of(bounded).at_once, 1024u);
}

TEST(Inside, of_instances_is_that_of_one_mesh_with_their_triangles) {
  constexpr u32 kWorlds = 5;
  const Scene scene = testing::many_worlds(40, kWorlds, 4);
  for (u32 w = 0; w < kWorlds; ++w) {
    const World world = world_of(scene, w);
    const std::vector<Vec3d> points = points_at(world.mesh, 600, w);
    std::vector<i32> fronts;
    for (const u32 id : world.ids) {
      const u32 instance = scene.locate(id).instance;
      fronts.push_back(mirrors(scene.data()->instances[instance].to_scene) ? -1 : 1);
    }
    const std::vector<u32> each(points.size(), w);
    for (const char* device : {"cpu", "emulated"})
      for (const char* builder : {"fast", "sbvh"})
        for (const std::string& layout : testing::layout_names()) {
          Renderer renderer(scene, {device, builder, layout});
          for (const InsideRule rule : {InsideRule::parity, InsideRule::nonzero}) {
            const std::vector<u8> expected = inside_of_all(world.mesh, points, rule, fronts);
            ASSERT_EQ(contains(renderer, points, rule, {w}), expected) << device << layout << w;
            ASSERT_EQ(contains(renderer, points, rule, {0, each.data()}), expected) << device;
          }
        }
  }
}

TEST(Inside, of_instances_however_they_are_placed) {
  for (const auto& [name, scene] : testing::odd_scenes()) {
    const World world = world_of(scene, 0);
    const std::vector<Vec3d> points = points_at(world.mesh, 1500, 6);
    for (const std::string& layout : testing::layout_names()) {
      Renderer renderer(scene, {"cpu", "balanced", layout});
      ASSERT_EQ(contains(renderer, points, InsideRule::parity),
                inside_of_all(world.mesh, points, InsideRule::parity))
          << name << ", " << layout;
    }
  }
}

TEST(Inside, is_exact_for_points_nearer_than_a_float_can_tell) {
  Renderer renderer(testing::scene_of(testing::cube()), {"cpu"});
  const double low = 1e-300, high = 1.0 - 0x1p-53, above = 1.0 + 0x1p-52;
  const std::vector<Vec3d> points = {
      {0.3, 0.4, low},   {0.3, 0.4, -low}, {0.3, 0.4, high}, {0.3, 0.4, 1.0},  {0.3, 0.4, 0.0},
      {0.3, 0.4, above}, {low, 0.4, 0.5},  {-low, 0.4, 0.5}, {high, 0.4, 0.5}, {above, 0.4, 0.5}};
  const std::vector<u8> expected = {1, 0, 1, 0, 1, 0, 1, 0, 1, 0};
  EXPECT_EQ(contains(renderer, points, InsideRule::parity), expected);
  EXPECT_EQ(contains(renderer, points, InsideRule::nonzero), expected);
}

TEST(Inside, where_solids_overlap_is_a_matter_of_the_rule) {
  const Scene cube(testing::scene_of(testing::cube()));
  const Transform mirrored{{{-1, 0, 0, 1.5f}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  const std::vector<Instance> instances = {{0}, {0, mirrored}};
  Renderer renderer(make_scene(std::vector<Scene>{cube}, instances), {"cpu"});
  const std::vector<Vec3d> points = {
      {0.25, 0.5, 0.5}, {0.75, 0.5, 0.5}, {1.25, 0.5, 0.5}, {1.75, 0.5, 0.5}};
  EXPECT_EQ(contains(renderer, points, InsideRule::parity), (std::vector<u8>{1, 0, 1, 0}));
  EXPECT_EQ(contains(renderer, points, InsideRule::nonzero), (std::vector<u8>{1, 1, 1, 0}));
  EXPECT_EQ(contains(renderer, points, InsideRule::winding), (std::vector<u8>{1, 1, 1, 0}));
  const std::vector<double> numbers = windings(renderer, points);
  for (std::size_t i = 0; i < points.size(); ++i)
    EXPECT_NEAR(numbers[i], (std::vector<double>{1, 2, 1, 0})[i], 1e-9);
}

TEST(Winding, is_the_sum_of_solid_angles_with_the_same_bits_everywhere) {
  for (const Mesh& mesh : {testing::sphere(8), testing::soup(300, 5), testing::cube()}) {
    const std::vector<Vec3d> points = points_at(mesh, 200, 3);
    std::vector<double> expected;
    for (const char* device : {"cpu", "emulated"})
      for (const char* builder : {"fast", "sbvh"}) {
        Renderer renderer(testing::scene_of(mesh), {device, builder});
        const std::vector<double> found = windings(renderer, points);
        if (expected.empty()) expected = found;
        ASSERT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(double)), 0);
      }
    for (std::size_t i = 0; i < points.size(); ++i)
      ASSERT_EQ(std::isnan(expected[i]), !is_usable_point(points[i]));
    const std::vector<Vec3d> others = points_around(mesh, 200, 4);
    Renderer renderer(testing::scene_of(mesh), {"cpu"});
    const std::vector<double> numbers = windings(renderer, others);
    for (std::size_t i = 0; i < others.size(); ++i) {
      double sum = 0.0;
      for (const uvec3 t : mesh.triangles) {
        const dvec3 p(others[i]), a = dvec3(mesh.positions[t.x]) - p,
                                  b = dvec3(mesh.positions[t.y]) - p,
                                  c = dvec3(mesh.positions[t.z]) - p;
        const double volume = dot(a, cross(b, c));
        if (volume != 0.0)
          sum += std::atan2(volume, length(a) * length(b) * length(c) + dot(a, b) * length(c) +
                                        dot(b, c) * length(a) + dot(c, a) * length(b));
      }
      ASSERT_NEAR(numbers[i], sum / (2.0 * kPi), 1e-8) << i;
    }
  }
}

TEST(Winding, of_instances_is_that_of_one_mesh) {
  const Scene scene = testing::many_worlds(30, 3, 8);
  for (u32 w = 0; w < 3; ++w) {
    const World world = world_of(scene, w);
    Mesh mesh = world.mesh;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
      if (mirrors(scene.data()->instances[scene.locate(world.ids[i]).instance].to_scene))
        std::swap(mesh.triangles[i].y, mesh.triangles[i].z);
    const std::vector<Vec3d> points = points_around(mesh, 300, w);
    Renderer one(testing::scene_of(mesh), {"cpu"});
    const std::vector<double> expected = windings(one, points);
    for (const char* device : {"cpu", "emulated"})
      for (const char* builder : {"fast", "best"}) {
        Renderer renderer(scene, {device, builder});
        const std::vector<double> found = windings(renderer, points, {w});
        for (std::size_t i = 0; i < points.size(); ++i)
          ASSERT_NEAR(found[i], expected[i], 1e-9) << i;
      }
  }
}

TEST(Winding, of_a_plane_is_that_of_two_triangles) {
  const std::vector<Vec3f> corners = {{-2, -1, 0}, {2, -1, 0}, {2, 1, 0}, {-2, 1, 0}};
  const std::vector<Triangle> triangles = {{0, 1, 2}, {0, 2, 3}};
  const Scene plane = make_scene(Shape{ShapeKind::plane, {2, 1, 0}}),
              mesh = make_scene(corners, triangles);
  Random random(4);
  std::vector<Instance> instances;
  for (u32 i = 0; i < 9; ++i)
    instances.push_back({0, testing::random_transform(random, 0.3f, 2.0f, 3.0f)});
  std::vector<Vec3d> points;
  for (u32 i = 0; i < 500; ++i) points.push_back(dvec3(random.point(i % 2 ? 4.0f : 50.0f)));
  points[0] = {0.3, 0, -1e-9};
  points[1] = {0, 0, 0};
  Renderer expected(make_scene(std::vector<Scene>{mesh}, instances), {"cpu"});
  for (const char* device : {"cpu", "emulated"}) {
    Renderer renderer(make_scene(std::vector<Scene>{plane}, instances), {device});
    EXPECT_EQ(windings(renderer, points), windings(expected, points)) << device;
  }
  Renderer one(plane, {"cpu"});
  EXPECT_NEAR(windings(one, points)[0], 0.5, 1e-8);
  EXPECT_EQ(windings(one, points)[1], 0.0);
}

TEST(Winding, of_a_disc_is_refused) {
  Renderer renderer(make_scene(Shape{ShapeKind::disc, {1, 0, 0}}), {"cpu"});
  const std::vector<Vec3d> points = {{0, 0, 1}};
  EXPECT_THROW(windings(renderer, points), UsageError);
  EXPECT_THROW(contains(renderer, points, InsideRule::winding), UsageError);
  EXPECT_EQ(contains(renderer, points, InsideRule::parity), (std::vector<u8>{0}));
}

TEST(Winding, tells_inside_where_a_mesh_has_a_hole) {
  Mesh open = testing::sphere(12);
  open.triangles.resize(open.triangles.size() - 8);
  Renderer renderer(testing::scene_of(open), {"cpu"});
  const std::vector<Vec3d> points = {{0, 0, 0}, {0.3, 0.2, 0.1}, {0, 2, 0}, {3, 0, 0}};
  EXPECT_EQ(contains(renderer, points, InsideRule::winding), (std::vector<u8>{1, 1, 0, 0}));
  const std::vector<double> numbers = windings(renderer, points);
  EXPECT_GT(numbers[0], 0.9);
  EXPECT_LT(numbers[0], 1.0);
}

TEST(Winding, refuses_vertices_that_the_tree_has_not_followed) {
  const Mesh mesh = testing::cube();
  RendererOptions options;
  options.moves = true;
  const std::vector<Vec3d> points = {{0.5, 0.5, 0.5}};
  for (const char* device : {"cpu", "emulated"}) {
    options.device = device;
    Renderer renderer(testing::scene_of(mesh), options);
    std::vector<Vec3f> far = renderer.scene().vertices();
    for (Vec3f& p : far) p.x += 100.0f;
    EXPECT_NEAR(windings(renderer, points)[0], 1.0, 1e-9);
    renderer.set_vertices(far);
    EXPECT_THROW(windings(renderer, points), UsageError);
    EXPECT_THROW(contains(renderer, points, InsideRule::winding), UsageError);
    EXPECT_EQ(contains(renderer, points, InsideRule::parity), (std::vector<u8>{1}));
    renderer.follow();
    EXPECT_NEAR(windings(renderer, points)[0], 0.0, 1e-9);
  }
}

TEST(Inside, refuses_what_makes_no_sense) {
  Renderer renderer(testing::scene_of(testing::cube()), {"cpu"});
  const std::vector<Vec3d> points(3, {0.0, 0.0, 0.0});
  std::vector<u8> two(2), three(3);
  std::vector<double> numbers(2);
  EXPECT_THROW(renderer.contains(points, two), UsageError);
  EXPECT_THROW(renderer.contains(points, three, InsideRule::parity, {1}), UsageError);
  EXPECT_THROW(renderer.winding_numbers(points, numbers), UsageError);
  EXPECT_NO_THROW(renderer.contains(Span<const Vec3d>(), {}));
}

}  // namespace inside_test
}  // namespace ballotcast::detail
