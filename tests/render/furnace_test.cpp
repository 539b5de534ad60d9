// The white furnace test: under a sky that is equally bright everywhere, no surface can be brighter
// than the sky, and a surface that reflects all light is invisible.
#include <gtest/gtest.h>

#include "ballotcast/renderer.hpp"
#include "helpers/floor_scene.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail {
namespace furnace_test {

/// A scene: a sphere of `material` under a sky of radiance 1, which is a gradient or a picture.
std::shared_ptr<const SceneData> furnace(const Material& material, bool picture) {
  auto scene = std::make_shared<SceneData>(*testing::scene_of(testing::sphere(24)));
  scene->materials[0] = material;
  scene->sun.strength = 0.0f;
  scene->sky = {{}, {}, Vec3f(1, 1, 1), Vec3f(1, 1, 1), Vec3f(1, 1, 1), 1.0f};
  if (picture) scene->sky_map = {8, 4, std::vector<vec3>(32, vec3(1.0f))};
  return scene;
}

/// The smallest, the mean and the largest light of the pixels in the middle of the sphere.
struct Range {
  double low, mean, high;
};
Range light_of(const Material& material, bool picture, u32 samples, u32 bounces = 8) {
  Renderer renderer(furnace(material, picture), {"cpu"});
  RenderSettings settings;
  settings.width = settings.height = 16;
  settings.camera = Camera{{0.0, 0.0, 6.0}, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, 14.0};
  settings.shading = "lit";
  settings.samples = samples;
  settings.bounces = bounces;
  settings.smooth = Smoothing::off;
  settings.exposure = 1.0f;
  settings.keep_linear = true;
  const Frame frame = renderer.render(settings);
  Range range{1e30, 0.0, 0.0};
  for (const Vec3f& pixel : frame.linear.pixels) {
    range.low = std::min(range.low, double{pixel.x});
    range.high = std::max(range.high, double{pixel.x});
    range.mean += double{pixel.x} / static_cast<double>(frame.linear.pixels.size());
  }
  return range;
}

Material white() {
  Material m;
  m.color = vec3(1.0f);
  return m;
}

TEST(Furnace, a_white_matt_sphere_can_not_be_seen) {
  const Range by_paths = light_of(white(), false, 16);
  EXPECT_NEAR(by_paths.low, 1.0, 1e-5);
  EXPECT_NEAR(by_paths.high, 1.0, 1e-5);
  const Range asked = light_of(white(), true, 256);
  EXPECT_NEAR(asked.mean, 1.0, 0.002);
  EXPECT_NEAR(asked.low, 1.0, 0.15);
  EXPECT_NEAR(asked.high, 1.0, 0.15);
}

TEST(Furnace, mirrors_and_glass_can_not_be_seen) {
  Material mirror = white();
  mirror.metallic = 1.0f;
  mirror.roughness = 0.0f;
  Material glass = white(), pane = white();
  glass.transmission = Transmission::solid;
  pane.transmission = Transmission::thin;
  for (const bool picture : {false, true}) {
    const Range seen = light_of(mirror, picture, 16);
    EXPECT_NEAR(seen.low, 1.0, 1e-4);
    EXPECT_NEAR(seen.high, 1.0, 1e-4);
    EXPECT_NEAR(light_of(pane, picture, 16).mean, 1.0, 0.002);
    EXPECT_NEAR(light_of(glass, picture, 64, 16).mean, 1.0, 0.01);
  }
}

/// A scene: a floor under a lamp. A texture may make half of the lamp a hole, in stripes.
std::shared_ptr<const SceneData> floor_and_lamp(bool half_cut_out) {
  auto scene = std::make_shared<SceneData>(testing::lamp_scene(vec3(5.0f)));
  const vec2 corners[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (const uvec3 t : scene->mesh.triangles)
    for (const u32 corner : {t.x, t.y, t.z})
      scene->mesh.corner_texcoords.push_back(corners[corner % 4]);
  if (half_cut_out) scene->materials[1].opacity_texture = 0;
  Image<Rgba8> stripes{8, 1, {}};
  for (u32 x = 0; x < 8; ++x) stripes.pixels.push_back({255, 255, 255, u8(x % 2 == 0 ? 255 : 0)});
  scene->textures = {stripes};
  scene->texture_names = {"stripes"};
  return scene;
}

TEST(Furnace, a_lamp_that_is_half_cut_out_gives_half_the_light) {
  double light[2] = {};
  for (const bool half : {false, true}) {
    Renderer renderer(floor_and_lamp(half), {"cpu"});
    RenderSettings settings;
    settings.width = settings.height = 8;
    settings.camera = Camera{{0.0, 3.0, 0.1}, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, 30.0};
    settings.shading = "lit";
    settings.samples = 256;
    settings.bounces = 0;
    settings.smooth = Smoothing::off;
    settings.exposure = 1.0f;
    settings.keep_linear = true;
    for (const Vec3f& pixel : renderer.render(settings).linear.pixels)
      light[half ? 1 : 0] += double{pixel.x};
  }
  EXPECT_NEAR(light[1] / light[0], 0.5, 0.02);
}

TEST(Furnace, coats_and_metal_of_any_roughness_gain_no_energy) {
  for (const float metallic : {0.0f, 0.5f, 1.0f})
    for (const float roughness : {0.05f, 0.2f, 0.5f, 1.0f}) {
      Material m = white();
      m.specular = vec3(0.04f);
      m.metallic = metallic;
      m.roughness = roughness;
      for (const bool picture : {false, true}) {
        const Range seen = light_of(m, picture, 64);
        EXPECT_LE(seen.mean, 1.004) << metallic << " " << roughness << " " << picture;
        // Light that goes from facet to facet is not simulated, so rough metal loses some light.
        EXPECT_GE(seen.mean, roughness < 0.3f   ? 0.97
                             : roughness < 0.6f ? 0.85
                                                : 0.3)
            << metallic << " " << roughness;
      }
    }
}

}  // namespace furnace_test
}  // namespace ballotcast::detail
