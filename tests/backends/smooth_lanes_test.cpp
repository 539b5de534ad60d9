// Tests smoothing on the CPU with SIMD vectors.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "backends/cpu/cpu_machine.hpp"
#include "helpers/meshes.hpp"
#include "helpers/owned_halves.hpp"
#include "helpers/sanitized.hpp"

namespace ballotcast::detail {
namespace smooth_lanes_test {

/// Random patches: each pixel has one patch, two or none, on one of a few planes.
struct RandomPatches {
  testing::OwnedHalves<PatchSurface> surfaces;
  testing::OwnedHalves<PatchLight> light, guide, plain, lanes;
  std::vector<u32> second;
  PatchGrid grid;

  RandomPatches(u32 width, u32 height, u32 seed)
      : surfaces(kPatches * width * height),
        light(kPatches * width * height),
        guide(kPatches * width * height),
        plain(kPatches * width * height),
        lanes(kPatches * width * height),
        second(words_of_second_patches(width * height)),
        grid{surfaces, second.data(), width, height, 4.0f} {
    testing::Random random(seed);
    const auto in = [&](float low, float high) { return random.between(low, high); };
    const auto some_light = [&] {
      const float bright = in(0.0f, 1.0f) < 0.1f ? 1000.0f : 1.0f;
      const auto color = [&] { return vec3(in(0.0f, bright), in(0.0f, bright), in(0.0f, bright)); };
      return PatchLight{{color(), color()}, in(0.0f, 0.2f)};
    };
    for (u32 i = 0; i < grid.items(); ++i) {
      const bool is_there = in(0.0f, 1.0f) < (i < grid.pixels() ? 0.9f : 0.15f);
      const u32 pixel = i % grid.pixels();
      const vec3 normal = in(0.0f, 1.0f) < 0.8f ? vec3(0.0f, 0.0f, 1.0f) : vec3(0.0f, 0.6f, 0.8f);
      surfaces.set(i, {normal,
                       is_there ? 1.0f + static_cast<float>(i % 4u) : 0.0f,
                       {0.01f * static_cast<float>(pixel % width),
                        0.01f * static_cast<float>(pixel / width), in(0.0f, 0.02f)},
                       100.0f});
      light.set(i, some_light());
      guide.set(i, some_light());
      if (is_there) continue;
      // The light of missing patches is NaN, so that using it is noticed.
      PatchLight nothing;
      std::memset(&nothing, 0xff, sizeof nothing);
      light.set(i, nothing);
      guide.set(i, nothing);
    }
    for (u32 i = 0; i < second.size(); ++i)
      MarkSecondPatches::item(i, surfaces, grid.pixels(), second.data());
  }
};

TEST(SmoothLanes, have_the_bits_of_one_patch_at_a_time) {
  struct Size {
    u32 width, height;
  };
  for (const Size size : {Size{1, 1}, {3, 5}, {8, 8}, {9, 2}, {64, 32}, {65, 33}, {130, 70}})
    for (const i32 radius : {1, 4, 7, 12, 15}) {
      // Under sanitizers, only one radius on six tiles; four tiles have edges, too.
      if (testing::kSanitized && size.width > 65 && radius != 12) continue;
      RandomPatches p(size.width, size.height, size.width + static_cast<u32>(radius));
      for (u32 i = 0; i < p.grid.items(); ++i)
        SmoothLight::item(i, p.grid, p.light, p.guide, radius, p.plain);
      smooth_in_lanes(p.grid, p.light, p.guide, radius, p.lanes);
      u32 different = 0;
      for (u32 i = 0; i < p.grid.items(); ++i) {
        const PatchLight a = p.plain[i], b = p.lanes[i];
        if (std::memcmp(&a, &b, 7 * sizeof(float)) != 0) ++different;
      }
      EXPECT_EQ(different, 0u) << size.width << " x " << size.height << ", radius " << radius;
    }
}

}  // namespace smooth_lanes_test
}  // namespace ballotcast::detail
