// Tests the filter that smooths light (kernels/smooth).
#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "helpers/meshes.hpp"
#include "helpers/owned_halves.hpp"
#include "kernels/smooth/filter.hpp"
#include "kernels/smooth/sums.hpp"

namespace ballotcast::detail {
namespace smooth_test {

constexpr u32 kSide = 48;
constexpr u32 kPixels = kSide * kSide;
// The camera is at (0, 0, 10); pixels have a size of 0.001 at distance 1.
const CameraView kCamera{{0, 0, 10}, {}, {}, {0, 0.001f, 0}, {}, 0u, {}, {}, 0.0f};

using Pixels = std::vector<PixelPatches>;

/// A sample of pixel `pixel` that has hit a grey wall at z = 0, seen from z = 10 along the z axis.
PatchSample on_wall(u32 pixel, float light, u32 half) {
  PatchSample sample{};
  sample.feature = {
      vec3(0.5f), 1.0f, {0, 0, 1}, 0.0f, {0.01f * (pixel % kSide), 0.01f * (pixel / kSide), 0},
      0.0f};
  sample.light[1] = vec3(light);
  sample.half = half;
  return sample;
}

/// The patches of a wall whose light is 1 everywhere. Each pixel has four noisy samples.
Pixels noisy_wall(u32 seed) {
  testing::Random random(seed);
  Pixels pixels(kPixels);
  for (u32 i = 0; i < kPixels; ++i)
    for (u32 s = 0; s < 4; ++s)
      pixels[i].add(on_wall(i, 1.0f + random.between(-0.5f, 0.5f), s % 2), kCamera);
  return pixels;
}

using testing::OwnedHalves;

/// The inputs of the filter for a picture: the patches, split into surfaces and light.
struct Patched {
  std::vector<u32> covered;
  OwnedHalves<PatchSurface> surfaces;
  OwnedHalves<PatchLight> lamp, ambient;
  std::vector<u32> second;
  PatchGrid grid;

  /// `its_covered`: FilmArrays::covered; empty if no pixel shows a lamp.
  Patched(const Pixels& pixels, u32 width, u32 height, float samples,
          std::vector<u32> its_covered = {})
      : covered(std::move(its_covered)),
        surfaces(kPatches * width * height),
        lamp(kPatches * width * height),
        ambient(kPatches * width * height),
        second(words_of_second_patches(width * height)),
        grid{surfaces, second.data(), width, height, samples} {
    covered.resize(width * height);
    for (u32 i = 0; i < grid.items(); ++i)
      SplitPatches::item(i, pixels.data(), covered.data(), grid.pixels(), kCamera, surfaces, lamp,
                         ambient);
    for (u32 i = 0; i < second.size(); ++i)
      MarkSecondPatches::item(i, surfaces, grid.pixels(), second.data());
  }
};

/// The ambient light of each patch after all steps of the filter.
OwnedHalves<PatchLight> smoothed(const Pixels& pixels, float samples,
                                 std::vector<u32> covered = {}) {
  const Patched in(pixels, kSide, kSide, samples, std::move(covered));
  const PatchGrid& grid = in.grid;
  OwnedHalves<PatchLight> dropped(grid.items()), noisy(grid.items()), blurred(grid.items()),
      guide(grid.items()), out(grid.items());
  const auto each = [&](auto step) {
    for (u32 i = 0; i < grid.items(); ++i) step(i);
  };
  each([&](u32 i) { DropFireflies::item(i, grid, in.ambient, false, dropped); });
  each([&](u32 i) { MeasureNoise::item(i, grid, dropped, noisy); });
  each([&](u32 i) { BlurGuide::item(i, grid, noisy, blurred); });
  each([&](u32 i) { SmoothLight::item(i, grid, noisy, blurred, kFullWindows.guide, guide); });
  each([&](u32 i) { SmoothLight::item(i, grid, noisy, guide, kFullWindows.ambient, out); });
  return out;
}

float mean_of(const PatchLight& light) { return 0.5f * (light.half[0].x + light.half[1].x); }

double error_of(const OwnedHalves<PatchLight>& light, float truth) {
  double sum = 0.0;
  for (u32 i = 0; i < kPixels; ++i) sum += std::pow(mean_of(light[i]) - truth, 2.0);
  return std::sqrt(sum / kPixels);
}

TEST(Smoothing, takes_nearly_all_of_the_noise_off_an_even_wall) {
  const Pixels pixels = noisy_wall(1);
  // Without smoothing, the mean of four such samples has an error of 0.144.
  EXPECT_LT(error_of(smoothed(pixels, 4), 1.0f), 0.015);
}

TEST(Smoothing, leaves_no_grid) {
  const Pixels pixels = noisy_wall(7);
  const OwnedHalves<PatchLight> after = smoothed(pixels, 4);
  // Pixels must differ more, the farther they are apart. If smoothing left a grid pattern,
  // neighbours would differ more than pixels two steps apart.
  double nearer = 0.0;
  for (const u32 step : {1u, 2u, 3u, 4u}) {
    double difference = 0.0;
    for (u32 y = 0; y < kSide; ++y)
      for (u32 x = 0; x + step < kSide; ++x)
        difference +=
            std::pow(mean_of(after[y * kSide + x]) - mean_of(after[y * kSide + x + step]), 2.0);
    difference /= kSide * (kSide - step);
    EXPECT_GT(difference, nearer) << step;
    nearer = difference;
  }
}

TEST(Smoothing, leaves_light_alone_whose_halves_agree) {
  testing::Random random(2);
  Pixels pixels(kPixels);
  std::vector<float> exact(kPixels);
  for (u32 i = 0; i < kPixels; ++i) {
    exact[i] = 1.0f + 0.01f * random.unit();
    for (u32 s = 0; s < 2; ++s) pixels[i].add(on_wall(i, exact[i], s), kCamera);
  }
  // Fireflies are recognised by the differences of the halves. These are 0 here, so light may be
  // reduced to the mean of its surroundings.
  const OwnedHalves<PatchLight> after = smoothed(pixels, 2);
  for (u32 i = 0; i < kPixels; ++i) EXPECT_NEAR(mean_of(after[i]), exact[i], 0.011f);
}

TEST(Smoothing, keeps_a_gradient) {
  Pixels pixels(kPixels);
  testing::Random random(3);
  for (u32 i = 0; i < kPixels; ++i)
    for (u32 s = 0; s < 4; ++s)
      pixels[i].add(on_wall(i, 1.0f + 0.02f * (i % kSide) + random.between(-0.3f, 0.3f), s % 2),
                    kCamera);
  const OwnedHalves<PatchLight> after = smoothed(pixels, 4);
  for (const u32 x : {0u, 10u, 24u, kSide - 1})
    EXPECT_NEAR(mean_of(after[24 * kSide + x]), 1.0f + 0.02f * x, 0.06f) << x;
}

TEST(Smoothing, does_not_mix_surfaces_that_face_elsewhere_or_lie_on_another_plane) {
  for (const bool turned : {true, false}) {
    Pixels pixels(kPixels);
    testing::Random random(4);
    for (u32 i = 0; i < kPixels; ++i)
      for (u32 s = 0; s < 4; ++s) {
        const bool right = i % kSide >= kSide / 2;
        PatchSample sample =
            on_wall(i, (right ? 1.0f : 0.2f) * (1.0f + random.between(-0.2f, 0.2f)), s % 2);
        if (right && turned) sample.feature.normal = {1, 0, 0};
        if (right && !turned) sample.feature.position.z = 2.0f;
        pixels[i].add(sample, kCamera);
      }
    const OwnedHalves<PatchLight> after = smoothed(pixels, 4);
    for (u32 i = 0; i < kPixels; ++i)
      EXPECT_NEAR(mean_of(after[i]), i % kSide >= kSide / 2 ? 1.0f : 0.2f, 0.1f) << turned;
  }
}

TEST(Smoothing, lowers_a_firefly_to_what_is_usual_around_it) {
  testing::Random random(5);
  Pixels pixels(kPixels);
  const u32 bright = 24 * kSide + 24;
  for (u32 i = 0; i < kPixels; ++i)
    for (u32 s = 0; s < 4; ++s)
      pixels[i].add(
          on_wall(i, i == bright && s == 0 ? 500.0f : 1.0f + random.between(-0.5f, 0.5f), s % 2),
          kCamera);
  const OwnedHalves<PatchLight> after = smoothed(pixels, 4);
  for (u32 i = 0; i < kPixels; ++i) EXPECT_NEAR(mean_of(after[i]), 1.0f, 0.2f);
}

TEST(Smoothing, a_firefly_is_light_that_one_half_found_and_what_it_loses_is_counted) {
  // The light is 1, except in one pixel, where one half or both halves of the samples have 500.
  for (const bool both : {false, true})
    for (const bool keep : {false, true}) {
      Pixels pixels(kPixels);
      const u32 bright = 24 * kSide + 24;
      for (u32 i = 0; i < kPixels; ++i)
        for (u32 s = 0; s < 4; ++s)
          pixels[i].add(on_wall(i, i == bright && (both || s % 2 == 0) ? 500.0f : 1.0f, s % 2),
                        kCamera);
      const Patched in(pixels, kSide, kSide, 4.0f);
      const PatchGrid& grid = in.grid;
      const OwnedHalves<PatchLight> after(grid.items());
      for (u32 i = 0; i < grid.items(); ++i) DropFireflies::item(i, grid, in.ambient, keep, after);
      const bool drops = !both && !keep;
      EXPECT_EQ(mean_of(after[bright]), both ? 500.0f : drops ? 1.5f : 250.5f);
      double lost = 0.0;
      std::vector<FireflySums> sums(strips_of(kSide, kSide));
      for (u32 i = 0; i < sums.size(); ++i)
        SumLost::item(i, grid, pixels.data(), in.covered.data(), in.ambient, after, sums.data());
      for (const FireflySums& sum : sums) lost += sum.lost;
      // A half may be twice as bright as the other half. So four samples of colour 0.5 lose 249
      // each.
      EXPECT_NEAR(lost, drops ? 4 * 0.5 * 249.0 : 0.0, 1e-3);
    }
}

TEST(Smoothing, makes_no_halo_of_what_lies_beside_a_lamp) {
  // A row of pixels at the edge of a lamp. Some of their samples hit a surface that the lamp lights
  // from close by.
  testing::Random random(8);
  Pixels pixels(kPixels);
  std::vector<u32> covered(kPixels);
  const u32 row = 24 * kSide;
  for (u32 i = 0; i < kPixels; ++i) {
    const bool at_lamp = i >= row && i < row + kSide;
    if (at_lamp) covered[i] = kShowsLamp;
    for (u32 s = 0; s < 4; ++s) {
      const float light = at_lamp && random.unit() < 0.25f ? 300.0f : 1.0f;
      pixels[i].add(on_wall(i, light + random.between(-0.5f, 0.5f), s / 2), kCamera);
    }
  }
  const auto mean_elsewhere = [&](const OwnedHalves<PatchLight>& light) {
    double sum = 0.0;
    for (u32 i = 0; i < kPixels; ++i)
      if (covered[i] == 0u) sum += mean_of(light[i]);
    return sum / (kPixels - kSide);
  };
  EXPECT_NEAR(mean_elsewhere(smoothed(pixels, 4, covered)), 1.0, 0.02);
  EXPECT_GT(mean_elsewhere(smoothed(pixels, 4)), 1.2) << "if nothing is known of the lamp";
}

TEST(Smoothing, gives_back_what_fireflies_lost_away_from_lamps) {
  const FireflySums some{10.0, 4.0, 200.0};
  EXPECT_FLOAT_EQ(some.gain(), 1.02f);
  EXPECT_NEAR(some.missing(), 6.0, 1e-4);
  const FireflySums much{100.0, 100.0, 200.0};
  EXPECT_FLOAT_EQ(much.gain(), 1.05f) << "at most";
  EXPECT_NEAR(much.missing(), 90.0, 1e-4);
  const FireflySums none{0.0, 0.0, 0.0};
  EXPECT_EQ(none.gain(), 1.0f);
}

TEST(Patches, two_surfaces_in_a_pixel_are_kept_apart_and_added_up_by_their_samples) {
  PixelPatches pixel{};
  PatchSample wall = on_wall(0, 1.0f, 0), side = wall;
  side.feature.normal = {1, 0, 0};
  side.feature.color = vec3(0.25f, 0.0f, 1.0f);
  side.light[1] = vec3(2.0f);
  side.light[0] = vec3(1.0f);
  pixel.add(wall, kCamera);
  pixel.add(side, kCamera);
  side.half = 1;
  pixel.add(side, kCamera);
  ASSERT_EQ(pixel.sums[0].count(), 1.0f);
  ASSERT_EQ(pixel.sums[1].count(), 2.0f);
  const Patched patched({pixel}, 1, 1, 3.0f);
  const OwnedHalves<PatchLight>&lamp = patched.lamp, &ambient = patched.ambient;
  EXPECT_EQ(ambient[0].half[1].x, 1.0f) << "a half without samples is like the other";
  vec3 film(4.0f);  // lamps give twice as much light
  JoinPatches::item(0, &pixel, 1, lamp, ambient, {2.0f, 1.0f}, &film);
  EXPECT_FLOAT_EQ(film.x, 4.0f + 0.5f * 1.0f + 2 * 0.25f * 4.0f);
  // The colour that light is divided by is at least 0.01.
  EXPECT_FLOAT_EQ(film.y, 4.0f + 0.5f * 1.0f + 2 * 0.01f * 4.0f);
  EXPECT_FLOAT_EQ(film.z, 4.0f + 0.5f * 1.0f + 2 * 1.0f * 4.0f);
}

TEST(PatchGrid, windows_and_items_find_each_patch_once) {
  // With 70 by 31 pixels, rows begin at any bit of a word, and the last chunk is not full.
  const u32 width = 70, height = 31, pixels = width * height;
  testing::Random random(6);
  Pixels in(pixels);
  const auto has = [&](u32 index) {
    return in[index % pixels].sums[index / pixels].count() > 0.0f;
  };
  for (u32 i = 0; i < pixels; ++i) {
    if (random.unit() < 0.1f) continue;  // the pixel shows only sky
    PatchSample sample = on_wall(0, 1.0f, 0);
    in[i].add(sample, kCamera);
    if (random.unit() < 0.3f || i + 1 == pixels) {
      sample.feature.normal = {1, 0, 0};
      in[i].add(sample, kCamera);
    }
  }
  const Patched patched(in, width, height, 2.0f);
  const PatchGrid& grid = patched.grid;
  std::vector<u32> items(grid.items(), 0);
  for (u32 i = 0; i < grid.items(); ++i)
    grid.at_item(i, [&](u32 index, const PatchSurface&) { ++items[index]; });
  for (u32 i = 0; i < grid.items(); ++i) EXPECT_EQ(items[i], has(i) ? 1u : 0u) << i;
  for (const u32 at : {0u, width - 1, 15 * width + 31, 15 * width + 32, pixels - 1}) {
    std::vector<u32> seen(grid.items(), 0);
    const i32 x = static_cast<i32>(at % width), y = static_cast<i32>(at / width);
    grid.around(at, 12, [&](u32 q, i32 dx, i32 dy) {
      ++seen[q];
      EXPECT_EQ(static_cast<i32>(q % pixels % width), x + dx);
      EXPECT_EQ(static_cast<i32>(q % pixels / width), y + dy);
    });
    for (u32 q = 0; q < grid.items(); ++q) {
      const i32 dx = static_cast<i32>(q % pixels % width) - x;
      const i32 dy = static_cast<i32>(q % pixels / width) - y;
      const bool near = std::abs(dx) <= 12 && std::abs(dy) <= 12;
      EXPECT_EQ(seen[q], near && (q < pixels || has(q)) ? 1u : 0u) << at << " " << q;
    }
  }
}

}  // namespace smooth_test
}  // namespace ballotcast::detail
