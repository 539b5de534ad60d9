// Tests a picture as the sky: directions, densities, and the light that surfaces get from it.
#include <gtest/gtest.h>

#include "backends/scene/prepare.hpp"
#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"
#include "render/framing/framing.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {
namespace sky_test {

/// A scene without triangles, with a sky of width x height pixels, which is dark except for a few
/// pixels.
SceneData sky_scene(u32 width, u32 height) {
  SceneData scene;
  scene.sky_map = {width, height, std::vector<vec3>(u64{width} * height, vec3(0.25f))};
  scene.sky_map.pixels[u64{height / 4} * width + width / 3] = vec3(100.0f);
  scene.sky_map.pixels[u64{height / 2} * width] = vec3(40.0f);
  return scene;
}

/// The view of a sky of 16x8 pixels, and the data to which it points.
struct Sky16 {
  SceneData scene = sky_scene(16, 8);
  LightTables tables = light_tables_of(scene);
  SceneView view{};

  Sky16() { look(); }
  void look() {
    set_lights(scene, tables, view);
    view.sky.map.pixels = scene.sky_map.pixels.data();
    view.sky.map.rows = tables.sky_rows.data();
    view.sky.map.columns = tables.sky_columns.data();
    view.sky.map.heights = tables.sky_heights.data();
  }
  const SkyMapView& map() const { return view.sky.map; }
};

TEST(Sky, the_middle_lies_ahead_and_the_right_half_to_the_right) {
  const Sky16 sky;
  const auto place = [&](vec3 direction) { return sky_place(sky.map(), direction); };
  EXPECT_NEAR(place({0.0f, 0.0f, -1.0f}).x, 8.0f, 1e-4f);
  EXPECT_NEAR(place({0.0f, 0.0f, -1.0f}).y, 4.0f, 1e-4f);
  EXPECT_NEAR(place({1.0f, 0.0f, 0.0f}).x, 12.0f, 1e-4f);
  EXPECT_NEAR(place({0.0f, 1.0f, 0.0f}).y, 0.0f, 1e-4f);
  EXPECT_NEAR(place({0.0f, -1.0f, 0.0f}).y, 8.0f, 1e-4f);
}

TEST(Sky, turns_as_meshes_do_and_follows_up) {
  Sky16 sky;
  // From z towards x: the middle of the picture, ahead at -z before, is now at -x.
  sky.scene.sky.turn = 90.0;
  sky.look();
  EXPECT_NEAR(sky_place(sky.map(), {-1.0f, 0.0f, 0.0f}).x, 8.0f, 1e-4f);
  sky.scene.sky.turn = 0.0;
  sky.scene.up = dvec3(0.0, 0.0, 1.0);
  sky.look();
  EXPECT_NEAR(sky_place(sky.map(), {0.0f, 0.0f, 1.0f}).y, 0.0f, 1e-4f);
  EXPECT_NEAR(sky_place(sky.map(), {0.0f, 1.0f, 0.0f}).x, 8.0f, 1e-4f);
  EXPECT_NEAR(sky_place(sky.map(), {1.0f, 0.0f, 0.0f}).x, 12.0f, 1e-4f);
}

TEST(Sky, directions_are_chosen_with_the_density_that_is_stated) {
  const Sky16 sky;
  const SkyMapView& map = sky.map();
  constexpr u32 kSamples = 100000;
  std::vector<double> found(16 * 8), stated(16 * 8);
  for (u32 i = 0; i < kSamples; ++i) {
    const SkyChoice chosen = chosen_sky_direction(map, sample_2d(1u, i, 1u));
    EXPECT_NEAR(dot(chosen.direction, chosen.direction), 1.0f, 1e-5f);
    const SkyPlace place = sky_place(map, chosen.direction);
    found[sky_pixel(place.y, 8) * 16 + sky_pixel(place.x, 16)] += 1.0 / kSamples;
  }
  double whole = 0.0;
  for (u32 y = 0; y < 8; ++y)
    for (u32 x = 0; x < 16; ++x) {
      const double angle = 2.0 * 3.14159265 / 16.0 * double{map.heights[y] - map.heights[y + 1]};
      stated[y * 16 + x] = double{sky_density(map, x, y)} * angle;
      whole += stated[y * 16 + x];
      EXPECT_NEAR(found[y * 16 + x], stated[y * 16 + x], 0.002) << x << " " << y;
    }
  EXPECT_NEAR(whole, 1.0, 1e-4);
}

TEST(Sky, light_over_density_has_the_sky_s_light_as_its_mean_and_a_limit) {
  const Sky16 sky;
  const SkyMapView& map = sky.map();
  double sum = 0.0, most = 0.0, even = 0.0;
  constexpr u32 kSamples = 200000;
  for (u32 i = 0; i < kSamples; ++i) {
    const SkyChoice chosen = chosen_sky_direction(map, sample_2d(1u, i, 1u));
    const double light = double{sky_map_radiance(map, chosen.direction).x / chosen.density};
    sum += light / kSamples;
    most = std::max(most, light);
    const vec2 s = sample_2d(2u, i, 1u);
    const float height = 1.0f - 2.0f * s.x, radius = std::sqrt(1.0f - height * height);
    const SinCos a = sincos_turns(double{s.y});
    even +=
        double{sky_map_radiance(map, {radius * float(a.cos), height, radius * float(a.sin)}).x} *
        4.0 * 3.14159265 / kSamples;
  }
  EXPECT_NEAR(sum, even, 0.01 * even);
  EXPECT_LT(most, 4.1 * sum);
}

TEST(Sky, pictures_with_rows_of_no_height_have_densities_all_the_same) {
  SceneData scene;
  scene.sky_map = {2, 30000, std::vector<vec3>(60000, vec3(1.0f))};
  const LightTables tables = light_tables_of(scene);
  SceneView view{};
  set_lights(scene, tables, view);
  view.sky.map.rows = tables.sky_rows.data();
  view.sky.map.columns = tables.sky_columns.data();
  view.sky.map.heights = tables.sky_heights.data();
  for (u32 y = 0; y < 30000; ++y)
    EXPECT_TRUE(sky_density(view.sky.map, 0, y) >= 0.0f && sky_density(view.sky.map, 0, y) < 1e9f)
        << y;
}

}  // namespace sky_test
}  // namespace ballotcast::detail
