// Compares signs of areas and volumes with exact arithmetic in integers of any size.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>

#include "geometry/point_crossing.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace exact_sign_test {

using Integer = boost::multiprecision::cpp_int;
using testing::Random;

/// The number x as an integer, in units of 2^-800.
Integer whole(double x) {
  int exponent = 0;
  const Integer digits(static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53)));
  return digits << (exponent - 53 + 800);
}

int sign(const Integer& number) { return number.sign(); }

int exact_area(PlanePoint a, PlanePoint b, PlanePoint p) {
  return sign((whole(a.x) - whole(p.x)) * (whole(b.y) - whole(p.y)) -
              (whole(a.y) - whole(p.y)) * (whole(b.x) - whole(p.x)));
}

int exact_volume(const dvec3& a, const dvec3& b, const dvec3& c, const dvec3& p) {
  const auto seen = [&p](const dvec3& q) {
    return std::array<Integer, 3>{whole(q.x) - whole(p.x), whole(q.y) - whole(p.y),
                                  whole(q.z) - whole(p.z)};
  };
  const auto u = seen(a), v = seen(b), w = seen(c);
  return sign(u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
              u[2] * (v[0] * w[1] - v[1] * w[0]));
}

/// A generator of random numbers whose sizes differ by up to 2^`range`; some of them are 0.
struct Numbers {
  Random random;
  int range;

  float next_float() {
    if (random.below(9) == 0) return 0.0f;
    return std::ldexp(random.between(-1.0f, 1.0f),
                      static_cast<int>(random.below(static_cast<u32>(range) + 1)) - range / 2);
  }
  vec3 corner() { return {next_float(), next_float(), next_float()}; }
  double next_double(double near) {
    const double off = std::ldexp(double{next_float()}, -static_cast<int>(random.below(80)));
    return random.below(3) == 0 ? near : near + off;
  }
};

TEST(ExactSign, of_areas_and_volumes_is_that_of_integers) {
  u32 zeros = 0, exact = 0;
  for (const int range : {0, 4, 30, 80})
    for (u32 i = 0; i < 20000; ++i) {
      Numbers numbers{Random(i + static_cast<u32>(range) * 100000u), range};
      const dvec3 a(numbers.corner()), b(numbers.corner()), c(numbers.corner());
      // p is nearly on the triangle, as a float or a double, or exactly at a corner.
      const double s = numbers.random.unit(), t = numbers.random.unit() * (1.0 - s);
      const dvec3 on = i % 5 == 0 ? a : a * (1.0 - s - t) + b * s + c * t;
      dvec3 p = {numbers.next_double(on.x), numbers.next_double(on.y), numbers.next_double(on.z)};
      if (i % 3 == 0) p = dvec3(vec3(p));
      const PlanePoint pa{a.x, a.y}, pb{b.x, b.y}, pp{p.x, p.y};
      const int area = exact_area(pa, pb, pp), volume = exact_volume(a, b, c, p);
      ASSERT_EQ(area_sign(pa, pb, pp), area) << i;
      ASSERT_EQ(exact_area_sign(pa, pb, pp), area) << i;
      ASSERT_EQ(volume_sign(a, b, c, p), volume) << i;
      ASSERT_EQ(exact_volume_sign(a, b, c, p), volume) << i;
      zeros += volume == 0;
      const dvec3 pa3 = a - p, pb3 = b - p, pc3 = c - p;
      const double rounded = dot(pa3, cross(pb3, pc3));
      exact += (rounded > 0.0) - (rounded < 0.0) != volume;
    }
  EXPECT_GT(zeros, 1000u);
  EXPECT_GT(exact, 1000u) << "cases in which rounding alone has the wrong sign";
}

TEST(ExactSign, of_the_smallest_and_the_largest_numbers) {
  for (const double size : {0x1p-149, 0x1p-126, 0x1p40, 0x1p60}) {
    const PlanePoint a{0.0, 0.0}, b{size, 0.0};
    EXPECT_EQ(area_sign(a, b, {0.5 * size, 0x1p-700}), 1);
    EXPECT_EQ(area_sign(a, b, {0.5 * size, -0x1p-700}), -1);
    EXPECT_EQ(area_sign(a, b, {0.5 * size, 0.0}), 0);
    const dvec3 c(0.0), d(size, 0.0, 0.0), e(0.0, size, 0.0);
    EXPECT_EQ(volume_sign(c, d, e, {0.2 * size, 0.2 * size, -0x1p-600}), 1);
    EXPECT_EQ(volume_sign(c, d, e, {0.2 * size, 0.2 * size, 0x1p-600}), -1);
    EXPECT_EQ(volume_sign(c, d, e, {0.2 * size, 0.2 * size, 0.0}), 0);
  }
}

TEST(PointCrossing, of_a_point_on_a_slope_is_what_the_shift_says) {
  // The height of a plane over (x, y) is slope_x x + slope_y y. A point of the plane is shifted
  // towards +x; or, if the plane is level in x, towards +y. It is then below the plane if the plane
  // rises in that direction.
  struct Case {
    float slope_x, slope_y;
    i32 expected;
  };
  for (const Case c : {Case{1, 0, 1}, Case{-1, 0, 0}, Case{0.5f, -1, 1}, Case{-0.5f, 1, 0},
                       Case{0, 2, 1}, Case{0, -2, 0}, Case{0, 0, 0}}) {
    const vec3 at(0, 0, 0), x(1, 0, c.slope_x), y(0, 1, c.slope_y);
    const dvec3 p(0.25, 0.25, 0.25 * double{c.slope_x} + 0.25 * double{c.slope_y});
    EXPECT_EQ(crossing_above(p, at, x, y), c.expected) << c.slope_x << ", " << c.slope_y;
    EXPECT_EQ(crossing_above(p, at, y, x), -c.expected) << c.slope_x << ", " << c.slope_y;
  }
}

TEST(PointCrossing, of_cells_that_fill_space_has_each_point_in_one_of_them) {
  // The cube has corners at integers; the points lie at corners, on edges, on faces, inside and
  // outside.
  const Mesh cube = testing::cube();
  for (u32 i = 0; i < 5 * 5 * 5; ++i) {
    const dvec3 p = dvec3(i % 5, i / 5 % 5, i / 25) * 0.5 + dvec3(1.0);
    u32 holders = 0;
    dvec3 holder(-1.0);
    for (u32 k = 0; k < 5 * 5 * 5; ++k) {
      const vec3 at(static_cast<float>(k % 5), static_cast<float>(k / 5 % 5),
                    static_cast<float>(k / 25));
      i32 turns = 0, count = 0;
      for (const uvec3 t : cube.triangles) {
        const i32 turn = crossing_above(p, cube.positions[t.x] + at, cube.positions[t.y] + at,
                                        cube.positions[t.z] + at);
        turns += turn;
        count += turn != 0;
      }
      ASSERT_EQ(count % 2, turns);
      if (turns == 1) ++holders, holder = dvec3(at);
    }
    ASSERT_EQ(holders, 1u);
    ASSERT_EQ(holder, floor(p)) << "the cell towards +x, +y and +z";
  }
}

}  // namespace exact_sign_test
}  // namespace ballotcast::detail
