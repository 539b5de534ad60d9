#include "geometry/precise_ray.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ballotcast::detail {
namespace precise_ray_test {

TEST(PreciseRay, shrinks_directions_of_any_length_by_a_power_of_two) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  std::uniform_int_distribution<int> exponent(-1085, 1023);
  const Ball ball(dvec3(0.0), 1.0);
  for (int trial = 0; trial < 200000; ++trial) {
    const int e = trial < 20 ? -1075 + trial : exponent(random);
    const dvec3 way(std::ldexp(part(random), e), std::ldexp(part(random), e - trial % 60),
                    std::ldexp(part(random), e));
    const double largest = std::max({std::abs(way.x), std::abs(way.y), std::abs(way.z)});
    const PreciseRay ray(dvec3(0.0), way, ball);
    const Ray cast = ray.to_cast(0.0, 1.0);
    if (!(largest > 0.0)) {
      ASSERT_EQ(cast.t_max, 0.0f);
      continue;
    }
    const int by = -std::ilogb(largest);
    const Vec3f expected(static_cast<float>(std::ldexp(way.x, by)),
                         static_cast<float>(std::ldexp(way.y, by)),
                         static_cast<float>(std::ldexp(way.z, by)));
    ASSERT_EQ(vec3(cast.direction), vec3(expected)) << way.x << " " << way.y << " " << way.z;
    ASSERT_EQ(ray.along(1.0), 1.0 / std::ldexp(1.0, -by));
  }
}

TEST(PreciseRay, starts_near_a_scene_in_front_of_it_only) {
  const Ball ball(dvec3(10.0, 0.0, 0.0), 2.0);
  const auto start = [&](double x) {
    return PreciseRay(dvec3(x, 0.0, 0.0), dvec3(1.0, 0.0, 0.0), ball).to_cast(0.0, 1.0).origin.x;
  };
  EXPECT_NEAR(start(-1e9), 8.0f, 0.1f);
  EXPECT_EQ(start(9.0), 9.0f) << "within";
  EXPECT_EQ(start(1e9), 1e9f) << "behind";
}

}  // namespace precise_ray_test
}  // namespace ballotcast::detail
