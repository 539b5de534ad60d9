// Materials, textures and their placement in glTF files.
#include <gtest/gtest.h>

#include <cmath>

#include "helpers/meshes.hpp"
#include "scene/assemble.hpp"
#include "scene/gltf_text.hpp"

namespace ballotcast::detail {
namespace gltf_materials_test {

using testing::Gltf;
using testing::load;
using testing::one_pixel;
using testing::triangle;
using testing::warnings_of;
using testing::warns;

/// The material of a file with this material and a texture, and its warnings.
struct Loaded {
  Material material;
  SceneData scene;
};
Loaded material(const std::string& json, const std::string& more = "") {
  Gltf gltf = triangle();
  gltf.add_floats({0, 0, 1, 0, 0, 1}, 2);
  gltf.add_floats({0.5f, 0.5f, 0.5f, 0.5f, 0.5f, 0.5f}, 2);
  gltf.primitive =
      R"("attributes": {"POSITION": 0, "TEXCOORD_0": 1, "TEXCOORD_1": 2}, "material": 0)";
  const std::vector<u8> png = one_pixel(200, 100, 50);
  gltf.more = R"(, "materials": [{)" + json + R"(}], "textures": [{"source": 0}],
    "images": [{"uri": "data:image/png;base64,)" +
              testing::base64({png.begin(), png.end()}) + R"("}])" + more;
  SceneData scene = load(gltf);
  return {scene.materials[0], scene};
}

TEST(GltfMaterials, reads_metallic_roughness_materials) {
  const Loaded plain = material("");
  EXPECT_EQ(plain.material.color, vec3(1.0f));
  EXPECT_EQ(plain.material.metallic, 1.0f);
  EXPECT_EQ(plain.material.roughness, 1.0f);
  EXPECT_FLOAT_EQ(plain.material.specular.x, 0.04f);
  const auto [m, scene] = material(R"("name": "paint", "pbrMetallicRoughness": {
      "baseColorFactor": [0.5, 0.25, 1, 1], "metallicFactor": 0.25, "roughnessFactor": 0.75,
      "baseColorTexture": {"index": 0}, "metallicRoughnessTexture": {"index": 0}},
    "normalTexture": {"index": 0, "scale": 0.5}, "emissiveFactor": [1, 0.5, 0],
    "emissiveTexture": {"index": 0},
    "extensions": {"KHR_materials_emissive_strength": {"emissiveStrength": 4},
                   "KHR_materials_ior": {"ior": 2}})");
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  EXPECT_EQ(scene.material_names[0], "paint");
  EXPECT_EQ(m.color, vec3(0.5f, 0.25f, 1.0f));
  EXPECT_EQ(m.metallic, 0.25f);
  EXPECT_EQ(m.roughness, 0.75f);
  EXPECT_EQ(m.bumpiness, 0.5f);
  EXPECT_EQ(m.emission, vec3(4.0f, 2.0f, 0.0f));
  EXPECT_FLOAT_EQ(m.specular.y, 1.0f / 9.0f);
  EXPECT_EQ(m.refraction, 2.0f);
  EXPECT_EQ(m.transmission, Transmission::none);
  EXPECT_EQ(m.opacity, 1.0f);
  EXPECT_EQ(m.opacity_texture, kNoTexture);
  for (const u32 texture : {m.color_texture, m.metallic_texture, m.roughness_texture,
                            m.normal_texture, m.emission_texture})
    EXPECT_EQ(texture, 0u);
  ASSERT_EQ(scene.textures.size(), 1u);  // decoded once
  EXPECT_EQ(scene.textures[0].pixels[0].r, 200);
}

TEST(GltfMaterials, reads_alpha_modes) {
  const std::string factor = R"("pbrMetallicRoughness": {"baseColorTexture": {"index": 0},
                                 "baseColorFactor": [1, 1, 1, 0.8]})";
  EXPECT_FALSE(material(factor).material.may_cut_out());
  const Material mask = material(factor + R"(, "alphaMode": "MASK", "alphaCutoff": 0.25)").material;
  EXPECT_FLOAT_EQ(mask.opacity, 1.6f);
  EXPECT_EQ(mask.opacity_texture, 0u);
  EXPECT_FLOAT_EQ(material(factor + R"(, "alphaMode": "BLEND")").material.opacity, 0.8f);
  EXPECT_FALSE(
      material(factor + R"(, "alphaMode": "MASK", "alphaCutoff": 0)").material.may_cut_out());
  EXPECT_TRUE(warns(material(factor + R"(, "alphaMode": "MASK", "alphaCutoff": 0.9)").scene,
                    "materials[0]: hides 1 triangle"));
  EXPECT_TRUE(contains(message_of<InputError>([] { material(R"("alphaMode": "HALF")"); }),
                       "\"materials[0].alphaMode\" must be OPAQUE"));
}

TEST(GltfMaterials, reads_glass_and_unlit_materials) {
  const std::string glass = R"("extensions": {"KHR_materials_transmission":
      {"transmissionFactor": 1}, "KHR_materials_ior": {"ior": 1.33}%}, "pbrMetallicRoughness":
      {"baseColorFactor": [0.5, 1, 1, 1], "metallicFactor": 0})";
  const auto with = [&](const std::string& more) {
    std::string text = glass;
    return material(text.replace(text.find('%'), 1, more));
  };
  const Material pane = with("").material;
  EXPECT_EQ(pane.transmission, Transmission::thin);
  EXPECT_EQ(pane.transmitted, vec3(0.5f, 1.0f, 1.0f));
  EXPECT_EQ(pane.refraction, 1.33f);
  EXPECT_EQ(with(R"(, "KHR_materials_volume": {"thicknessFactor": 0.1})").material.transmission,
            Transmission::solid);
  EXPECT_EQ(with(R"(, "KHR_materials_volume": {})").material.transmission, Transmission::thin);
  const Material unlit =
      material(R"("emissiveFactor": [1, 1, 1], "extensions": {"KHR_materials_unlit": {}})")
          .material;
  EXPECT_FALSE(unlit.emits());
  EXPECT_EQ(unlit.metallic, 0.0f);
  EXPECT_EQ(unlit.specular, vec3(0.0f));
}

TEST(GltfMaterials, turns_v_upwards_and_places_textures) {
  const std::string color = R"("pbrMetallicRoughness": {"baseColorTexture": {"index": 0%}})";
  const auto corners = [&](const std::string& more) {
    std::string text = color;
    return material(text.replace(text.find('%'), 1, more)).scene.mesh.corner_texcoords;
  };
  EXPECT_EQ(corners(""), (std::vector<vec2>{{0, 1}, {1, 1}, {0, 0}}));
  EXPECT_EQ(corners(R"(, "texCoord": 1)")[0], vec2(0.5f));
  const std::string transform = R"(, "extensions": {"KHR_texture_transform": {%}})";
  const auto transformed = [&](const std::string& parts) {
    std::string text = transform;
    return corners(text.replace(text.find('%'), 1, parts));
  };
  EXPECT_EQ(transformed(R"("offset": [0.25, 0.5], "scale": [2, 3])"),
            (std::vector<vec2>{{0.25f, 0.5f}, {2.25f, 0.5f}, {0.25f, -2.5f}}));
  EXPECT_EQ(transformed(R"("texCoord": 1)")[0], vec2(0.5f));
  // A quarter turn counter-clockwise in the picture, whose v runs downwards: (1, 0) to (0, -1).
  const Array<vec2> turned = transformed(R"("rotation": 1.5707963267948966)");
  EXPECT_NEAR(turned[1].x, 0.0f, 1e-6f);
  EXPECT_NEAR(turned[1].y, 2.0f, 1e-6f);
  EXPECT_NEAR(turned[2].x, 1.0f, 1e-6f);
}

TEST(GltfMaterials, says_which_textures_it_cant_use) {
  const std::string color = R"("pbrMetallicRoughness": {"baseColorTexture": {"index": 1}})";
  const auto more = [](const std::string& texture, const std::string& image) {
    return R"(, "textures": [{"source": 0}, {)" + texture +
           R"(}], "images": [{"uri": "x.png"}, {)" + image + "}]";
  };
  const auto scene = [&](const std::string& texture, const std::string& image) {
    Gltf gltf = triangle();
    gltf.add_floats({0, 0, 1, 0, 0, 1}, 2);
    gltf.primitive = R"("attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0)";
    gltf.more = R"(, "materials": [{)" + color + "}]" + more(texture, image);
    return load(gltf);
  };
  EXPECT_TRUE(warns(scene("", R"("uri": "x.png")"), "textures[1]: texture left out"));
  EXPECT_TRUE(warns(scene(R"("source": 1)", R"("uri": "y.png")"), "texture \"y.png\" not found"));
  EXPECT_TRUE(warns(scene(R"("source": 1)", R"("uri": "data:;base64,AAAA")"), "texture left out"));
  EXPECT_TRUE(warns(scene(R"("source": 1)", R"("uri": "data:;base64,A")"), "malformed"));
  EXPECT_TRUE(warns(scene(R"("source": 1)", R"("bufferView": 0)"), "texture left out"));
}

}  // namespace gltf_materials_test
}  // namespace ballotcast::detail
