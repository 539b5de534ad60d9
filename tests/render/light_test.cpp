// Tests white balance, the light at the camera, and rooms without light.
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/scene/prepare.hpp"
#include "ballotcast/error.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/floor_scene.hpp"
#include "helpers/meshes.hpp"
#include "render/remarks.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail {
namespace light_test {

using testing::lamp_scene;

/// A scene: a light grey floor in the sun.
SceneData floor_scene() { return testing::floor_scene(vec3(0.7f), 1.0f); }

/// A scene: a closed box around its camera, without a lamp.
SceneData closed_room() {
  SceneData scene = floor_scene();
  scene.exposure = std::nullopt;
  scene.sun = {};
  scene.sky = {};
  scene.mesh = testing::sphere(8, vec3(0.0f), 5.0f);
  scene.camera = Camera{{0, 0, 1}, {0, 0, 0}, {0, 1, 0}, 60.0};
  return scene;
}

Frame draw(const SceneData& scene, RenderSettings settings = {}, const char* device = "cpu") {
  Renderer renderer(std::make_shared<const SceneData>(scene), {device});
  settings.width = settings.height = 9;
  settings.samples = 16;
  return renderer.render(settings);
}

Rgb8 middle_of(const SceneData& scene, const std::string& white_balance) {
  RenderSettings settings;
  settings.white_balance = white_balance;
  return draw(scene, settings).image.pixels[4 * 9 + 4];
}

bool same(Rgb8 a, Rgb8 b) { return a.r == b.r && a.g == b.g && a.b == b.b; }

/// The distance of a colour from grey: its largest code minus its smallest.
int tint_of(Rgb8 c) { return std::max({c.r, c.g, c.b}) - std::min({c.r, c.g, c.b}); }

TEST(Lamps, that_can_not_be_seen_are_none_beside_others_that_can) {
  SceneData scene = lamp_scene(vec3(5.0f));
  scene.materials[0].emission = vec3(1.0f);
  EXPECT_EQ(light_tables_of(scene).emitters.size(), 4u);
  scene.materials[0].opacity = 0.2f;
  EXPECT_EQ(light_tables_of(scene).emitters, (std::vector<u32>{2, 3}));
}

TEST(WhiteBalanceOfAPicture, a_white_floor_looks_nearly_white_under_a_warm_lamp) {
  const SceneData scene = lamp_scene({17, 12, 4});
  const Rgb8 none = middle_of(scene, "none"), balanced = middle_of(scene, "auto");
  EXPECT_GT(tint_of(none), 50);
  EXPECT_LT(tint_of(balanced), 20);
  EXPECT_GE(balanced.r, balanced.b);  // the picture stays slightly warm
  EXPECT_TRUE(same(middle_of(scene, ""), balanced));
}

TEST(WhiteBalanceOfAPicture, an_evening_stays_warm) {
  SceneData scene = floor_scene();
  scene.sun.color = Vec3f(1.0f, 0.55f, 0.25f);
  const Rgb8 none = middle_of(scene, "none"), balanced = middle_of(scene, "auto");
  EXPECT_LT(tint_of(balanced), tint_of(none));
  EXPECT_GT(tint_of(balanced), tint_of(none) / 2);
}

TEST(WhiteBalanceOfAPicture, white_light_stays_as_it_is) {
  EXPECT_TRUE(same(middle_of(floor_scene(), "auto"), middle_of(floor_scene(), "none")));
}

TEST(WhiteBalanceOfAPicture, a_temperature_makes_its_own_light_white) {
  SceneData scene = floor_scene();
  const dvec3 bulb = color_of_kelvin(3000.0);
  scene.sun.color = Vec3f(float(bulb.x), float(bulb.y), float(bulb.z));
  EXPECT_LE(tint_of(middle_of(scene, "3000")), 1);
  EXPECT_GT(middle_of(scene, "2000").b, middle_of(scene, "2000").r);
  EXPECT_GT(middle_of(scene, "6504").r, middle_of(scene, "6504").b + 20);
}

TEST(WhiteBalanceOfAPicture, comes_from_the_scene_unless_the_settings_state_it) {
  SceneData scene = lamp_scene({17, 12, 4});
  const Rgb8 none = middle_of(scene, "none"), balanced = middle_of(scene, "auto");
  scene.white_balance = "none";
  EXPECT_TRUE(same(middle_of(scene, ""), none));
  EXPECT_TRUE(same(middle_of(scene, "auto"), balanced));
  EXPECT_EQ(draw(scene).settings.white_balance, "none");
  EXPECT_EQ(draw(scene).white, vec3(1.0f));
  EXPECT_TRUE(contains(message_of<UsageError>([&] { middle_of(scene, "warm"); }), "1000 to 40000"));
}

TEST(WhiteBalanceOfAPicture, comes_before_the_chosen_exposure) {
  SceneData scene = lamp_scene({17, 12, 4});
  scene.exposure = std::nullopt;
  RenderSettings settings;
  settings.white_balance = "none";
  EXPECT_NE(draw(scene, settings).exposure, draw(scene).exposure);
}

TEST(WhiteBalanceOfAPicture, and_the_cameras_light_are_the_same_on_every_device) {
  RenderSettings settings;
  settings.light = "camera";
  const SceneData scene = lamp_scene({17, 12, 4});
  EXPECT_EQ(hash_of(draw(scene, settings).image), hash_of(draw(scene, settings, "emulated").image));
}

TEST(CameraLight, shows_a_closed_room) {
  RenderSettings settings;
  const Frame dark = draw(closed_room(), settings);
  EXPECT_EQ(dark.unlit, 1.0f);
  EXPECT_TRUE(contains(light_note(dark), "black"));
  settings.light = "camera";
  const Frame lit = draw(closed_room(), settings);
  EXPECT_EQ(lit.unlit, 0.0f);
  EXPECT_EQ(light_note(lit), "");
  EXPECT_GT(lit.image.pixels[4 * 9 + 4].g, 100);
}

TEST(CameraLight, falls_with_the_cosine_and_not_with_distance) {
  SceneData scene = floor_scene();
  scene.sun.strength = 0.0f;
  scene.materials[0].color = vec3(0.5f);
  RenderSettings settings;
  settings.light = "camera";
  const auto green_from = [&](Vec3d eye) {
    scene.camera->eye = eye;
    return int{draw(scene, settings).image.pixels[4 * 9 + 4].g};
  };
  const int above = green_from({0, 5, 0.001});
  EXPECT_NEAR(above, 188, 1);  // the sRGB code of 0.5
  EXPECT_NEAR(green_from({0, 9, 0.001}), above, 1);
  EXPECT_LT(green_from({0, 1, 4}), above - 20);
}

TEST(CameraLight, comes_from_the_scene_unless_the_settings_state_it) {
  SceneData scene = closed_room();
  scene.light = "camera";
  EXPECT_EQ(draw(scene).settings.light, "camera");
  RenderSettings settings;
  settings.light = "scene";
  EXPECT_EQ(draw(scene, settings).unlit, 1.0f);
  settings.light = "lantern";
  EXPECT_TRUE(contains(message_of<UsageError>([&] { draw(scene, settings); }),
                       "unknown light 'lantern'; known: scene, camera"));
}

TEST(RoomWithoutLight, is_noted_unless_the_exposure_is_given_or_little_is_dark) {
  Frame frame = draw(closed_room());
  frame.image.pixels[0] = {255, 255, 255};  // a bright pixel, as from a crack in a wall
  frame.unlit = 0.95f;
  EXPECT_TRUE(contains(light_note(frame), "almost no light"));
  frame.unlit = 0.5f;
  EXPECT_EQ(light_note(frame), "");
  frame.unlit = 0.95f;
  frame.settings.exposure = 1.0f;
  EXPECT_EQ(light_note(frame), "");
}

}  // namespace light_test
}  // namespace ballotcast::detail
