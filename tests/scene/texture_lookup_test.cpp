// Tests where textures are sampled, and their values beyond their edges.
#include <gtest/gtest.h>

#include "scene/scene_view.hpp"

namespace ballotcast::detail {
namespace texture_lookup_test {

/// The value at u of a texture that has two texels in a row, 0 and 100.
float at(float u, Wrap wrap) {
  const Rgba8 texels[] = {{0, 0, 0, 255}, {100, 0, 0, 255}};
  const TextureView texture{texels, 2, 1, wrap, Wrap::repeat};
  return sample_texture<float>(texture, {u, 0.5f}, [](Rgba8 c) { return static_cast<float>(c.r); });
}

TEST(TextureLookup, repeats_mirrors_and_clamps) {
  struct Case {
    float u, repeated, mirrored, clamped;
  };
  for (const Case& c : {Case{0.25f, 0, 0, 0}, Case{0.5f, 50, 50, 50}, Case{0.75f, 100, 100, 100},
                        Case{1.0f, 50, 100, 100}, Case{1.25f, 0, 100, 100},
                        Case{1.75f, 100, 0, 100}, Case{2.25f, 0, 0, 100}, Case{-0.25f, 100, 0, 0},
                        Case{-0.75f, 0, 100, 0}, Case{0.0f, 50, 0, 0}}) {
    EXPECT_EQ(at(c.u, Wrap::repeat), c.repeated) << c.u;
    EXPECT_EQ(at(c.u, Wrap::mirror), c.mirrored) << c.u;
    EXPECT_EQ(at(c.u, Wrap::clamp), c.clamped) << c.u;
  }
}

TEST(TextureLookup, stays_inside_for_every_number) {
  const float huge = 3e38f, infinite = std::numeric_limits<float>::infinity();
  for (const Wrap wrap : {Wrap::repeat, Wrap::mirror, Wrap::clamp})
    for (const float u : {huge, -huge, infinite, -infinite, infinite - infinite, 1.0f, 0x1p-149f})
      for (const u32 size : {1u, 2u, 7u}) {
        const TexelSpan span = texel_span(u, size, wrap);
        EXPECT_LT(span.first, size);
        EXPECT_LT(span.second, size);
        EXPECT_TRUE(span.weight >= 0.0f && span.weight <= 1.0f) << u;
      }
}

}  // namespace texture_lookup_test
}  // namespace ballotcast::detail
