// Tests closest points: the same as found by testing all triangles, with every device, tree and
// size of batches.
#include "helpers/closest_points.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "ballotcast/error.hpp"
#include "bvh/builders/builder.hpp"
#include "helpers/devices.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace closest_points_test {

using testing::closest;
using testing::closest_of_all;
using testing::expect_same;
using testing::kFar;
using testing::points_at;
using testing::same_bits;
using testing::text_of;

Mesh scaled(Mesh mesh, float scale, vec3 offset) {
  for (vec3& p : mesh.positions) p = p * scale + offset;
  return mesh;
}

/// A flat square of n by n squares, each of two triangles. Neighbouring triangles share edges and
/// corners.
Mesh flat(u32 n) {
  Mesh mesh;
  for (u32 i = 0; i <= n; ++i)
    for (u32 k = 0; k <= n; ++k)
      mesh.positions.push_back(vec3(static_cast<float>(i), static_cast<float>(k), 0.0f) /
                               static_cast<float>(n));
  for (u32 i = 0; i < n; ++i)
    for (u32 k = 0; k < n; ++k) {
      const u32 at = i * (n + 1) + k;
      mesh.triangles.push_back({at, at + n + 1, at + n + 2});
      mesh.triangles.push_back({at, at + n + 2, at + 1});
    }
  return mesh;
}

/// The mesh pressed flat, so that its triangles overlap in a plane. Points above are equally close
/// to many triangles, and rounding decides which is the closest.
Mesh pressed(Mesh mesh) {
  for (vec3& p : mesh.positions) p.z = 0.1f;
  return mesh;
}

TEST(ClosestPoints, are_the_same_on_every_device_layout_and_tree_and_without_a_tree) {
  const Mesh meshes[] = {testing::soup(1500, 31),
                         testing::sphere(16),
                         flat(24),
                         pressed(testing::soup(400, 38)),
                         testing::repeated(testing::soup(60, 32), 25),
                         testing::soup(1, 33),
                         scaled(testing::soup(600, 34), 1e-18f, vec3(0.0f)),
                         scaled(testing::sphere(12), 1e6f, vec3(3e9f, -1e9f, 2e9f)),
                         testing::chain(),
                         {}};
  for (const Mesh& mesh : meshes) {
    const std::vector<Vec3f> points = points_at(mesh, 1200, 9);
    const std::vector<Nearest> expected = closest_of_all(mesh, points);
    for (const char* device : {"cpu", "emulated"})
      for (const std::string& layout : testing::layout_names())
        for (const BuilderInfo& info : builders()) {
          const std::string builder(info.name);
          Renderer renderer(testing::scene_of(mesh), {device, builder, layout});
          expect_same(closest(renderer, points), expected,
                      std::to_string(mesh.triangles.size()) + " triangles, " + device + ", " +
                          layout + ", " + builder);
        }
  }
}

TEST(ClosestPoints, are_the_same_however_many_are_searched_at_a_time) {
  const Mesh mesh = testing::soup(2000, 35);
  const std::vector<Vec3f> points = points_at(mesh, 5000, 10);
  const std::vector<Nearest> expected = closest_of_all(mesh, points);
  for (const char* device : {"cpu", "emulated"}) {
    Renderer free(testing::scene_of(mesh), {device});
    expect_same(closest(free, points), expected, device);
    RendererOptions options{device};
    options.max_memory =
        least_plan(plans_of_query(memory_of(prepared_of(free)),
                                  query<ClosestPoints>(points.data(), points.size(), {}, nullptr)))
            .bytes();
    Renderer bounded(testing::scene_of(mesh), options);
    expect_same(closest(bounded, points), expected, device);
    EXPECT_EQ(plan_of(bounded).at_once, 1024u);
  }
}

TEST(ClosestPoints, are_within_max_distance_or_none) {
  const Mesh mesh = testing::soup(500, 36);
  const std::vector<Vec3f> points = points_at(mesh, 3000, 11);
  const std::vector<Nearest> all = closest_of_all(mesh, points);
  Renderer one(testing::scene_of(mesh), {"cpu", "balanced", "bvh2"}),
      other(testing::scene_of(mesh), {"cpu", "balanced", "grid2"});
  for (const float most : {0.0f, 1e-6f, 0.05f, 0.2f, 1e30f, kFar}) {
    const std::vector<Nearest> expected = closest_of_all(mesh, points, most);
    for (Renderer* const renderer : {&one, &other}) {
      const std::vector<Nearest> some = closest(*renderer, points, most);
      expect_same(some, expected, std::to_string(most));
      u32 found = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        found += some[i].found() ? 1 : 0;
        if (all[i].found() && all[i].distance < most) {
          ASSERT_TRUE(same_bits(some[i], all[i])) << most;
        } else if (!(all[i].distance <= most) || !all[i].found()) {
          ASSERT_TRUE(same_bits(some[i], {kFar, kNoTriangle, 0.0f, 0.0f})) << most;
        }
      }
      EXPECT_GT(found, 0u);
      EXPECT_LT(found, points.size());
    }
  }
  Renderer single(testing::scene_of(flat(1)), {"cpu"});
  EXPECT_EQ(closest(single, {{0.5f, 0.25f, 3.0f}}, 3.0f)[0].distance, 3.0f) << "itself counts";
  EXPECT_FALSE(closest(single, {{0.5f, 0.25f, 3.0f}}, std::nextafter(3.0f, 0.0f))[0].found());
}

TEST(ClosestPoints, take_the_smallest_triangle_of_those_that_share_the_point) {
  const u32 n = 16;
  const Mesh mesh = flat(n);
  std::vector<Vec3f> points;
  std::vector<u32> expected;
  for (u32 i = 0; i <= 2 * n; ++i)
    for (u32 k = 0; k <= 2 * n; ++k) {
      // The points lie above corners, and above the middles of edges along x, along y, and along
      // diagonals.
      const float step = 0.5f / static_cast<float>(n);
      points.push_back({static_cast<float>(i) * step, static_cast<float>(k) * step, 0.3f});
      u32 least = kNoTriangle;
      const auto offer = [&](u32 column, u32 row, u32 half) {
        if (column < n && row < n) least = std::min(least, 2 * (column * n + row) + half);
      };
      // Square (column, row) has its first corner at (column, row), and is divided along its
      // diagonal.
      const u32 column = i / 2, row = k / 2;
      if (i % 2 && k % 2) offer(column, row, 0);
      if (i % 2 && k % 2 == 0) offer(column, row, 0), offer(column, row - 1, 1);
      if (i % 2 == 0 && k % 2) offer(column, row, 1), offer(column - 1, row, 0);
      if (i % 2 == 0 && k % 2 == 0) {
        offer(column, row, 0), offer(column - 1, row - 1, 0);
        offer(column - 1, row, 0), offer(column, row - 1, 1);
      }
      expected.push_back(least);
    }
  for (const char* builder : {"fast", "sbvh"}) {
    Renderer renderer(testing::scene_of(mesh), {"cpu", builder});
    const std::vector<Nearest> nearest = closest(renderer, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(nearest[i].triangle, expected[i]) << builder << ", point " << i;
      ASSERT_EQ(nearest[i].distance, 0.3f);
    }
  }
}

TEST(ClosestPoints, are_where_their_weights_say) {
  const Mesh mesh = testing::soup(800, 37);
  Renderer renderer(testing::scene_of(mesh), {"cpu"});
  const std::vector<Vec3f> points = points_at(mesh, 4000, 12);
  const std::vector<Nearest> nearest = closest(renderer, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Nearest& n = nearest[i];
    if (!n.found()) continue;
    ASSERT_TRUE(n.u >= 0.0f && n.v >= 0.0f && n.u + n.v <= 1.0f) << text_of(n);
    const uvec3 t = mesh.triangles[n.triangle];
    const dvec3 a(mesh.positions[t.x]), b(mesh.positions[t.y]), c(mesh.positions[t.z]);
    const dvec3 at = a * (1.0 - n.u - n.v) + b * double{n.u} + c * double{n.v};
    ASSERT_NEAR(std::sqrt(squared_length(at - dvec3(vec3(points[i])))), n.distance,
                1e-6 * (1.0 + n.distance));
  }
}

TEST(ClosestPoints, follow_vertices_that_move) {
  const Mesh mesh = testing::sphere(14);
  const std::vector<Vec3f> points = points_at(mesh, 1000, 13);
  for (const char* device : {"cpu", "emulated"})
    for (const std::string& layout : testing::layout_names())
      for (const Follow how : {Follow::refit, Follow::rebuild}) {
        RendererOptions options{device, "fast", layout};
        options.moves = true;
        const Scene scene(testing::scene_of(mesh));
        Renderer renderer(scene, options);
        std::vector<Vec3f> vertices = scene.vertices();
        for (Vec3f& p : vertices) p = {2.0f * p.y, p.x + 0.5f * std::sin(7.0f * p.z), p.z - 3.0f};
        renderer.set_vertices(vertices);
        expect_same(closest(renderer, points), closest_of_all(mesh, points), "before");
        renderer.follow(how);
        Mesh moved = mesh;
        for (std::size_t i = 0; i < vertices.size(); ++i)
          moved.positions[i] = vec3(vertices[i]) + 0.0f;
        expect_same(closest(renderer, points), closest_of_all(moved, points), "after");
      }
}

TEST(ClosestPoints, refuse_what_makes_no_sense) {
  Renderer renderer(testing::scene_of(testing::sphere(4)), {"cpu"});
  const std::vector<Vec3f> points(3, {0.0f, 0.0f, 0.0f});
  std::vector<Nearest> two(2), three(3);
  EXPECT_THROW(renderer.closest_points(points, two), UsageError);
  EXPECT_THROW(renderer.closest_points(points, three, -1.0f), UsageError);
  EXPECT_THROW(renderer.closest_points(points, three, std::nanf("")), UsageError);
  EXPECT_NO_THROW(renderer.closest_points({}, {}));
}

}  // namespace closest_points_test
}  // namespace ballotcast::detail
