// Tests rays from far away: checks their moved origins and the t of their hits with exact
// arithmetic.
#include "geometry/far_origin.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "backends/scene/prepare.hpp"
#include "helpers/brute_force.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace far_origin_test {

using Wide = __int128;

const float kInf = unbounded();

bool same(const Ray& a, const Ray& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Half a unit in the last place of `x`.
long double half_ulp(float x) {
  const float up = std::nextafterf(magnitude_of(x), kInf);
  return (static_cast<long double>(up) - magnitude_of(x)) / 2;
}

/// A mesh within 2^20 of the origin. All coordinates are integers.
Mesh whole_soup() {
  Mesh mesh = testing::soup(400, 31);
  for (vec3& p : mesh.positions)
    p = vec3(nearbyintf(p.x * 0x1p19f), nearbyintf(p.y * 0x1p19f), nearbyintf(p.z * 0x1p19f)) +
        vec3(0.0f);
  return mesh;
}

/// A ray from -direction * 2^power through the origin. All values are integers that fit in 24 bits.
Ray through_origin(vec3 direction, int power) {
  return {direction * -std::ldexp(1.0f, power), 0.0f, direction, kInf};
}

/// The exact t at which a ray with integer coordinates meets a triangle's plane. `slope` says how
/// much t changes if the plane moves by 1 along the axis of its normal's largest component.
struct ExactT {
  long double t, slope;
};

ExactT exact_t(const Mesh& mesh, u32 triangle, const Ray& ray) {
  struct V {
    Wide x, y, z;
  };
  const auto whole = [](vec3 p) {
    return V{Wide(double{p.x}), Wide(double{p.y}), Wide(double{p.z})};
  };
  const auto less = [](V a, V b) { return V{a.x - b.x, a.y - b.y, a.z - b.z}; };
  const auto product = [](V a, V b) { return a.x * b.x + a.y * b.y + a.z * b.z; };
  const uvec3 c = mesh.triangles[triangle];
  const V a = whole(mesh.positions[c.x]), e = less(whole(mesh.positions[c.y]), a),
          f = less(whole(mesh.positions[c.z]), a);
  const V n = {e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
  const Wide above = product(n, less(a, whole(ray.origin))),
             below = product(n, whole(ray.direction));
  const auto size = [](Wide x) { return static_cast<long double>(x < 0 ? -x : x); };
  return {static_cast<long double>(above) / static_cast<long double>(below),
          (size(n.x) + size(n.y) + size(n.z)) / size(below)};
}

TEST(FarOrigin, leaves_rays_from_nearby_as_they_are) {
  const float magnitude = 3.0f;
  for (const float place : {0.0f, 1.0f, -100.0f, 192.0f}) {
    const Ray ray{{1.0f, place, -2.0f}, 0.25f, {0.1f, 0.2f, -0.3f}, 1e30f};
    EXPECT_FALSE(is_far(ray, magnitude));
    EXPECT_TRUE(same(ray_to_cast(ray, magnitude).ray, ray));
    Hit hit{1.5f, 3, 0.25f, 0.5f};
    give_back_if_far(ray, magnitude, hit);
    EXPECT_TRUE(same_bits(hit, {1.5f, 3, 0.25f, 0.5f}));
  }
  EXPECT_TRUE(is_far({{0, 0, -192.1f}, 0, {0, 0, 1}, kInf}, magnitude));
}

TEST(FarOrigin, leaves_rays_that_no_ray_may_be) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Ray rays[] = {
      {{1e6f, 0, 0}, 0, {0, 0, 0}, kInf},      {{1e6f, 0, 0}, 0, {nan, 0, 0}, kInf},
      {{1e6f, 0, 0}, 0, {1, nan, 0}, kInf},    {{1e6f, nan, 0}, 0, {1, 1, 0}, kInf},
      {{nan, 1e6f, 0}, 0, {1, 0.5f, 0}, kInf}, {{kInf, 0, 0}, 0, {-1, 0, 0}, kInf},
      {{1e13f, 0, 0}, 0, {-1, 0, 0}, kInf},    {{1e6f, 0, 0}, 0, {-1e-13f, 0, 0}, kInf},
      {{1e6f, 0, 0}, 0, {-1, 0, 0}, -1.0f},    {{1e6f, 0, 0}, nan, {-1, 0, 0}, kInf},
      {{1e6f, 0, 0}, 0, {-1, 0, 0}, nan}};
  for (const Ray& ray : rays) {
    const RayToCast cast = ray_to_cast(ray, 1.0f);
    EXPECT_FALSE(cast.setup.valid);
    EXPECT_TRUE(same(cast.ray, ray));
  }
}

TEST(FarOrigin, the_search_for_a_limit_of_t_ends_for_any_floats) {
  // A GPU produces the NaN 0x7fffffff, and x86 the NaN 0xffc00000.
  for (const u32 low : {0x7fffffffu, 0xffc00000u, 0xff800000u, 0x7f800000u, 0u, 0xbf800000u})
    for (const u32 high : {0x7fffffffu, 0xffc00000u, 0xff800000u, 0x7f800000u, 0u, 0x3f800000u})
      for (const float t : {-kInf, -1.0f, 0.0f, 0.5f, kInf, float_of(0x7fffffffu)})
        moved_limit(t, 1e6, float_of(low), float_of(high));
  EXPECT_EQ(moved_limit(1e6f, 1e6, -3.0f, 5.0f), 0x1p-5f);
}

TEST(FarOrigin, moves_rays_along_themselves_to_the_scene) {
  testing::Random random(5);
  for (u32 i = 0; i < 20000; ++i) {
    const float magnitude = std::ldexp(1.0f, static_cast<int>(random.below(40)) - 20);
    // Aims at a point in the scene's box, from up to 2^30 scene sizes away.
    const vec3 to = random.point(magnitude);
    vec3 direction = random.point(1.0f) * std::ldexp(1.0f, static_cast<int>(random.below(20)) - 10);
    if (i % 3 == 0) direction.y = 0.0f;
    const float longest = largest_magnitude(direction);
    const double away = std::ldexp(100.0, static_cast<int>(random.below(25))) * magnitude;
    const double sign = i % 5 == 0 ? -1.0 : 1.0;
    Ray ray{vec3(dvec3(to) - dvec3(direction) * (sign * away / longest)), -kInf, direction, kInf};
    if (largest_magnitude(ray.origin) > kLargestCoordinate) continue;
    ASSERT_TRUE(is_far(ray, magnitude));
    const MovedRay moved = moved_near(ray, magnitude);
    ASSERT_TRUE(moved.ray.direction == ray.direction);
    const vec3 given = ray.origin, origin = moved.ray.origin;
    for (int axis = 0; axis < 3; ++axis) {
      const long double exact =
          given[axis] + static_cast<long double>(moved.shift) * direction[axis];
      const long double off = std::abs(exact - origin[axis]);
      // The long doubles of this test have a rounding error, too, relative to the original origin.
      const long double own = 0x1p-63L * std::abs(static_cast<long double>(given[axis]));
      ASSERT_LE(off, half_ulp(origin[axis]) * (1 + 0x1p-20L) + 2 * own);
    }
    const u32 k = longest_axis(direction);
    ASSERT_NEAR(component(moved.ray.origin, k), direction[k] > 0 ? -2 * magnitude : 2 * magnitude,
                1e-5 * magnitude);
    // The moved origin is close to the scene, up to the rounding of the given origin.
    const float limit = 4.0f * magnitude + static_cast<float>(away * 0x1p-22);
    ASSERT_LE(largest_magnitude(moved.ray.origin), limit);
    // The limits of t include the whole scene, even if the scene is far behind the original origin.
    ASSERT_LE(moved.ray.t_min * longest, magnitude);
    ASSERT_GE(moved.ray.t_max * longest, 3.0f * magnitude);
  }
}

TEST(FarOrigin, tells_t_as_exact_arithmetic_does) {
  const Mesh mesh = whole_soup();
  const auto scene = prepare(testing::scene_of(mesh));
  const float magnitude = scene->view.magnitude;
  testing::Random random(9);
  u32 found = 0, rounded_well = 0;
  for (u32 i = 0; i < 6000; ++i) {
    // Components have 10 bits, so that dot products fit in 128 bits.
    vec3 direction = {nearbyintf(random.between(-512, 512)), nearbyintf(random.between(-512, 512)),
                      nearbyintf(random.between(-512, 512))};
    if (i % 4 == 0) direction = vec3(i % 8 == 0 ? 1.0f : -1.0f, 0.0f, 0.0f);
    if (largest_magnitude(direction) < 1.0f) continue;
    Ray ray = through_origin(direction, 20 + static_cast<int>(random.below(15)));
    if (direction.y == 0.0f) ray.origin.y = nearbyintf(random.between(-0x1p18f, 0x1p18f));
    if (direction.z == 0.0f) ray.origin.z = nearbyintf(random.between(-0x1p18f, 0x1p18f));
    if (!is_far(ray, magnitude)) continue;
    const Hit hit = testing::brute_force(*scene, ray);
    if (!hit.found()) continue;
    ++found;
    const ExactT exact = exact_t(mesh, hit.triangle, ray);
    // The allowed error: 2^-22 times `magnitude` per axis from moving the ray, and box_slack as for
    // any ray.
    const long double near = (0x1p-22L * magnitude + box_slack(4.0f * magnitude)) * exact.slope;
    ASSERT_LE(std::abs(exact.t - hit.t), half_ulp(hit.t) * (1 + 0x1p-27L) + near);
    rounded_well += static_cast<float>(exact.t) == hit.t ? 1 : 0;
  }
  EXPECT_GT(found, 1000u);
  EXPECT_GT(rounded_well, found * 9 / 10);
}

TEST(FarOrigin, honours_t_min_and_t_max_in_terms_of_the_given_ray) {
  const Mesh mesh = testing::soup(300, 17);
  const auto scene = prepare(testing::scene_of(mesh));
  u32 found = 0, exact_limits = 0;
  for (Ray ray : testing::far_rays_at(mesh, 4000, 18)) {
    ray.t_min = -kInf;
    ray.t_max = kInf;
    const Hit first = testing::brute_force(*scene, ray);
    if (!first.found() || !is_far(ray, scene->view.magnitude)) continue;
    ++found;
    const float before = std::nextafterf(first.t, -kInf);
    const auto with = [&](float t_min, float t_max) {
      return testing::brute_force(*scene, {ray.origin, t_min, ray.direction, t_max});
    };
    ASSERT_TRUE(same_bits(with(before, first.t), first));
    ASSERT_TRUE(same_bits(with(-kInf, first.t), first));
    const Hit nothing = with(-kInf, before);
    ASSERT_FALSE(nothing.found());
    ASSERT_EQ(nothing.t, before);
    // Walks from hit to hit: each t must be larger than the previous one.
    Hit last = first;
    for (u32 steps = 0; last.found() && steps < 400; ++steps) {
      const Hit next = with(last.t, kInf);
      ASSERT_TRUE(!next.found() || next.t > last.t);
      last = next;
    }
    ASSERT_FALSE(last.found());
    exact_limits += with(first.t, kInf).found() ? 1 : 0;
  }
  EXPECT_GT(found, 400u);
  EXPECT_GT(exact_limits, found / 4);
}

TEST(FarOrigin, of_surfaces_that_one_float_cannot_tell_apart_takes_the_nearest) {
  // 100 squares, each 0.001 above the one before. Seen from above, the nearest square has the
  // largest ids.
  Mesh mesh;
  for (u32 i = 0; i < 100; ++i) {
    const float z = 1e-3f * static_cast<float>(i);
    const u32 first = 4 * i;
    for (const vec3 p : {vec3(-1, -1, z), vec3(1, -1, z), vec3(1, 1, z), vec3(-1, 1, z)})
      mesh.positions.push_back(p);
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
  }
  const auto scene = prepare(testing::scene_of(mesh));
  const Ray down{{0.5f, 0.25f, 1e9f}, 0.0f, {0, 0, -1}, kInf},
      up{{0.5f, 0.25f, -1e9f}, 0, {0, 0, 1}, kInf};
  EXPECT_EQ(testing::brute_force(*scene, down).triangle, 198u);
  EXPECT_EQ(testing::brute_force(*scene, down).t, 1e9f);
  EXPECT_EQ(testing::brute_force(*scene, up).triangle, 0u);
  // On the diagonal of a square, both triangles have the same t, and the smaller id wins.
  EXPECT_EQ(testing::brute_force(*scene, {{0.5f, 0.5f, 1e9f}, 0, {0, 0, -1}, kInf}).triangle, 198u);
}

}  // namespace far_origin_test
}  // namespace ballotcast::detail
