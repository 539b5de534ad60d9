// Tests what a picture shows where there is no surface: the sky, nothing, or a colour.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ballotcast/ballotcast.hpp"
#include "helpers/devices.hpp"
#include "helpers/meshes.hpp"
#include "image/codec.hpp"
#include "render/settings.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace background_test {

RenderSettings settings_of(const std::string& shading, const std::string& background,
                           Smoothing smooth = Smoothing::off) {
  RenderSettings settings;
  settings.width = 90;
  settings.height = 50;
  settings.shading = shading;
  settings.samples = 4;
  settings.smooth = smooth;
  settings.background = background;
  settings.keep_hits = true;
  settings.keep_linear = true;
  settings.exposure = 1.5f;
  return settings;
}

/// The share of a pixel's camera rays that hit something.
float share_of(const Frame& frame, std::size_t pixel) {
  const auto first = frame.hits.begin() + static_cast<std::ptrdiff_t>(4 * pixel);
  return static_cast<float>(
             std::count_if(first, first + 4, [](const Hit& h) { return h.found(); })) /
         4.0f;
}

bool same(const Rgb8& a, const Rgb8& b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

class BackgroundOn : public ::testing::TestWithParam<const char*> {
 protected:
  // A scene of triangles with gaps between them.
  const Scene scene = testing::scene_of(testing::soup(60, 7));
  Renderer renderer{scene, {GetParam()}};
};

TEST_P(BackgroundOn, is_left_out_or_replaced_and_surfaces_stay) {
  for (const ShadingInfo& shading : shadings())
    for (const Smoothing smooth : {Smoothing::off, Smoothing::on}) {
      const std::string name(shading.name);
      if (smooth == Smoothing::on && !shading.soft_light()) continue;
      SCOPED_TRACE(name);
      const Frame sky = renderer.render(settings_of(name, "sky", smooth));
      const Frame clear = renderer.render(settings_of(name, "transparent", smooth));
      const Frame red = renderer.render(settings_of(name, "#e01040", smooth));
      EXPECT_TRUE(sky.image.alpha.empty());
      EXPECT_TRUE(red.image.alpha.empty());
      ASSERT_EQ(clear.image.alpha.size(), clear.image.pixels.size());
      EXPECT_EQ(clear.linear.alpha, clear.image.alpha);
      u32 whole = 0, none = 0, partly = 0;
      for (std::size_t i = 0; i < sky.image.pixels.size(); ++i) {
        const float share = share_of(sky, i);
        ASSERT_EQ(clear.image.alpha[i], share) << i;
        if (share == 1.0f) {
          ++whole;
          ASSERT_TRUE(same(clear.image.pixels[i], sky.image.pixels[i])) << i;
          ASSERT_TRUE(same(red.image.pixels[i], sky.image.pixels[i])) << i;
          ASSERT_EQ(clear.linear.pixels[i].x, sky.linear.pixels[i].x) << i;
        } else if (share == 0.0f) {
          ++none;
          ASSERT_TRUE(same(clear.image.pixels[i], Rgb8{0, 0, 0})) << i;
          ASSERT_TRUE(same(red.image.pixels[i], Rgb8{0xe0, 0x10, 0x40})) << i;
          ASSERT_EQ(clear.linear.pixels[i].x, 0.0f) << i;
        } else {
          ++partly;
          const Rgb8 own = clear.image.pixels[i], mixed = red.image.pixels[i];
          ASSERT_GE(mixed.r, std::min<u8>(own.r, 0xe0)) << i;
          ASSERT_LE(mixed.r, std::max<u8>(own.r, 0xe0)) << i;
          ASSERT_GE(mixed.g, std::min<u8>(own.g, 0x10)) << i;
          ASSERT_LE(mixed.g, std::max<u8>(own.g, 0x10)) << i;
        }
      }
      EXPECT_GT(whole, 50u);
      EXPECT_GT(none, 50u);
      EXPECT_GT(partly, 20u);
    }
}

TEST_P(BackgroundOn, is_the_same_on_every_device) {
  Renderer cpu(scene, {"cpu"});
  for (const char* background : {"transparent", "#204060"})
    for (const Smoothing smooth : {Smoothing::off, Smoothing::on}) {
      const RenderSettings settings = settings_of("lit", background, smooth);
      const Frame expected = cpu.render(settings), got = renderer.render(settings);
      EXPECT_EQ(hash_of(got.image), hash_of(expected.image));
      EXPECT_EQ(got.image.alpha, expected.image.alpha);
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, BackgroundOn, testing::kDevices, testing::name_of_device);

TEST(Background, of_half_a_pixel_is_mixed_as_light) {
  Renderer renderer(testing::scene_of(testing::soup(60, 7)), {"cpu"});
  const Frame clear = renderer.render(settings_of("albedo", "transparent"));
  const Frame white = renderer.render(settings_of("albedo", "#ffffff"));
  const auto& light = srgb_to_linear_table();
  u32 halves = 0;
  for (std::size_t i = 0; i < clear.image.pixels.size(); ++i) {
    if (clear.image.alpha[i] != 0.5f) continue;
    ++halves;
    const double mixed = 0.5 * double{light[clear.image.pixels[i].r]} + 0.5;
    const double code = double{light[white.image.pixels[i].r]};
    EXPECT_NEAR(code, mixed, 0.008) << i;
    EXPECT_NEAR(double{white.linear.pixels[i].x}, double{clear.linear.pixels[i].x} + 0.5, 1e-6);
  }
  EXPECT_GT(halves, 5u);
}

TEST(Background, does_not_change_the_exposure_that_is_chosen) {
  Renderer renderer(testing::scene_of(testing::soup(60, 7)), {"cpu"});
  RenderSettings settings = settings_of("lit", "sky");
  settings.exposure.reset();
  const float exposure = renderer.render(settings).exposure;
  settings.background = "#ffffff";
  EXPECT_EQ(renderer.render(settings).exposure, exposure);
  settings.background = "transparent";
  EXPECT_EQ(renderer.render(settings).exposure, exposure);
}

TEST(Background, that_is_transparent_is_alpha_in_files) {
  Renderer renderer(testing::scene_of(testing::soup(60, 7)), {"cpu"});
  const Frame frame = renderer.render(settings_of("lit", "transparent"));
  const SampledImage png = decode_png(encode_png(frame.image), "picture");
  ASSERT_EQ(png.channels, 4u);
  for (std::size_t i = 0; i < frame.image.pixels.size(); ++i) {
    ASSERT_EQ(png.samples[4 * i + 1], frame.image.pixels[i].g);
    ASSERT_EQ(png.samples[4 * i + 3], std::lround(255.0 * double{frame.image.alpha[i]}));
  }
  EXPECT_EQ(png.samples, sampled(frame.image).samples);
  Image<Rgb8> opaque = frame.image;
  opaque.alpha.clear();
  EXPECT_NE(hash_of(opaque), hash_of(frame.image));
  opaque.alpha = {0.5f};
  EXPECT_THROW(encode_png(opaque), UsageError);
}

TEST(Background, is_refused_if_it_is_none) {
  Renderer renderer(testing::scene_of(testing::soup(6, 7)), {"cpu"});
  for (const char* text :
       {"", "blue", "#fff", "#12345", "#1234567", "#12345g", "0x1234", "#+1234f"})
    EXPECT_THROW(renderer.render(settings_of("lit", text)), UsageError) << text;
}

}  // namespace background_test
}  // namespace ballotcast::detail
