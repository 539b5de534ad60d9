// Tests lamps together with sun and sky, lamps alone in a room, and the noise of their light.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/floor_scene.hpp"
#include "render/internals.hpp"

namespace ballotcast::detail {
namespace lamps_test {

/// Adds a square with these corners, of material `material`.
void add_square(SceneData& scene, vec3 a, vec3 b, vec3 c, vec3 d, u32 material) {
  Mesh& mesh = scene.mesh;
  const u32 first = static_cast<u32>(mesh.positions.size());
  for (const vec3 p : {a, b, c, d}) mesh.positions.push_back(p);
  for (const uvec3 corners : {uvec3(0, 1, 2), uvec3(0, 2, 3)}) {
    mesh.triangles.push_back(corners + first);
    mesh.material_of.push_back(material);
  }
}

/// A scene without triangles, with two materials: grey, and a lamp.
SceneData scene_with_lamp(vec3 emission) {
  SceneData scene;
  scene.name = "lamp";
  scene.materials.resize(2);
  scene.materials[1].emission = emission;
  scene.exposure = 1.0f;
  return scene;
}

/// A scene: a panel that is a faint lamp stands on a floor in the open.
SceneData panel() {
  SceneData scene = scene_with_lamp(vec3(1e-4f));
  add_square(scene, {-1, 0, 0}, {1, 0, 0}, {1, 2, 0}, {-1, 2, 0}, 1);
  add_square(scene, {-3, 0, 3}, {3, 0, 3}, {3, 0, -3}, {-3, 0, -3}, 0);
  return scene;
}

/// A scene: a room that is open in front, with a lamp under its ceiling.
SceneData room() {
  SceneData scene = scene_with_lamp(vec3(5.0f));
  add_square(scene, {-1, 0, 1}, {1, 0, 1}, {1, 0, -1}, {-1, 0, -1}, 0);
  add_square(scene, {-1, 2, -1}, {1, 2, -1}, {1, 2, 1}, {-1, 2, 1}, 0);
  add_square(scene, {-1, 0, -1}, {1, 0, -1}, {1, 2, -1}, {-1, 2, -1}, 0);
  add_square(scene, {-1, 0, 1}, {-1, 0, -1}, {-1, 2, -1}, {-1, 2, 1}, 0);
  add_square(scene, {1, 0, -1}, {1, 0, 1}, {1, 2, 1}, {1, 2, -1}, 0);
  add_square(scene, {-0.3f, 1.9f, -0.3f}, {0.3f, 1.9f, -0.3f}, {0.3f, 1.9f, 0.3f},
             {-0.3f, 1.9f, 0.3f}, 1);
  return scene;
}

struct Drawn {
  Frame frame;
  Light light;
};

Drawn draw(const SceneData& scene, const std::string& light = "", const char* device = "cpu",
           CameraSettings camera = {}) {
  Renderer renderer(Scene(std::make_shared<const SceneData>(scene)), {device});
  RenderSettings settings;
  settings.width = 32;
  settings.height = 18;
  settings.light = light;
  settings.camera = camera;
  Drawn drawn{renderer.render(settings), {}};
  drawn.light = light_in(renderer, drawn.frame.settings);
  return drawn;
}

bool is_lit_by_day(const Light& light) {
  return light.sun.strength == Sun{}.strength && light.sky.strength == Sky{}.strength;
}
bool is_dark(const Light& light) {
  return light.sun.strength == 0.0f && light.sky.strength == 0.0f;
}

TEST(LampsAndDaylight, a_lamp_in_the_open_shines_beside_sun_and_sky) {
  const Drawn drawn = draw(panel());
  EXPECT_TRUE(is_lit_by_day(drawn.light));
  const Rgb8 middle = drawn.frame.image.pixels[8 * 32 + 16], sky = drawn.frame.image.pixels[0];
  EXPECT_GT(middle.g, 100);
  EXPECT_GT(sky.b, 100);
}

TEST(LampsAndDaylight, lamps_in_a_room_shine_alone) {
  const Drawn drawn = draw(room());
  EXPECT_TRUE(is_dark(drawn.light));
  EXPECT_EQ(drawn.frame.image.pixels[0].b, 0) << "the night outside";
}

TEST(LampsAndDaylight, do_not_depend_on_the_camera) {
  const Drawn above = draw(room(), "", "cpu", Camera{{4, 6, 4}, {0, 2, 0}});
  EXPECT_TRUE(is_dark(above.light));
  const Drawn close = draw(panel(), "", "cpu", Camera{{0, 1, 0.1}, {0, 1, 0}});
  EXPECT_TRUE(is_lit_by_day(close.light));
}

TEST(LampsAndDaylight, in_a_room_what_is_given_shines) {
  SceneData scene = room();
  scene.sun.strength = 3.0f;
  EXPECT_EQ(draw(scene).light.sun.strength, 3.0f);
  EXPECT_EQ(draw(scene).light.sky.strength, 0.0f);
  scene.sun = {};
  scene.sky.strength = 0.5f;
  EXPECT_EQ(draw(scene).light.sun.strength, 0.0f);
  EXPECT_EQ(draw(scene).light.sky.strength, 0.5f);
  scene = panel();
  scene.sky.strength = 0.0f;
  EXPECT_EQ(draw(scene).light.sun.strength, Sun{}.strength);
  EXPECT_EQ(draw(scene).light.sky.strength, 0.0f);
}

TEST(LampsAndDaylight, are_as_the_settings_or_the_scene_say) {
  EXPECT_TRUE(is_lit_by_day(draw(room(), "daylight").light));
  EXPECT_TRUE(is_dark(draw(panel(), "lamps").light));
  SceneData scene = panel();
  scene.light = "lamps";
  EXPECT_TRUE(is_dark(draw(scene).light));
  scene.materials[1].emission = vec3(0.0f);
  EXPECT_TRUE(is_lit_by_day(draw(scene).light)) << "there is no lamp";
}

TEST(LampsAndDaylight, are_the_same_on_every_device) {
  for (const SceneData& scene : {panel(), room()})
    EXPECT_EQ(hash_of(draw(scene).frame.image), hash_of(draw(scene, "", "emulated").frame.image));
}

TEST(LampsAndDaylight, a_pane_of_glass_before_a_scene_makes_no_room) {
  SceneData scene = panel();
  scene.materials.resize(3);
  scene.materials[2].transmission = Transmission::thin;
  add_square(scene, {-3, -0.1f, 4}, {3, -0.1f, 4}, {3, 4, 4}, {-3, 4, 4}, 2);
  add_square(scene, {-3, 4, -3}, {3, 4, -3}, {3, 4, 4}, {-3, 4, 4}, 2);
  EXPECT_TRUE(is_lit_by_day(draw(scene).light));
}

TEST(LampsAndDaylight, a_lamp_covers_its_pixels_wholly) {
  Renderer renderer(Scene(std::make_shared<const SceneData>(panel())), {"cpu"});
  RenderSettings settings;
  settings.width = settings.height = 9;
  settings.samples = 4;
  settings.camera.eye = Vec3d{0, 1, 3};
  settings.camera.look_at = Vec3d{0, 1, 0};
  settings.background = "transparent";
  for (const Smoothing smooth : {Smoothing::off, Smoothing::on}) {
    settings.smooth = smooth;
    const Image<Rgb8> image = renderer.render(settings).image;
    EXPECT_EQ(image.alpha[4 * 9 + 4], 1.0f);
    EXPECT_GT(image.pixels[4 * 9 + 4].g, 20);
  }
}

/// The error of the means over squares of `side` x `side` pixels with 16 samples, compared with
/// `many` samples: the root mean square of the relative errors.
double error_of_squares(const SceneData& scene, const CameraSettings& camera, u32 bounces, u32 side,
                        u32 many) {
  constexpr u32 kSize = 32;
  Renderer renderer(Scene(std::make_shared<const SceneData>(scene)), {"cpu"});
  const auto means = [&](u32 samples) {
    RenderSettings settings;
    settings.width = settings.height = kSize;
    settings.camera = camera;
    settings.bounces = bounces;
    settings.samples = samples;
    settings.smooth = Smoothing::off;
    settings.keep_linear = true;
    const LinearImage drawn = renderer.render(settings).linear;
    std::vector<double> sums(kSize / side * (kSize / side));
    for (u32 i = 0; i < kSize * kSize; ++i)
      sums[i / kSize / side * (kSize / side) + i % kSize / side] += double(drawn.pixels[i].y);
    return sums;
  };
  const std::vector<double> few = means(16), truth = means(many);
  double sum = 0.0;
  for (std::size_t i = 0; i < few.size(); ++i)
    sum += (few[i] / truth[i] - 1.0) * (few[i] / truth[i] - 1.0);
  return std::sqrt(sum / static_cast<double>(few.size()));
}

TEST(Noise, of_a_lamp_is_that_of_points_spread_over_all_of_its_triangles) {
  const SceneData scene = testing::lamp_scene(vec3(5.0f));
  EXPECT_LT(error_of_squares(scene, {}, 0, 1, 256), 0.008);
}

TEST(Noise, of_many_bounces_mostly_cancels_in_squares_of_pixels) {
  CameraSettings inside;
  inside.eye = Vec3d{0, 1, 0.9};
  inside.look_at = Vec3d{0, 0.9, 0};
  EXPECT_LT(error_of_squares(room(), inside, 8, 8, 512), 0.055);
}

}  // namespace lamps_test
}  // namespace ballotcast::detail
