// Tests what the shadings show, in scenes whose pictures can be computed by hand.
#include <gtest/gtest.h>

#include "backends/scene/prepare.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/floor_scene.hpp"
#include "helpers/meshes.hpp"
#include "image/color.hpp"
#include "kernels/shadings/depth_range.hpp"
#include "scene/assemble.hpp"

namespace ballotcast::detail {
namespace shadings_test {

/// A scene: a coloured floor in the sun.
SceneData floor_scene() { return testing::floor_scene({0.5f, 0.25f, 0.125f}, 2.0f); }

Rgb8 middle_of(const SceneData& scene, std::string_view shading, u32 bounces = 2,
               std::string_view layout = "auto") {
  Renderer renderer(std::make_shared<const SceneData>(scene),
                    {"cpu", std::string(kDefaultBuilder), std::string(layout)});
  RenderSettings settings;
  settings.width = settings.height = 9;
  settings.shading = shading;
  settings.samples = 16;
  settings.bounces = bounces;
  return renderer.render(settings).image.pixels[4 * 9 + 4];
}

u8 code(double linear) { return srgb_code(float(linear), srgb_threshold_table().data()); }

TEST(Shading, normal_of_a_floor_points_up) {
  const Rgb8 c = middle_of(floor_scene(), "normal");
  EXPECT_EQ(c.r, 128);
  EXPECT_EQ(c.g, 255);
  EXPECT_EQ(c.b, 128);
}

TEST(Shading, albedo_is_the_material_colour_in_srgb) {
  const Rgb8 c = middle_of(floor_scene(), "albedo");
  EXPECT_EQ(c.r, code(0.5));
  EXPECT_EQ(c.g, code(0.25));
  EXPECT_EQ(c.b, code(0.125));
}

TEST(Shading, albedo_takes_the_texture_with_its_lower_left_at_0_0) {
  SceneData scene = floor_scene();
  scene.materials[0].color = vec3(1.0f);
  scene.materials[0].color_texture = 0;
  scene.textures.push_back(
      {2, 2, {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {9, 9, 9, 255}}});
  scene.mesh.corner_texcoords.assign(6, vec2(0.25f, 0.25f));  // the centre of the lower left texel
  const Rgb8 c = middle_of(scene, "albedo");
  EXPECT_EQ(c.r, 0);
  EXPECT_EQ(c.b, 255);
}

TEST(Shading, depth_goes_from_white_to_dark_grey_over_what_is_seen) {
  SceneData scene = floor_scene();
  // Three squares side by side at distances 2, 4 and 12 from the eye, and a fourth square behind
  // the eye.
  scene.mesh = {};
  const auto add_square = [&](float left, float right, float z) {
    const u32 first = static_cast<u32>(scene.mesh.positions.size());
    for (const vec3 p :
         {vec3(left, -9, z), vec3(right, -9, z), vec3(right, 9, z), vec3(left, 9, z)})
      scene.mesh.positions.push_back(p);
    scene.mesh.triangles.push_back({first, first + 1, first + 2});
    scene.mesh.triangles.push_back({first, first + 2, first + 3});
  };
  add_square(-9.0f, -0.2f, -2.0f);
  add_square(-0.2f, 0.4f, -4.0f);
  add_square(0.4f, 9.0f, -12.0f);
  add_square(-9.0f, 9.0f, 100.0f);
  scene.camera = Camera{{0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 30.0};
  Renderer renderer(std::make_shared<const SceneData>(scene), {"cpu"});
  RenderSettings settings;
  settings.width = settings.height = 32;
  settings.shading = "depth";
  const auto row = renderer.render(settings).image;
  const auto at = [&](u32 x) { return int{row.pixels[16 * 32 + x].r}; };
  EXPECT_GE(at(8), 250);
  EXPECT_NEAR(at(16), 128 + 15, 35);
  EXPECT_GE(at(31), int(255 * DepthRange::kFarGrey) - 1);
  EXPECT_LE(at(31), int(255 * DepthRange::kFarGrey) + 12);
}

TEST(Shading, depth_has_its_middle_grey_at_the_middle_distance) {
  const DepthRange range{2.0f, 3.0f, 10.0f};
  const float half = 0.5f * (1.0f + DepthRange::kFarGrey);
  EXPECT_EQ(range.grey_of(1.0f), 1.0f);
  EXPECT_EQ(range.grey_of(2.0f), 1.0f);
  EXPECT_FLOAT_EQ(range.grey_of(3.0f), half);
  EXPECT_FLOAT_EQ(range.grey_of(10.0f), DepthRange::kFarGrey);
  EXPECT_FLOAT_EQ(range.grey_of(11.0f), DepthRange::kFarGrey);
  EXPECT_FLOAT_EQ((DepthRange{0.0f, 4.0f, 8.0f}.grey_of(2.0f)), 0.5f * (1.0f + half));
  EXPECT_EQ((DepthRange{5.0f, 5.0f, 5.0f}.grey_of(5.0f)), 1.0f);
}

TEST(Shading, depth_is_the_same_with_every_tree_and_device) {
  const auto scene = std::make_shared<const SceneData>(assemble({}));
  RenderSettings settings;
  settings.width = 48;
  settings.height = 27;
  settings.shading = "depth";
  const auto drawn = [&](const RendererOptions& options) {
    return hash_of(Renderer(scene, options).render(settings).image);
  };
  const std::string expected = drawn({"cpu"});
  EXPECT_EQ(drawn({"cpu", "best", "bvh2"}), expected);
  EXPECT_EQ(drawn({"emulated", "fast", "grid2"}), expected);
}

TEST(Shading, the_background_is_grey_and_lighter_above) {
  SceneData scene = floor_scene();
  scene.camera->eye = {0, 5, 0};
  for (const std::string shading : {"ao", "albedo", "normal", "facing"}) {
    scene.camera->look_at = {0, 6, 5};
    const Rgb8 above = middle_of(scene, shading);
    scene.camera->look_at = {0, 4.5, 500};
    scene.mesh.positions = {{0, -1, 0}, {1, -1, 0}, {0, -1, 1}, {0, -1, 2}};
    const Rgb8 ahead = middle_of(scene, shading);
    for (const Rgb8 c : {above, ahead}) {
      EXPECT_GT(c.g, 60) << shading;
      EXPECT_LT(c.g, 130) << shading;
      EXPECT_LE(c.r, c.g) << shading;
      EXPECT_LE(c.g, c.b) << shading;
    }
    EXPECT_GT(above.g, ahead.g) << shading;
  }
}

TEST(Shading, facing_tells_front_from_back) {
  SceneData scene = floor_scene();
  const Rgb8 front = middle_of(scene, "facing");
  EXPECT_GT(front.b, front.r);
  scene.camera->eye = {0, -5, 0.01};
  const Rgb8 back = middle_of(scene, "facing");
  EXPECT_GT(back.r, back.b);
}

TEST(Shading, lit_by_an_overhead_sun_is_albedo_times_irradiance_over_pi) {
  const Rgb8 c = middle_of(floor_scene(), "lit");
  EXPECT_NEAR(c.r, code(0.5 * 2.0 / 3.14159265), 1);
  EXPECT_NEAR(c.g, code(0.25 * 2.0 / 3.14159265), 1);
}

TEST(Shading, lit_under_an_even_sky_is_albedo_times_its_radiance) {
  SceneData scene = floor_scene();
  scene.sun.strength = 0.0f;
  scene.sky.zenith = scene.sky.horizon = scene.sky.ground = Vec3f(0.5f, 0.5f, 0.5f);
  scene.sky.strength = 1.0f;
  const Rgb8 c = middle_of(scene, "lit");
  EXPECT_NEAR(c.r, code(0.25), 1);
  EXPECT_NEAR(c.b, code(0.0625), 1);
}

TEST(Shading, what_stands_before_the_sun_throws_a_shadow_unless_it_is_cut_out) {
  SceneData scene = floor_scene();
  scene.camera->eye = {0, 1, 2};  // the camera looks under the roof
  for (const vec3 p : {vec3(-5, 3, -5), vec3(5, 3, -5), vec3(0, 3, 5)})
    scene.mesh.positions.push_back(p);
  scene.mesh.triangles.push_back({4, 5, 6});
  scene.mesh.material_of = {0, 0, 1};
  scene.materials.push_back({});
  EXPECT_EQ(middle_of(scene, "lit", 0).r, 0);
  EXPECT_GT(middle_of(scene, "lit", 2).r, 0);  // light goes from the floor to the roof and back
  scene.materials[1].opacity = 0.25f;
  EXPECT_NEAR(middle_of(scene, "lit").r, code(0.5 * 2.0 / 3.14159265), 1);
}

TEST(Shading, metal_under_a_steep_normal_map_mirrors_the_sky) {
  SceneData scene = floor_scene();
  scene.sun.strength = 0.0f;
  scene.sky.zenith = scene.sky.horizon = scene.sky.ground = Vec3f(0.5f, 0.5f, 0.5f);
  scene.sky.strength = 1.0f;
  for (const uvec3 t : scene.mesh.triangles)
    for (const u32 corner : {t.x, t.y, t.z}) {
      const vec3 p = scene.mesh.positions[corner];
      scene.mesh.corner_texcoords.push_back({p.x, p.z});
    }
  // A normal at 60 degrees to the surface's normal.
  scene.textures.push_back({1, 1, {{238, 128, 192, 255}}});
  scene.texture_names.emplace_back("steep");
  scene.materials[0].metallic = 1.0f;
  scene.materials[0].roughness = 0.0f;
  scene.materials[0].normal_texture = 0;
  EXPECT_GE(middle_of(scene, "lit").r, code(0.25));
  EXPECT_GE(middle_of(scene, "lit").b, code(0.0625));
  scene.materials[0].roughness = 0.3f;
  EXPECT_GT(middle_of(scene, "lit").r, code(0.1)) << "half of the lobe leaves the surface";
}

TEST(Shading, a_lamp_lights_by_area_cosine_and_distance) {
  SceneData scene = floor_scene();
  scene.sun.strength = 0.0f;
  scene.camera->eye = {0, 1, 2};
  const float s = 0.05f, h = 4.0f;  // half the side of a small square lamp, and its height
  for (const vec3 p : {vec3(-s, h, -s), vec3(s, h, -s), vec3(s, h, s), vec3(-s, h, s)})
    scene.mesh.positions.push_back(p);
  scene.mesh.triangles.push_back({4, 5, 6});
  scene.mesh.triangles.push_back({4, 6, 7});
  scene.mesh.material_of = {0, 0, 1, 1};
  scene.materials.push_back({});
  scene.materials[1].color = vec3(0.0f);
  scene.materials[1].emission = vec3(1000.0f);
  const double expected = 0.5 / 3.14159265 * 1000.0 * (4.0 * s * s) / (h * h);
  EXPECT_NEAR(middle_of(scene, "lit").r, code(expected), 2);
}

TEST(Shading, ao_is_white_on_open_ground) { EXPECT_EQ(middle_of(floor_scene(), "ao").g, 255); }

TEST(Shading, visits_is_black_where_no_leaf_is_met) {
  SceneData scene = floor_scene();
  scene.camera->eye = {0, 5, 0};
  scene.camera->look_at = {0, 50, 0.1};
  // Layout bvh2 tests a box even if the root is a leaf.
  const Rgb8 c = middle_of(scene, "visits", 2, "bvh2");
  EXPECT_EQ(c.r, 0);
  EXPECT_LE(c.b, 6);
}

}  // namespace shadings_test
}  // namespace ballotcast::detail
