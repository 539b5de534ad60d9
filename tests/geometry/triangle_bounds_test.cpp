// Compares bounds in floats of the distance to a triangle with the distance in doubles.
#include "geometry/triangle_bounds.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ballotcast::detail {
namespace {

/// A point and a triangle, at any scale and offset. Some triangles are thin or have no area, and
/// some points lie on or very near the triangle.
struct Trial {
  vec3 p, a, b, c;
};

class Trials {
 public:
  Trial next() {
    const double scale = std::ldexp(1.0, any(4) == 0 ? any(80) - 40 : any(12) - 6);
    vec3 offset(0.0f);
    if (any(3) == 0) offset = within(scale * std::ldexp(1.0, any(24)));
    if (largest_magnitude(offset) > 1e11f) offset = vec3(0.0f);
    Trial t{within(scale * std::ldexp(1.0, any(10) - 2)) + offset, within(scale) + offset,
            within(scale) + offset, within(scale) + offset};
    const float u = share(), v = (1.0f - u) * share();
    switch (any(9)) {
      case 0:
        t.b = t.a;
        break;
      case 1:
        t.c = t.b = t.a;
        break;
      case 2:
        t.c = t.a + (t.b - t.a) * u;
        break;
      case 3:
        t.c = t.a + (t.b - t.a) * u + within(scale * std::ldexp(1.0, -any(40)));
        break;
      case 4:
        t.p = t.a + (t.b - t.a) * u + (t.c - t.a) * v;
        break;
      case 5:
        t.p = t.a + within(scale * std::ldexp(1.0, -any(60)));
        break;
      case 6:
        t.b = t.a + within(scale * std::ldexp(1.0, -any(50)));
        break;
      default:
        break;
    }
    return t;
  }

 private:
  int any(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  float share() { return static_cast<float>(random_() >> 8) * 0x1p-24f; }
  vec3 within(double scale) {
    const auto one = [&] { return static_cast<float>((2.0 * double{share()} - 1.0) * scale); };
    const float x = one(), y = one();
    return {x, y, one()};
  }

  std::mt19937 random_{1};
};

TEST(TriangleBounds, hold_the_distance_in_doubles) {
  Trials trials;
  u32 corners = 0;
  for (u32 i = 0; i < 300000u; ++i) {
    const Trial t = trials.next();
    if (!is_usable(t.p) || !is_usable(t.a) || !is_usable(t.b) || !is_usable(t.c)) continue;
    const DistanceBounds bounds = distance_bounds(t.p, t.a, t.b, t.c);
    const double squared = closest_on_triangle(t.p, t.a, t.b, t.c).squared;
    ASSERT_LE(double{bounds.least}, std::sqrt(squared)) << i;
    ASSERT_GE(double{bounds.most}, std::sqrt(squared)) << i;
    if (bounds.corner == 3u) continue;
    ++corners;
    const vec3 corner = bounds.corner == 0u ? t.a : bounds.corner == 1u ? t.b : t.c;
    ASSERT_EQ(squared_length(dvec3(corner) - dvec3(t.p)), squared) << i;
  }
  EXPECT_GT(corners, 50000u);
}

TEST(TriangleBounds, are_close_together) {
  const DistanceBounds bounds = distance_bounds(vec3(0.25f, 0.25f, 2.0f), vec3(0.0f),
                                                vec3(1.0f, 0.0f, 0.0f), vec3(0.0f, 1.0f, 0.0f));
  EXPECT_GT(bounds.least, 1.9999f);
  EXPECT_LT(bounds.most, 2.0001f);
  EXPECT_EQ(bounds.corner, 3u);
}

}  // namespace
}  // namespace ballotcast::detail
