// Tests mattes of objects and materials: ids of names, and the share of a pixel that each covers.
#include <gtest/gtest.h>

#include <cmath>

#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"
#include "render/outputs/outputs.hpp"
#include "scene/instances/instances.hpp"
#include "support/json.hpp"

namespace ballotcast::detail {
namespace cryptomatte_test {

/// Two triangles at z = -1, left and right of x = 0. Each is a separate part of the mesh.
Scene two_parts() {
  const Vec3f corners[] = {{0, -9, -1}, {0, 9, -1}, {-9, 0, -1}, {9, 0, -1}};
  const Triangle triangles[] = {{0, 1, 2}, {0, 3, 1}};
  SceneData scene = *make_scene(corners, triangles).data();
  scene.named_parts = {{{0, 0}, {1, 1}}, {"left", "right"}};
  return Scene(std::make_shared<const SceneData>(std::move(scene)));
}

Frame picture(const Scene& scene, u32 width) {
  RenderSettings settings;
  settings.width = width;
  settings.height = 1;
  settings.samples = 64;
  settings.shading = "albedo";
  settings.keep_hits = true;
  settings.camera.eye = {0, 0, 0};
  settings.camera.look_at = {0, 0, -1};
  settings.camera.fov = 40.0;
  return Renderer(scene, {"cpu"}).render(settings);
}

TEST(Cryptomatte, hashes_of_names_are_those_of_murmur3) {
  // The values are from the program of the hash's author.
  EXPECT_EQ(murmur3(""), 0u);
  EXPECT_EQ(murmur3("hello"), 0x248bfa47u);
  EXPECT_EQ(murmur3("hello, world"), 0x149bbb7fu);
  EXPECT_EQ(murmur3("The quick brown fox jumps over the lazy dog"), 0x2e4ff723u);
}

TEST(Cryptomatte, ids_are_numbers_that_pictures_can_hold) {
  for (const u32 hash : {0u, 1u, 0x007fffffu, 0x7f800000u, 0xffffffffu, 0x12345678u})
    EXPECT_TRUE(std::isnormal(id_of_hash(hash))) << hash;
  EXPECT_EQ(bits_of(id_of_hash(0x12345678u)), 0x12345678u);
}

TEST(Cryptomatte, and_outputs_have_the_names_of_instances) {
  SceneData mesh = *two_parts().data();
  mesh.named_parts = {};
  PlacedPart left{0, {}}, right{0, {}};
  left.part = "a";
  left.to_world.at = {-9, 0, 0};
  right.part = "b";
  right.to_world.at = {9, 0, 0};
  const Scene scene(
      std::make_shared<const SceneData>(scene_of_instances({mesh}, {left, right}, dvec3(0.0))));
  EXPECT_EQ(scene.part_names(), (std::vector<std::string>{"a", "b"}));
  const MatteLayers matte = matte_of(*scene.data(), Matte::object, picture(scene, 2).hits, 2);
  EXPECT_EQ(matte.ranks[0], id_of_hash(murmur3("a")));
  EXPECT_EQ(matte.ranks[2 * MatteLayers::kRanks], id_of_hash(murmur3("b")));
  RenderSettings settings;
  settings.width = 2;
  settings.height = 1;
  settings.camera.eye = {0, 0, 0};
  settings.camera.look_at = {0, 0, -1};
  const std::string part = "part";
  EXPECT_EQ(Renderer(scene, {"cpu"}).outputs(settings, {&part, 1})[0].integers,
            (std::vector<std::int32_t>{0, 1}));
}

TEST(Cryptomatte, shares_are_those_of_the_samples) {
  const Scene scene = two_parts();
  const float left = id_of_hash(murmur3("left")), right = id_of_hash(murmur3("right"));
  const Frame halves = picture(scene, 2), one = picture(scene, 1);
  const MatteLayers two = matte_of(*scene.data(), Matte::object, halves.hits, 2);
  EXPECT_EQ(two.ranks[0], left);
  EXPECT_EQ(two.ranks[1], 1.0f);
  EXPECT_EQ(two.ranks[2], 0.0f) << "nothing else covers it";
  EXPECT_EQ(two.ranks[2 * MatteLayers::kRanks], right);
  const MatteLayers both = matte_of(*scene.data(), Matte::object, one.hits, 1);
  EXPECT_EQ(both.ranks[1] + both.ranks[3], 1.0f);
  EXPECT_NEAR(both.ranks[1], 0.5f, 0.05f);
  EXPECT_NE(both.ranks[0], both.ranks[2]);
}

TEST(Cryptomatte, texts_name_the_ids) {
  const Scene scene = two_parts();
  const MatteLayers matte = matte_of(*scene.data(), Matte::object, picture(scene, 2).hits, 2);
  ASSERT_EQ(matte.texts.size(), 4u);
  EXPECT_EQ(matte.texts[0].second, "CryptoObject");
  const Json names = Json::parse(matte.texts[3].second);
  char digits[16];
  std::snprintf(digits, sizeof digits, "%08x", bits_of(id_of_hash(murmur3("right"))));
  EXPECT_EQ(names.at("right"), digits);
  EXPECT_EQ(matte.channels().front().name, "CryptoObject00.R");
  EXPECT_EQ(matte.channels().back().name, "CryptoObject02.A");
  EXPECT_EQ(matte_of(*scene.data(), Matte::material, picture(scene, 2).hits, 2).ranks[0],
            id_of_hash(murmur3("grey")));
}

}  // namespace cryptomatte_test
}  // namespace ballotcast::detail
