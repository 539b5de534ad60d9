// Compares closest points of triangles with exact arithmetic.
#include "geometry/point_triangle.hpp"

#include <gtest/gtest.h>

#include <array>

#include "helpers/exact_distance.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"

namespace ballotcast::detail {
namespace point_triangle_test {

using testing::Part;
using testing::Random;
using Exact = boost::multiprecision::cpp_rational;
using Long = boost::multiprecision::cpp_bin_float_50;

struct Triangle3 {
  vec3 a, b, c;
  vec3 corner(u32 i) const { return i % 3 == 0 ? a : i % 3 == 1 ? b : c; }
};

struct ExactClosest {
  Exact squared;
  Part part;
  u32 index;
};

ExactClosest exact_closest(vec3 point, const Triangle3& t) {
  const auto from_point = [point](vec3 p) -> testing::VecOf<Exact> {
    return {Exact(p.x) - Exact(point.x), Exact(p.y) - Exact(point.y), Exact(p.z) - Exact(point.z)};
  };
  const auto found =
      testing::closest_part<Exact>({from_point(t.a), from_point(t.b), from_point(t.c)});
  return {found.above / found.below, found.part, found.index};
}

double distance_of(const Exact& squared) {
  return static_cast<double>(sqrt(Long(numerator(squared)) / Long(denominator(squared))));
}

PointOnTriangle closest(vec3 point, const Triangle3& t) {
  return closest_on_triangle(point, t.a, t.b, t.c);
}

double largest_distance(vec3 point, const Triangle3& t) {
  double most = 0.0;
  for (u32 i = 0; i < 3; ++i)
    most = std::max(most, std::sqrt(squared_length(dvec3(t.corner(i)) - dvec3(point))));
  return most;
}

/// A number near x that is a multiple of a power of two, 45 binary places below `reach`, so that
/// differences are exact.
float on_lattice(float x, float reach) {
  const float step = std::ldexp(1.0f, std::ilogb(reach) - 45);
  return std::round(x / step) * step;
}
vec3 on_lattice(vec3 p, float reach) {
  return {on_lattice(p.x, reach), on_lattice(p.y, reach), on_lattice(p.z, reach)};
}

/// A random triangle of kind `kind`: well shaped, thin in one of two ways, or without area in one
/// of three ways.
Triangle3 triangle_of(u32 kind, float reach, Random& random) {
  Triangle3 t{random.point(reach), random.point(reach), random.point(reach)};
  const float thin = std::ldexp(1.0f, -static_cast<int>(random.below(26)));
  if (kind == 1) t.c = t.b + (t.b - t.a) * thin + random.point(reach * thin * 0.125f);
  if (kind == 2) t.c = (t.a + t.b) * 0.5f + random.point(reach * thin);
  if (kind == 3) t.c = t.b;
  if (kind == 4) t.b = t.c = t.a;
  if (kind == 5) {
    t.b = {t.a.x + reach * 0.5f, t.a.y, t.a.z};
    t.c = {t.a.x + reach * random.unit(), t.a.y, t.a.z};
  }
  return t;
}

/// A random point of kind `kind`: anywhere, far away, or close to a corner, an edge, or the inside
/// of the triangle.
vec3 point_at(u32 kind, const Triangle3& t, float reach, Random& random) {
  const float away = std::ldexp(reach, -static_cast<int>(random.below(40)));
  const float u = random.unit(), v = random.unit() * (1.0f - u);
  const u32 i = random.below(3);
  if (kind == 0) return random.point(reach);
  if (kind == 1) return random.point(reach * 1024.0f);
  if (kind == 2) return t.corner(i);
  if (kind == 3) return t.corner(i) + random.point(away);
  if (kind == 4) return t.corner(i) * u + t.corner(i + 1) * (1.0f - u) + random.point(away);
  return t.a * (1.0f - u - v) + t.b * u + t.c * v + random.point(kind == 5 ? away : 0.0f);
}
constexpr u32 kTriangleKinds = 6, kPointKinds = 7;

// With sanitizers, exact arithmetic makes these tests slow, so they try a fifth of the cases.
constexpr u32 kFewer = testing::kSanitized ? 5 : 1;

template <class Visit>
void for_each_case(u32 count, Visit visit) {
  Random random(1);
  for (u32 i = 0; i < count; ++i) {
    const float reach = std::ldexp(1.0f, std::array{0, -60, 28}[i % 3]);
    Triangle3 t = triangle_of(random.below(kTriangleKinds), reach, random);
    // Moves a corner close to the origin, so that differences have many digits.
    if (i % 2) t = {vec3(0.0f) + (t.a - t.a * 0.99999f), t.b - t.a, t.c - t.a};
    for (vec3* p : {&t.a, &t.b, &t.c}) *p = on_lattice(*p, reach);
    vec3 point = on_lattice(point_at(random.below(kPointKinds), t, reach, random), reach);
    if (i % 4 < 2) t.a.z = t.b.z = t.c.z = 0.0f;
    // In the plane of the triangle, where errors have the largest effect.
    if (i % 8 < 2) point.z = 0.0f;
    visit(point, t);
  }
}

TEST(PointTriangle, the_distance_is_within_its_bound) {
  double most = 0.0;
  for_each_case(30000 / kFewer, [&](vec3 point, const Triangle3& t) {
    const double expected = distance_of(exact_closest(point, t).squared);
    const double reach = largest_distance(point, t);
    const double got = std::sqrt(closest(point, t).squared);
    ASSERT_GE(got, expected - 0x1p-48 * reach);
    ASSERT_LE(got, expected + 0x1p-45 * reach);
    if (reach > 0.0) most = std::max(most, std::abs(got - expected) / reach);
  });
  EXPECT_GT(most, 0x1p-54) << "the cases are too easy";
  RecordProperty("largest_error", std::to_string(most * 0x1p45));
}

TEST(PointTriangle, the_distance_is_never_too_small_where_differences_are_rounded) {
  Random random(2);
  for (u32 i = 0; i < 20000 / kFewer; ++i) {
    const auto any = [&] {
      const auto one = [&] {
        return std::ldexp(random.between(-1.0f, 1.0f), static_cast<int>(random.below(80)) - 40);
      };
      const float x = one(), y = one();
      return vec3(x, y, one());
    };
    Triangle3 t{any(), any(), any()};
    if (i % 3 == 0) t.c = (t.a + t.b) * 0.5f;
    const vec3 point = i % 5 == 0 ? (t.a + t.b) * 0.5f : any();
    const double expected = distance_of(exact_closest(point, t).squared);
    const double reach = largest_distance(point, t);
    const double got = std::sqrt(closest(point, t).squared);
    ASSERT_GE(got, expected - 0x1p-48 * reach);
    ASSERT_LE(got, expected + 0x1p-22 * reach);
  }
}

TEST(PointTriangle, the_weights_lead_to_the_point) {
  for_each_case(30000, [&](vec3 point, const Triangle3& t) {
    const PointOnTriangle found = closest(point, t);
    ASSERT_GE(found.u, 0.0);
    ASSERT_GE(found.v, 0.0);
    ASSERT_LE(found.u + found.v, 1.0 + 0x1p-50);
    const dvec3 a(t.a), b(t.b), c(t.c);
    const dvec3 at = a * (1.0 - found.u - found.v) + b * found.u + c * found.v;
    const double reach = largest_distance(point, t);
    ASSERT_NEAR(std::sqrt(squared_length(at - dvec3(point))), std::sqrt(found.squared),
                reach * 0x1p-45 + 0x1p-45 * largest_magnitude(dvec3(point)));
  });
}

/// True if a point of the second or third edge, which is not a corner of the first edge, is as
/// close as `expected`, except for rounding.
bool has_rival(vec3 point, const Triangle3& t, double expected) {
  for (const auto& [from, to] : {std::pair(t.b, t.c), std::pair(t.c, t.a)}) {
    const ExactClosest other = exact_closest(point, {from, to, to});
    const bool is_shared = other.part == Part::corner && (other.index == 0) == (from == t.b);
    if (!is_shared && distance_of(other.squared) < expected + 0x1p-44 * largest_distance(point, t))
      return true;
  }
  return false;
}

TEST(PointTriangle, triangles_agree_on_the_bits_of_what_they_share) {
  Random random(3);
  u32 edges = 0, corners = 0, rivals = 0;
  for (u32 i = 0; i < 40000; ++i) {
    const float reach = std::ldexp(1.0f, std::array{0, -60, 28}[i % 3]);
    Triangle3 t = triangle_of(random.below(3), reach, random);
    vec3 d = random.point(reach);
    if (i % 2) d = t.a + t.b - t.c;  // d lies in the plane of the other triangle
    if (i % 8 == 1) t.a.z = t.b.z = t.c.z = d.z = 0.0f;  // both triangles lie in an axis plane
    // The points lie above the shared edge or corner, where rounding could decide which part of a
    // triangle is closest.
    const float s = i % 4 ? random.unit() : static_cast<float>(random.below(9)) * 0.125f;
    vec3 point = t.a * s + t.b * (1.0f - s);
    const vec3 normal = cross(t.b - t.a, t.c - t.a) * (1.0f / reach);
    point = point + normal * random.between(-2.0f, 2.0f);
    if (i % 5 == 0) point = t.a + random.point(reach);
    if (i % 8 == 7) {  // exactly above an edge of two triangles in one plane
      const auto whole = [&] {
        const float x = random.below(4096), y = random.below(4096);
        return vec3(x, y, random.below(4096)) - 2048.0f;
      };
      t = {whole() * 2.0f, whole() * 2.0f, whole()};
      d = t.a + t.b - t.c;
      point = (t.a + t.b) * 0.5f + cross(t.b - t.a, t.c - t.a);
    }
    const std::array<vec3, 3> other = {t.b, t.a, d};
    const u32 turn = random.below(3);
    const Triangle3 u{other[turn], other[(turn + 1) % 3], other[(turn + 2) % 3]};

    const ExactClosest first = exact_closest(point, t), second = exact_closest(point, u);
    const double squared = closest(point, t).squared;
    if (first.part == Part::corner) {
      ASSERT_EQ(squared, squared_length(dvec3(t.corner(first.index)) - dvec3(point)));
      ++corners;
    }
    if (first.part != Part::edge || first.index != 0 || first.squared != second.squared) continue;
    const double expected = distance_of(first.squared);
    if (has_rival(point, t, expected) || has_rival(point, {t.b, t.a, d}, expected)) {
      ++rivals;
      continue;
    }
    ASSERT_EQ(squared, closest(point, u).squared) << i;
    const dvec3 a(t.a), b(t.b), p(point);
    ASSERT_EQ(squared, closest_on_edge({a - p, b - p, b - a}).squared) << i;
    ASSERT_EQ(squared, closest_on_edge({b - p, a - p, a - b}).squared) << i;
    ++edges;
  }
  EXPECT_GT(edges, 4000u);
  EXPECT_LT(rivals, edges / 10);
  EXPECT_GT(corners, 2000u);
}

TEST(PointTriangle, signs_of_scalar_products_that_are_certain_are_right) {
  Random random(4);
  u32 wrong = 0, certain = 0;
  for (u32 i = 0; i < 100000; ++i) {
    const auto any = [&] { return random.between(-1.0f, 1.0f) + random.unit() * 0x1p-26; };
    dvec3 a(any(), any(), any()), b(any(), any(), any());
    b.z = -(a.x * b.x + a.y * b.y) / a.z + random.below(3) * 0x1p-52;  // nearly perpendicular
    const Exact sum = Exact(a.x) * Exact(b.x) + Exact(a.y) * Exact(b.y) + Exact(a.z) * Exact(b.z);
    const ScalarProduct got(a, b);
    wrong += (got.value > 0.0) != (sum > 0) ? 1 : 0;
    certain += got.certainly_positive() || got.certainly_negative() ? 1 : 0;
    ASSERT_TRUE(!got.certainly_positive() || sum > 0);
    ASSERT_TRUE(!got.certainly_negative() || sum < 0);
  }
  EXPECT_GT(wrong, 1000u) << "the cases are too easy";
  EXPECT_GT(certain, 100u);
}

TEST(PointTriangle, wide_numbers_know_how_far_off_they_are) {
  u32 unsure = 0;
  for_each_case(20000 / kFewer, [&](vec3 point, const Triangle3& t) {
    const std::array<vec3, 3> corners = {t.a, t.b, t.c};
    const ExactClosest expected = exact_closest(point, t);
    try {
      const auto wide = testing::closest_part(testing::seen_from<testing::Wide>(point, corners, 0));
      ASSERT_TRUE(wide.part == expected.part && wide.index == expected.index);
      const testing::Between between = testing::distance_to(wide, 0);
      ASSERT_LE(between.least, distance_of(expected.squared));
      ASSERT_GE(between.most, distance_of(expected.squared));
      ASSERT_LE(between.most - between.least, 0x1p-49 * largest_distance(point, t));
    } catch (const testing::Unsure&) {
      ++unsure;
    }
    int unit = testing::last_digit(point, 0);
    for (const vec3 corner : corners) unit = testing::last_digit(corner, unit);
    const auto whole =
        testing::closest_part(testing::seen_from<testing::Integer>(point, corners, unit));
    ASSERT_TRUE(whole.part == expected.part && whole.index == expected.index);
    ASSERT_NEAR(testing::distance_to(whole, unit).least, distance_of(expected.squared),
                0x1p-50 * distance_of(expected.squared));
  });
  EXPECT_GT(unsure, 100u / kFewer);
  EXPECT_LT(unsure, 10000u / kFewer);
}

TEST(PointTriangle, far_and_tiny_triangles_overflow_and_underflow_nowhere) {
  const float far = kLargestCoordinate, tiny = 0x1p-149f;
  EXPECT_EQ(std::sqrt(closest({far, far, far},
                              {{-far, -far, -far}, {-far, -far, -far}, {-far, -far, -far}})
                          .squared),
            std::sqrt(3.0) * 0x1p41);
  EXPECT_EQ(closest({0, 0, far}, {{-far, -far, -far}, {far, -far, -far}, {0, far, -far}}).squared,
            0x1p82);
  EXPECT_EQ(closest({0, 0, tiny}, {{-tiny, -tiny, 0}, {tiny, -tiny, 0}, {0, tiny, 0}}).squared,
            0x1p-298);
  EXPECT_LT(
      closest({far, far, far}, {{-far, far, far}, {-far, -far, far}, {far, -far, far}}).squared,
      kFarthestSquared);
}

}  // namespace point_triangle_test
}  // namespace ballotcast::detail
