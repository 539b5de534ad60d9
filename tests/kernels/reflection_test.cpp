// Tests surfaces: energy, reciprocity, and that directions are chosen with the density that the
// surface reports.
#include "kernels/shadings/paths/reflection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/shadings/paths/glass.hpp"

namespace ballotcast::detail {
namespace reflection_test {

constexpr float kPi = 3.14159265f;

/// A glossy surface. `diffuse` is the colour below the coat.
Reflector surface(float diffuse, float specular, float width) {
  return {{0.0f, 0.0f, 1.0f}, vec3(diffuse * (1.0f - specular)), vec3(specular), width, true};
}

vec3 at_angle(float degrees) {
  const float a = degrees * kPi / 180.0f;
  return {std::sin(a), 0.0f, std::cos(a)};
}

vec3 towards(float height, float turn) {
  const float radius = std::sqrt(std::max(0.0f, 1.0f - height * height));
  return {radius * std::cos(turn), radius * std::sin(turn), height};
}

/// The mean of Bounce::factor over random directions: the share of light from a white sky that is
/// reflected.
double mean_factor(const Reflector& r, vec3 to_eye, u32 samples) {
  double sum = 0.0;
  for (u32 i = 0; i < samples; ++i) {
    const vec2 choice = sample_2d(7u, i, 2u);
    const Bounce b = r.bounce(to_eye, sample_2d(7u, i, 1u), choice.x);
    if (b.direction.z > 0.0f) sum += static_cast<double>(b.factor.x);
  }
  return sum / samples;
}

TEST(Reflection, of_a_mapped_normal_leaves_the_surface) {
  const vec3 geometric(0.0f, 0.0f, 1.0f);
  for (const float angle : {0.0f, 10.0f, 45.0f, 80.0f, 89.0f, 89.9f}) {
    const vec3 eye = at_angle(angle);
    for (u32 i = 0; i < 1000; ++i) {
      const vec2 sample = sample_2d(3u, i, 1u);
      const vec3 mapped = towards(sample.x, 6.2831853f * sample.y);
      if (!(dot(mapped, eye) > 0.0f)) continue;
      const vec3 normal = reflecting_normal(mapped, geometric, eye);
      EXPECT_GT(mirrored(eye, normal).z, 0.0f) << angle << " " << i;
      EXPECT_GT(dot(normal, eye), 0.0f);
      if (mirrored(eye, mapped).z > 0.01f) {
        EXPECT_EQ(normal, mapped) << "there was no need";
      }
    }
  }
  // A normal just below the limit is changed only a little.
  const vec3 eye = at_angle(0.0f), mapped = at_angle(45.1f);
  const vec3 normal = reflecting_normal(mapped, geometric, eye);
  EXPECT_LT(dot(normal - mapped, normal - mapped), 1e-3f);
}

TEST(Reflection, never_gains_energy) {
  for (const float angle : {0.0f, 30.0f, 60.0f, 75.0f, 85.0f, 89.0f})
    for (const float specular : {0.02f, 0.04f, 0.2f, 0.5f, 0.9f, 1.0f})
      for (const float width : {0.001f, 0.02f, 0.1f, 0.3f, 0.6f, 1.0f})
        for (const float diffuse : {0.0f, 1.0f}) {
          const double reflected =
              mean_factor(surface(diffuse, specular, width), at_angle(angle), 4096);
          EXPECT_LE(reflected, 1.002) << angle << " " << specular << " " << width << " " << diffuse;
          EXPECT_GT(reflected, 0.0);
        }
}

TEST(Reflection, white_under_a_smooth_coat_reflects_everything) {
  for (const float angle : {0.0f, 30.0f, 60.0f, 80.0f})
    EXPECT_NEAR(mean_factor(surface(1.0f, 0.04f, 0.001f), at_angle(angle), 65536), 1.0, 0.003)
        << angle;
  const Reflector white{{0.0f, 0.0f, 1.0f}, vec3(1.0f), vec3(0.0f), 1.0f, false};
  EXPECT_EQ(mean_factor(white, at_angle(50.0f), 64), 1.0);
}

TEST(Reflection, is_the_same_both_ways) {
  for (const float width : {0.05f, 0.4f, 1.0f}) {
    const Reflector r = surface(0.5f, 0.3f, width);
    const vec3 a = at_angle(20.0f), b = towards(0.4f, 2.0f);
    const float there = r.reflect(a, b).share.x / b.z, back = r.reflect(b, a).share.x / a.z;
    EXPECT_NEAR(there, back, 1e-5f * there);
  }
}

TEST(Reflection, chooses_directions_with_the_density_that_it_states) {
  for (const float width : {0.2f, 0.7f}) {
    const Reflector r = surface(0.4f, 0.3f, width);
    const vec3 to_eye = at_angle(40.0f);
    constexpr u32 kHeights = 8, kTurns = 8, kSamples = 200000;
    double found[kHeights][kTurns] = {}, stated[kHeights][kTurns] = {};
    for (u32 i = 0; i < kSamples; ++i) {
      const Bounce b = r.bounce(to_eye, sample_2d(3u, i, 1u), sample_2d(3u, i, 2u).x);
      if (!(b.direction.z > 0.0f)) continue;
      const double turn = std::atan2(b.direction.y, b.direction.x) / (2.0 * kPi) + 0.5;
      const auto row = std::min(kHeights - 1, static_cast<u32>(b.direction.z * kHeights));
      const auto column = std::min(kTurns - 1, static_cast<u32>(turn * kTurns));
      found[row][column] += 1.0 / kSamples;
    }
    constexpr u32 kFine = 128;  // numerical integration: steps per cell
    for (u32 row = 0; row < kHeights * kFine; ++row)
      for (u32 column = 0; column < kTurns * kFine; ++column) {
        const float height = (row + 0.5f) / (kHeights * kFine);
        const float turn = ((column + 0.5f) / (kTurns * kFine) - 0.5f) * 2.0f * kPi;
        stated[row / kFine][column / kFine] +=
            static_cast<double>(r.reflect(to_eye, towards(height, turn)).density) * 2.0 * kPi /
            (kHeights * kFine * kTurns * kFine);
      }
    for (u32 row = 0; row < kHeights; ++row)
      for (u32 column = 0; column < kTurns; ++column)
        EXPECT_NEAR(found[row][column], stated[row][column], 0.001 + 0.02 * stated[row][column])
            << width << " " << row << " " << column;
  }
}

TEST(Reflection, of_a_mirror_has_one_direction) {
  const Reflector mirror = surface(0.0f, 0.8f, 0.0f);
  EXPECT_TRUE(mirror.only_mirrors());
  const vec3 to_eye = at_angle(30.0f);
  const Bounce b = mirror.bounce(to_eye, vec2(0.3f, 0.7f), 0.5f);
  EXPECT_EQ(b.density, 0.0f);
  EXPECT_NEAR(b.direction.x, -to_eye.x, 1e-6f);
  EXPECT_NEAR(b.direction.z, to_eye.z, 1e-6f);
  EXPECT_EQ(mirror.reflect(to_eye, b.direction).share, vec3(0.0f));
}

TEST(Glass, bends_light_by_the_law_of_refraction) {
  const Glass into{{0.0f, 0.0f, 1.0f}, vec3(1.0f), 1.5f, false};
  const vec3 to_eye = at_angle(40.0f);
  const Bounce b = into.bounce(to_eye, 0.999f);
  EXPECT_LT(b.direction.z, 0.0f);
  EXPECT_NEAR(-b.direction.x * 1.5f, to_eye.x, 1e-6f);
  EXPECT_EQ(b.factor, vec3(1.0f));
  // Fresnel's reflectance at normal incidence is ((1.5 - 1) / (1.5 + 1))^2 = 0.04.
  EXPECT_GT(into.bounce(at_angle(0.0f), 0.0399f).direction.z, 0.0f);
  EXPECT_LT(into.bounce(at_angle(0.0f), 0.0401f).direction.z, 0.0f);
  // From inside, light at a flat angle is totally reflected.
  const Glass out_of{{0.0f, 0.0f, 1.0f}, vec3(1.0f), 1.0f / 1.5f, false};
  EXPECT_GT(out_of.bounce(at_angle(45.0f), 0.999f).direction.z, 0.0f);
}

TEST(Glass, of_a_pane_lets_light_go_straight_on) {
  const Glass pane{{0.0f, 0.0f, 1.0f}, {0.5f, 1.0f, 1.0f}, 1.5f, true};
  const vec3 to_eye = at_angle(25.0f);
  const Bounce b = pane.bounce(to_eye, 0.9f);
  EXPECT_EQ(b.direction, -to_eye);
  EXPECT_EQ(b.factor, vec3(0.5f, 1.0f, 1.0f));
  // The two surfaces of a pane, each with a reflectance of 0.04, reflect 2 * 0.04 / 1.04.
  EXPECT_GT(pane.bounce(at_angle(0.0f), 0.0768f).direction.z, 0.0f);
  EXPECT_LT(pane.bounce(at_angle(0.0f), 0.0770f).direction.z, 0.0f);
}

}  // namespace reflection_test
}  // namespace ballotcast::detail
