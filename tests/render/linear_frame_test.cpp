// Tests the linear values of a frame: their meaning, and that they are the same on every device.
#include <gtest/gtest.h>

#include <cstring>

#include "ballotcast/renderer.hpp"
#include "ballotcast/tables.hpp"
#include "ballotcast/threads.hpp"
#include "compare/linear.hpp"
#include "helpers/meshes.hpp"
#include "image/color.hpp"
#include "render/settings.hpp"

namespace ballotcast::detail {
namespace linear_frame_test {

RenderSettings small_picture(std::string_view shading) {
  RenderSettings settings;
  settings.width = 24;
  settings.height = 18;
  settings.samples = 3;
  settings.shading = shading;
  settings.keep_linear = true;
  settings.white_balance = "none";  // linear values do not include the white balance
  return settings;
}

bool same_bits(const LinearImage& a, const LinearImage& b) {
  return a.width == b.width && a.height == b.height && a.pixels.size() == b.pixels.size() &&
         std::memcmp(a.pixels.data(), b.pixels.data(), a.pixels.size() * sizeof(Vec3f)) == 0;
}

TEST(LinearFrame, is_what_the_picture_is_made_of) {
  Renderer renderer(testing::scene_of(testing::sphere(8)), {"cpu"});
  for (const ShadingInfo& shading : shadings()) {
    SCOPED_TRACE(shading.name);
    const Frame frame = renderer.render(small_picture(shading.name));
    ASSERT_EQ(frame.linear.width, 24u);
    ASSERT_EQ(frame.linear.height, 18u);
    ASSERT_EQ(frame.linear.pixels.size(), 24u * 18u);
    const float* const thresholds = srgb_threshold_table().data();
    const Image<Rgb8> light = tone_mapped(frame.linear, frame.exposure);
    for (std::size_t i = 0; i < frame.linear.pixels.size(); ++i) {
      const float red = frame.linear.pixels[i].x;
      const u8 expected = shading.encoding == Encoding::light  ? light.pixels[i].r
                          : shading.encoding == Encoding::srgb ? srgb_code(red, thresholds)
                                                               : plain_code(red);
      ASSERT_EQ(frame.image.pixels[i].r, expected) << i;
    }
  }
}

TEST(LinearFrame, does_not_depend_on_the_exposure) {
  Renderer renderer(testing::scene_of(testing::sphere(8)), {"cpu"});
  RenderSettings settings = small_picture("lit");
  const Frame chosen = renderer.render(settings);
  EXPECT_NE(chosen.exposure, 1.0f) << "the exposure is chosen from the picture";
  settings.exposure = 100.0f;
  const Frame given = renderer.render(settings);
  EXPECT_TRUE(same_bits(chosen.linear, given.linear));
  EXPECT_NE(hash_of(chosen.image), hash_of(given.image));
}

TEST(LinearFrame, is_kept_on_request_only_and_changes_no_pixel) {
  Renderer renderer(testing::scene_of(testing::sphere(8)), {"cpu"});
  RenderSettings settings = small_picture("lit");
  const Frame with = renderer.render(settings);
  settings.keep_linear = false;
  const Frame without = renderer.render(settings);
  EXPECT_EQ(without.linear.width, 0u);
  EXPECT_TRUE(without.linear.pixels.empty());
  EXPECT_EQ(hash_of(with.image), hash_of(without.image));
}

TEST(LinearFrame, has_the_same_bits_on_every_device_pipeline_and_number_of_threads) {
  const auto scene = testing::scene_of(testing::sphere(8));
  Renderer cpu(scene, {"cpu"}), emulated(scene, {"emulated"});
  for (const std::string shading : {"lit", "depth"}) {
    RenderSettings settings = small_picture(shading);
    const LinearImage first = cpu.render(settings).linear;
    with_threads(1, [&] { EXPECT_TRUE(same_bits(cpu.render(settings).linear, first)); });
    for (const PipelineInfo& pipeline : pipelines()) {
      settings.cast.pipeline = pipeline.name;
      EXPECT_TRUE(same_bits(emulated.render(settings).linear, first)) << pipeline.name;
    }
  }
}

}  // namespace linear_frame_test
}  // namespace ballotcast::detail
