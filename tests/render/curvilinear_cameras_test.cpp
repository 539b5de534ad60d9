// Tests that pictures with distortion, fisheyes and panoramas are the same on every device.
#include "helpers/curvilinear_cameras.hpp"

#include <gtest/gtest.h>

#include "ballotcast/ballotcast.hpp"
#include "helpers/meshes.hpp"
#include "scene/camera/camera_view.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace curvilinear_cameras_test {

RenderSettings settings_of(const Camera& camera) {
  RenderSettings settings;
  settings.width = 70;
  settings.height = 50;
  settings.samples = 3;
  settings.bounces = 2;
  settings.smooth = Smoothing::on;
  settings.exposure = 1.0f;
  settings.keep_hits = true;
  settings.camera = camera;
  return settings;
}

std::vector<Camera> cameras() {
  return testing::curvilinear_cameras({{0.1, 0.2, 2.5}, {0, 0, 0}, {0, 1, 0}});
}

TEST(CurvilinearCameras, pictures_and_hits_are_equal_on_all_devices) {
  const Scene scene = testing::scene_of(testing::soup(200, 7));
  Renderer cpu(scene, {"cpu"}), emulated(scene, {"emulated"});
  for (const Camera& camera : cameras())
    for (const char* shading : {"lit", "normal"}) {
      SCOPED_TRACE(name_of(camera.projection));
      RenderSettings settings = settings_of(camera);
      settings.shading = shading;
      const Frame a = cpu.render(settings), b = emulated.render(settings);
      EXPECT_EQ(testing::first_difference(a.hits, b.hits), a.hits.size());
      ASSERT_EQ(a.image.pixels.size(), b.image.pixels.size());
      for (std::size_t i = 0; i < a.image.pixels.size(); ++i) {
        const Rgb8 p = a.image.pixels[i], q = b.image.pixels[i];
        ASSERT_TRUE(p.r == q.r && p.g == q.g && p.b == q.b) << i;
      }
      EXPECT_EQ(a.counts.rays, b.counts.rays);
    }
}

TEST(CurvilinearCameras, pixels_without_rays_are_black_and_clear) {
  const Scene scene = testing::scene_of(testing::sphere(8));
  Renderer renderer(scene, {"cpu"});
  RenderSettings settings = settings_of(cameras()[2]);
  settings.camera.fov = 360.0;  // the image circle is as high as the picture
  settings.shading = "depth";
  const Frame all = renderer.render(settings);
  EXPECT_EQ(all.image.pixels[0].r, 0);
  EXPECT_EQ(all.hits[0].t, -1.0f) << "no miss of a ray, which would be at infinity";
  EXPECT_LT(all.counts.rays, 70u * 50u * 3u) << "only rays that are there are counted";
  settings.background = "transparent";
  EXPECT_EQ(renderer.render(settings).image.alpha[0], 0.0f);
  settings.background = "#123456";
  EXPECT_EQ(renderer.render(settings).image.pixels[0].b, 0x56);
  EXPECT_TRUE(contains(message_of<UsageError>([&] { renderer.pixel_ray(settings, 0, 0); }),
                       "pixel 0, 0 has no ray"));
}

TEST(CurvilinearCameras, outputs_are_those_of_the_rays_of_pixels) {
  const Scene scene = testing::scene_of(testing::sphere(12));
  Renderer renderer(scene, {"cpu"});
  for (const Camera& camera : cameras()) {
    const RenderSettings settings = settings_of(camera);
    const Ray ray = renderer.pixel_ray(settings, 36, 26);
    const std::vector<std::string> names{"depth"};
    const PixelNumbers depth = renderer.outputs(settings, names)[0];
    Hit hit;
    renderer.closest({&ray, 1}, {&hit, 1});
    EXPECT_TRUE(hit.found()) << name_of(camera.projection);
    EXPECT_EQ(depth.floats[26 * 70 + 36], hit.t) << name_of(camera.projection);
  }
}

TEST(CurvilinearCameras, another_projection_than_that_of_the_scene_brings_its_field_of_view) {
  SceneData data = *testing::scene_of(testing::sphere(4));
  data.camera = Camera{{0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 25.0};
  data.camera->distortion[0] = 0.25;
  Renderer renderer(Scene(std::make_shared<const SceneData>(data)), {"cpu"});
  RenderSettings settings;
  EXPECT_EQ((*renderer.resolved(settings).camera.distortion)[0], 0.25);
  EXPECT_EQ(renderer.resolved(settings).camera.fov, 25.0);
  set_projection(settings.camera, "fisheye");
  EXPECT_EQ(renderer.resolved(settings).camera.fov, 180.0);
  EXPECT_EQ((*renderer.resolved(settings).camera.distortion)[0], 0.0);
  settings.camera.fov = 200.0;
  EXPECT_EQ(renderer.resolved(settings).camera.fov, 200.0);
  set_projection(settings.camera, "perspective");
  EXPECT_THROW(renderer.resolved(settings), UsageError);
}

}  // namespace curvilinear_cameras_test
}  // namespace ballotcast::detail
