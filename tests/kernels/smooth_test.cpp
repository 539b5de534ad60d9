#include "kernels/smooth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace {

constexpr u32 kSide = 64;
constexpr u32 kPixels = kSide * kSide;

/// A grey wall at z = 0, seen from z = 10 along the z axis.
std::vector<Feature> wall() {
  std::vector<Feature> features(kPixels);
  for (u32 i = 0; i < kPixels; ++i)
    features[i] = {vec3(0.5f), {0, 0, 1}, {0.01f * (i % kSide), 0.01f * (i / kSide), 0}, 1.0f};
  return features;
}

std::vector<SoftLight> smoothed(std::vector<SoftLight> in, const std::vector<Feature>& features) {
  std::vector<SoftLight> out(kPixels);
  for (u32 k = 0; k < kSmoothingSteps; ++k) {
    for (u32 i = 0; i < kPixels; ++i)
      SmoothStep::item(i, in.data(), out.data(), features.data(), kSide, kSide, 1u << k, 0.001f,
                       {0, 0, 10});
    in.swap(out);
  }
  return in;
}

double error_of(const std::vector<SoftLight>& light, float truth) {
  double sum = 0.0;
  for (const SoftLight& l : light) sum += (l.light.x - truth) * (l.light.x - truth);
  return std::sqrt(sum / kPixels);
}

TEST(Smoothing, takes_most_of_the_noise_off_an_even_wall) {
  testing::Random random(1);
  std::vector<SoftLight> noisy(kPixels);
  for (SoftLight& l : noisy) l = {vec3(1.0f + random.between(-0.5f, 0.5f)), 1.0f / 12.0f};
  EXPECT_LT(error_of(smoothed(noisy, wall()), 1.0f), 0.2 * error_of(noisy, 1.0f));
}

TEST(Smoothing, leaves_light_alone_that_has_no_variance) {
  testing::Random random(2);
  std::vector<SoftLight> exact(kPixels);
  for (SoftLight& l : exact) l = {vec3(random.unit()), 0.0f};
  const std::vector<SoftLight> after = smoothed(exact, wall());
  for (u32 i = 0; i < kPixels; ++i) EXPECT_NEAR(after[i].light.x, exact[i].light.x, 1e-4f);
}

TEST(Smoothing, does_not_mix_surfaces_that_face_elsewhere_or_lie_on_another_plane) {
  for (const bool turned : {true, false}) {
    std::vector<Feature> features = wall();
    std::vector<SoftLight> light(kPixels);
    for (u32 i = 0; i < kPixels; ++i) {
      const bool right = i % kSide >= kSide / 2;
      light[i] = {vec3(right ? 1.0f : 0.0f), 10.0f};
      if (!right) continue;
      if (turned)
        features[i].normal = {1, 0, 0};
      else
        features[i].position.z = 20.0f;
    }
    const std::vector<SoftLight> after = smoothed(light, features);
    for (u32 i = 0; i < kPixels; ++i)
      EXPECT_NEAR(after[i].light.x, light[i].light.x, 0.02f) << turned;
  }
}

TEST(Smoothing, splitting_and_joining_gives_the_light_back) {
  const Feature feature{vec3(2.0f, 1.0f, 0.0f), {0, 0, 1}, {0, 0, 0}, 4.0f};  // of 4 samples
  vec3 soft(0.8f, 0.4f, 0.02f), film(1.0f);
  float squares = 1.0f;
  Feature features = feature;
  SoftLight split;
  SplitSoftLight::item(0, {&soft, &squares, &features}, 4, &split);
  EXPECT_FLOAT_EQ(split.light.x, 0.4f);
  JoinSoftLight::item(0, &split, &features, 4, &film);
  EXPECT_FLOAT_EQ(film.x, 1.8f);
  EXPECT_FLOAT_EQ(film.y, 1.4f);
  EXPECT_FLOAT_EQ(film.z, 1.02f);
}

}  // namespace
}  // namespace ballotcast::detail
