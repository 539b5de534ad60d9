#include "geometry/triangle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace triangle_test {

using testing::Random;

/// Tests a ray against one triangle, with the code of the kernels.
bool meets(const Ray& ray, vec3 a, vec3 b, vec3 c, u32 id, Hit& best) {
  const float magnitude =
      max_of(largest_magnitude(a), max_of(largest_magnitude(b), largest_magnitude(c)));
  const RaySetup s = make_setup(ray, magnitude);
  if (!s.valid) return false;
  const TriangleRow rows[3] = {{a.x, b.x, c.x, id}, {a.y, b.y, c.y, id}, {a.z, b.z, c.z, id}};
  bool met = false;
  intersect_triangle(s, ray.t_min, rows[s.kx()], rows[s.ky()], rows[s.kz], best,
                     [&](const Hit&, bool) {
                       met = true;
                       return true;
                     });
  return met;
}

TEST(Triangle, hits_where_double_precision_says) {
  Random random(1);
  int hits = 0;
  for (int i = 0; i < 200000; ++i) {
    const vec3 a = random.point(), b = random.point(), c = random.point();
    const Ray ray{random.point(3.0f), 0.0f, random.point(), 1e30f};
    // Computes the Moeller-Trumbore test in double precision, and the distance from the ray to the
    // nearest edge.
    const dvec3 o(vec3(ray.origin)), d(vec3(ray.direction)), e1 = dvec3(b) - dvec3(a),
                                                             e2 = dvec3(c) - dvec3(a);
    const dvec3 p = glm::cross(d, e2), s = o - dvec3(a), q = glm::cross(s, e1);
    const double det = glm::dot(e1, p), u = glm::dot(s, p) / det, v = glm::dot(d, q) / det,
                 t = glm::dot(e2, q) / det;
    if (std::abs(det) < 1e-4 || std::abs(t) < 1e-4) continue;
    const double edge = std::min({u, v, 1.0 - u - v});
    if (std::abs(edge) < 1e-5) continue;  // too near to an edge for double precision to decide
    Hit best = miss_of(ray);
    const bool expected = edge > 0.0 && t > 0.0;
    ASSERT_EQ(meets(ray, a, b, c, 5, best), expected) << i;
    if (!expected) continue;
    ++hits;
    EXPECT_EQ(best.triangle, 5u);
    EXPECT_NEAR(best.t, t, 1e-4 * (1.0 + t));
    EXPECT_NEAR(best.u, u, 2e-3);
    EXPECT_NEAR(best.v, v, 2e-3);
  }
  EXPECT_GT(hits, 1000);
}

/// The distance of origin + t * direction from the plane of a triangle, in units of the largest
/// coordinate of a corner relative to the origin.
double distance_to_plane(const Ray& ray, float t, vec3 a, vec3 b, vec3 c) {
  const dvec3 o(vec3(ray.origin)), normal = glm::cross(dvec3(b) - dvec3(a), dvec3(c) - dvec3(a));
  const dvec3 point = o + double{t} * dvec3(vec3(ray.direction));
  double farthest = 0.0;
  for (const vec3 corner : {a, b, c})
    for (const double x : {corner.x - o.x, corner.y - o.y, corner.z - o.z})
      farthest = std::max(farthest, std::abs(x));
  return std::abs(glm::dot(normal, point - dvec3(a))) / (glm::length(normal) * farthest);
}

TEST(Triangle, t_is_as_exact_as_promised) {
  Random random(4);
  double largest = 0.0;
  int near = 0;
  for (int i = 0; i < 300000; ++i) {
    const vec3 a = random.point(), b = random.point(), c = random.point();
    const vec3 on = a + (b - a) * random.between(0.0f, 0.5f) + (c - a) * random.between(0.0f, 0.5f);
    // The origin is far away, or so near that t is smaller than the rounding error of the other
    // numbers.
    const float distance = std::exp2(random.between(-30.0f, 6.0f));
    const vec3 direction = random.point();
    const Ray ray{on - direction * distance, 0.0f, direction, 1e30f};
    Hit hit = miss_of(ray);
    if (!meets(ray, a, b, c, 5, hit)) continue;
    near += distance < 1e-5f;
    const double off = distance_to_plane(ray, hit.t, a, b, c);
    ASSERT_LE(off, 0x1p-19) << i;
    largest = std::max(largest, off);
  }
  EXPECT_GT(near, 10000);
  // The errors come near the promised bound, so the bound is not vacuous.
  EXPECT_GT(largest, 0x1p-25);
}

TEST(Triangle, difference_of_products_has_the_sign_of_the_exact_value) {
  Random random(2);
  for (int i = 0; i < 1000000; ++i) {
    const float a = random.between(-1, 1), b = random.between(-1, 1);
    // The products are nearly equal: d is about a * b / c.
    const float c = random.between(0.5f, 1.0f);
    const float d = float_of(bits_of(a * b / c) + random.below(3) - 1);
    // Products of floats are exact in double precision. Rounding of their difference keeps its
    // sign.
    const double exact = double(a) * b - double(c) * d;
    const float ours = difference_of_products(a, b, c, d);
    ASSERT_EQ(ours > 0.0f, exact > 0.0) << i;
    ASSERT_EQ(ours < 0.0f, exact < 0.0) << i;
  }
}

TEST(Triangle, a_closed_mesh_never_lets_a_ray_through_at_edges_and_corners) {
  const Mesh mesh = testing::sphere(12);
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    // The rays start inside, so every ray must leave through some triangle.
    const vec3 origin = random.point(0.4f);
    const uvec3 t = mesh.triangles[random.below(static_cast<u32>(mesh.triangles.size()))];
    const float s = random.unit();
    const vec3 aim = i % 3 == 0 ? mesh.positions[t.x]
                                : mesh.positions[t.x] * (1.0f - s) + mesh.positions[t.y] * s;
    const Ray ray{origin, 0.0f, aim - origin, 1e30f};
    Hit best = miss_of(ray);
    for (u32 k = 0; k < mesh.triangles.size(); ++k) {
      const uvec3 m = mesh.triangles[k];
      meets(ray, mesh.positions[m.x], mesh.positions[m.y], mesh.positions[m.z], k, best);
    }
    ASSERT_TRUE(best.found()) << i;
  }
}

TEST(Triangle, equal_distances_go_to_the_smallest_id) {
  const vec3 a(-1, -1, 0), b(1, -1, 0), c(0, 1, 0);
  const Ray ray{{0, 0, -2}, 0.0f, {0, 0, 1}, 1e30f};
  for (const bool forward : {true, false}) {
    Hit best = miss_of(ray);
    for (u32 k = 0; k < 4; ++k) meets(ray, a, b, c, forward ? k : 3 - k, best);
    EXPECT_EQ(best.triangle, 0u);
    EXPECT_EQ(best.t, 2.0f);
  }
}

TEST(Triangle, t_min_is_excluded_and_t_max_included) {
  const vec3 a(-1, -1, 0), b(1, -1, 0), c(0, 1, 0);
  Ray ray{{0, 0, -2}, 2.0f, {0, 0, 1}, 1e30f};
  Hit best = miss_of(ray);
  EXPECT_FALSE(meets(ray, a, b, c, 0, best));
  ray = {{0, 0, -2}, 0.0f, {0, 0, 1}, 2.0f};
  best = miss_of(ray);
  EXPECT_TRUE(meets(ray, a, b, c, 0, best));
}

TEST(Triangle, rays_that_hold_nonsense_hit_nothing) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = 1.0f / 0.0f;
  const Ray rays[] = {{{nan, 0, 0}, 0, {0, 0, 1}, 9},   {{0, 0, -2}, 0, {0, nan, 1}, 9},
                      {{0, 0, -2}, 0, {0, 0, 0}, 9},    {{0, 0, -2}, 0, {0, 0, inf}, 9},
                      {{0, -inf, -2}, 0, {0, 0, 1}, 9}, {{0, 0, -2}, nan, {0, 0, 1}, 9},
                      {{0, 0, -2}, 0, {0, 0, 1}, nan},  {{0, 0, -2}, 0, {0, 0, 1}, -1}};
  for (const Ray& ray : rays) EXPECT_FALSE(make_setup(ray, 1.0f).valid);
}

}  // namespace triangle_test
}  // namespace ballotcast::detail
