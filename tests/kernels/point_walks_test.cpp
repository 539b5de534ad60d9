// Tests the kernels that walk for points, on emulated lanes: with points in any order, and with
// more or less memory for lists of triangles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "backends/emulated/emulated_machine.hpp"
#include "backends/scene/prepare.hpp"
#include "bvh/layouts/layouts.hpp"
#include "helpers/closest_points.hpp"
#include "kernels/queries/queries.hpp"

namespace ballotcast::detail {
namespace point_walks_test {

using testing::kFar;

/// Triangles around the z axis, all equally far from it. The floats of the corners are rounded, so
/// only doubles can tell which is the closest to a point of the axis.
Mesh around_axis(u32 triangles) {
  Mesh mesh;
  for (u32 i = 0; i < triangles; ++i) {
    const float angle = 6.2831853f * static_cast<float>(i) / static_cast<float>(triangles);
    const float x = std::cos(angle), y = std::sin(angle);
    for (const vec3 side : {vec3(-y, x, 0.0f), vec3(y, -x, 0.0f), vec3(0.0f, 0.0f, 1.0f)})
      mesh.positions.push_back(vec3(x, y, 0.0f) + side * 0.01f);
    mesh.triangles.push_back({3u * i, 3u * i + 1u, 3u * i + 2u});
  }
  return mesh;
}

/// Points of the axis and elsewhere, far ones and unusable ones.
std::vector<Vec3f> points_of(const Mesh& mesh) {
  std::vector<Vec3f> points = testing::points_at(mesh, 300, 41);
  for (u32 i = 0; i < 200; ++i) points.push_back({0.0f, 0.0f, 1e-4f * static_cast<float>(i)});
  points.push_back({1e9f, 0.0f, 0.0f});
  points.push_back({NAN, 0.0f, 0.0f});
  return points;
}

/// An order that neither begins with the first point nor has neighbours next to each other. The
/// upper halves are keys, which do not matter.
std::vector<u64> order_of(std::size_t count) {
  std::vector<u64> order;
  for (std::size_t i = 0; i < count; ++i) order.push_back(u64{i * 7u} << 32u | (count - 1u - i));
  std::swap(order.front(), order[count / 2u]);
  return order;
}

/// Calls test(view) with the view of a mesh, whose tree cuts triangles.
template <class Test>
void with_view_of(const Mesh& mesh, Test test) {
  const auto scene = prepare(testing::scene_of(mesh), "sbvh", grid2::Layout::info.name);
  test(trace_view<TraceView<grid2::Layout>>(scene->arrays));
}

TEST(PointWalks, find_closest_points_in_any_order_with_or_without_room_for_lists) {
  for (const u32 triangles : {3u, 20u, 90u}) {  // noted in the result, in a list, and too many
    const Mesh mesh = around_axis(triangles);
    const std::vector<Vec3f> points = points_of(mesh);
    const std::vector<Nearest> expected = testing::closest_of_all(mesh, points);
    const std::vector<u64> order = order_of(points.size());
    with_view_of(mesh, [&](const auto& view) {
      EmulatedMachine machine(5);
      for (const u64* const keys : {static_cast<const u64*>(nullptr), order.data()})
        for (const u32 room : {0u, 65u, 4096u}) {
          std::vector<Nearest> nearest(points.size(), Nearest{-1.0f, 7u, -1.0f, -1.0f});
          std::vector<u32> spare(5000, 0xcdcdcdcdu);
          Query q = query<ClosestPoints>(points.data(), points.size(), {}, nearest.data());
          q.max_distance = kFar;
          q.order = {keys};
          q.spare = {spare.data(), room};
          find_closest_points(machine, view, q);
          testing::expect_same(nearest, expected, std::to_string(room) + " words of room");
          EXPECT_EQ(machine.warp_choice()->next, 0u);
          EXPECT_EQ(machine.warp_choice()->listed, 0u);
          EXPECT_EQ(std::count(spare.begin() + room, spare.end(), 0xcdcdcdcdu), 5000 - room);
        }
    });
  }
}

/// Spheres inside each other: some rays cross more triangles than the list can hold.
Mesh nested_spheres() {
  Mesh mesh;
  for (u32 i = 1; i <= 150; ++i) {
    Mesh one = testing::sphere(6);
    for (uvec3& t : one.triangles) t += static_cast<u32>(mesh.positions.size());
    for (vec3& p : one.positions) mesh.positions.push_back(p * (0.01f * static_cast<float>(i)));
    mesh.triangles.insert(mesh.triangles.end(), one.triangles.begin(), one.triangles.end());
  }
  return mesh;
}

TEST(PointWalks, find_points_inside_in_any_order) {
  for (const Mesh& mesh : {nested_spheres(), testing::soup(400, 42)}) {
    std::vector<Vec3f> points = points_of(mesh);
    // Below all spheres
    for (u32 i = 0; i < 9; ++i) points.push_back({0.001f, 0.001f * static_cast<float>(i), -2.0f});
    const std::vector<u64> order = order_of(points.size());
    with_view_of(mesh, [&](const auto& view) {
      EmulatedMachine machine(6);
      for (const InsideRule rule : {InsideRule::parity, InsideRule::nonzero}) {
        std::vector<u8> expected;
        for (u32 i = 0; i < points.size(); ++i)
          expected.push_back(is_inside(view, i, dvec3(vec3(points[i])), rule) ? 1u : 0u);
        for (const u64* const keys : {static_cast<const u64*>(nullptr), order.data()}) {
          std::vector<u8> inside(points.size(), 9u);
          Query q = query<PointsInside>(points.data(), points.size(), {}, inside.data());
          q.rule = rule;
          q.order = {keys};
          find_inside(machine, view, q);
          EXPECT_EQ(inside, expected);
          EXPECT_EQ(machine.warp_choice()->next, 0u);
        }
      }
    });
  }
}

}  // namespace point_walks_test
}  // namespace ballotcast::detail
