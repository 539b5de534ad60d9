// Tests materials, textures and texture transforms in glTF files.
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

/// A loaded material, with its scene and warnings.
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
  gltf.more = R"(, "materials": [{)" + json +
              R"(}], "textures": [{"source": 0}, {"source": 0, "sampler": 0}],
    "samplers": [{"wrapS": 33648, "wrapT": 33071}], "images": [{"uri": "data:image/png;base64,)" +
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
  ASSERT_EQ(scene.textures.size(), 1u);  // the texture is decoded only once
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
  // The rotation is a quarter turn counter-clockwise in a picture whose v runs downwards: (1, 0)
  // becomes (0, -1).
  const Array<vec2> turned = transformed(R"("rotation": 1.5707963267948966)");
  EXPECT_NEAR(turned[1].x, 0.0f, 1e-6f);
  EXPECT_NEAR(turned[1].y, 2.0f, 1e-6f);
  EXPECT_NEAR(turned[2].x, 1.0f, 1e-6f);
}

TEST(GltfMaterials, reads_specular_glossiness_without_a_loss) {
  const std::string gloss = R"("pbrMetallicRoughness": {"baseColorFactor": [0, 0, 1, 1]},
    "extensions": {"KHR_materials_pbrSpecularGlossiness": {%}})";
  const auto with = [&](const std::string& parts) {
    std::string text = gloss;
    return material(text.replace(text.find('%'), 1, parts));
  };
  const Material plain = with("").material;
  EXPECT_EQ(plain.color, vec3(1.0f));
  EXPECT_EQ(plain.specular, vec3(1.0f));
  EXPECT_EQ(plain.roughness, 0.0f);
  EXPECT_EQ(plain.metallic, 0.0f);
  const Material factors = with(R"("diffuseFactor": [0, 1, 0, 1], "specularFactor": [0.5, 0.25, 0],
                                   "glossinessFactor": 0.25)")
                               .material;
  EXPECT_EQ(factors.color, vec3(0.0f, 1.0f, 0.0f));
  EXPECT_EQ(factors.specular, vec3(0.5f, 0.25f, 0.0f));
  EXPECT_EQ(factors.roughness, 0.75f);
  const auto [m, scene] = with(R"("diffuseTexture": {"index": 0}, "glossinessFactor": 0.25,
                                  "specularGlossinessTexture": {"index": 0, "texCoord": 1})");
  EXPECT_EQ(scene.textures[m.color_texture].pixels[0].r, 200);
  EXPECT_EQ(m.specular_texture, m.color_texture);
  ASSERT_NE(m.roughness_texture, m.specular_texture);
  EXPECT_EQ(m.roughness, 1.0f);
  EXPECT_EQ(scene.textures[m.roughness_texture].pixels[0].g, 191);  // 255 - 0.25 * 255, rounded
  EXPECT_EQ(scene.textures[m.specular_texture].pixels[0].g, 100);
  EXPECT_TRUE(warns(scene, "specularGlossinessTexture: placed like the first texture"));
}

TEST(GltfMaterials, repeat_mirror_and_clamp_as_samplers_say) {
  const Loaded loaded = material(R"("pbrMetallicRoughness": {"baseColorTexture": {"index": 1}},
      "emissiveFactor": [1, 1, 1], "emissiveTexture": {"index": 0})");
  EXPECT_TRUE(loaded.scene.warnings.empty()) << warnings_of(loaded.scene);
  ASSERT_EQ(loaded.scene.textures.size(), 2u);
  const Texture& mirrored = loaded.scene.textures[loaded.material.color_texture];
  EXPECT_EQ(mirrored.across, Wrap::mirror);
  EXPECT_EQ(mirrored.down, Wrap::clamp);
  const Texture& plain = loaded.scene.textures[loaded.material.emission_texture];
  EXPECT_EQ(plain.across, Wrap::repeat);
  EXPECT_EQ(plain.down, Wrap::repeat);
}

TEST(GltfMaterials, cut_out_by_the_alpha_of_vertices_unless_they_are_opaque) {
  const auto with = [](const std::string& mode, u8 alpha) {
    Gltf gltf = triangle();
    gltf.add<u8>({255, 255, 255, alpha, 255, 255, 255, 255, 255, 255, 255, 255}, "VEC4", 5121, 4,
                 R"(, "normalized": true)");
    // Adds a second primitive, whose vertices are opaque.
    gltf.primitive = R"("attributes": {"POSITION": 0, "COLOR_0": 1}, "material": 0},
                        {"attributes": {"POSITION": 0})";
    gltf.more = R"(, "materials": [{)" + mode + "}]";
    return load(gltf);
  };
  const std::vector<float> some = {0.2f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
  const auto opacities = [](const SceneData& scene) {
    return std::vector<float>(scene.mesh.vertex_opacity.begin(), scene.mesh.vertex_opacity.end());
  };
  EXPECT_EQ(opacities(with(R"("alphaMode": "MASK")", 51)), some);
  EXPECT_EQ(opacities(with(R"("alphaMode": "BLEND")", 51)), some);
  EXPECT_TRUE(with(R"("alphaMode": "MASK")", 255).mesh.vertex_opacity.empty());
  EXPECT_TRUE(with(R"("alphaMode": "MASK", "alphaCutoff": 0)", 51).mesh.vertex_opacity.empty());
  EXPECT_TRUE(with("", 51).mesh.vertex_opacity.empty());
  EXPECT_TRUE(warns(with(R"("alphaMode": "BLEND")", 51),
                    "materials with alphaMode BLEND and alpha between 0 and 1, cut out below one "
                    "half and opaque above: 1"));
  EXPECT_TRUE(with(R"("alphaMode": "BLEND")", 255).warnings.empty());
}

TEST(GltfMaterials, are_to_be_blended_only_by_the_alpha_of_their_own_vertices) {
  const auto warnings_with = [](const std::string& material_of_clear, const std::string& modes) {
    Gltf gltf = triangle();
    gltf.add_floats({1, 1, 1, 0.2f, 1, 1, 1, 1, 1, 1, 1, 1}, 4);
    gltf.add_floats({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 4);
    gltf.primitive = R"("attributes": {"POSITION": 0, "COLOR_0": 1}, "material": )" +
                     material_of_clear +
                     R"(}, {"attributes": {"POSITION": 0, "COLOR_0": 2}, "material": 1)";
    gltf.more = R"(, "materials": [)" + modes + "]";
    return warnings_of(load(gltf));
  };
  const std::string blend = R"({"alphaMode": "BLEND"})", mask = R"({"alphaMode": "MASK"})";
  EXPECT_EQ(warnings_with("0", mask + ", " + blend), "");
  EXPECT_TRUE(contains(warnings_with("0", blend + ", " + blend), "opaque above: 1"));
  EXPECT_TRUE(contains(warnings_with("1", blend + ", " + blend), "opaque above: 1"));
}

TEST(GltfMaterials, have_colors_of_integers_that_nobody_called_normalized) {
  const auto with = [](auto full, u32 component) {
    using Integer = decltype(full);
    Gltf gltf = triangle();
    const Integer part = static_cast<Integer>(full / 5);
    gltf.add<Integer>({full, part, 0, full, full, part, 0, part, full, part, 0, part}, "VEC4",
                      component, 4);
    gltf.primitive = R"("attributes": {"POSITION": 0, "COLOR_0": 1}, "material": 0)";
    gltf.more = R"(, "materials": [{"alphaMode": "MASK"}])";
    return load(gltf);
  };
  for (const SceneData& scene : {with(u8{255}, 5121), with(u16{65535}, 5123)}) {
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    EXPECT_EQ(scene.mesh.vertex_colors[0], vec3(1.0f, 0.2f, 0.0f));
    ASSERT_EQ(scene.mesh.vertex_opacity.size(), 3u);
    EXPECT_EQ(scene.mesh.vertex_opacity[1], 0.2f);
  }
}

TEST(GltfMaterials, have_opacities_of_every_primitive) {
  Gltf gltf = triangle();
  const auto white = [](float a, float b, float c) {
    return std::vector<float>{1, 1, 1, a, 1, 1, 1, b, 1, 1, 1, c};
  };
  gltf.add_floats(white(0.25f, 1.0f, 0.5f), 4);
  gltf.add_floats(white(1.0f, 1.0f, 0.75f), 4);
  gltf.add_floats(white(1.0f, 1.0f, 1.0f), 4);
  const auto part = [](const char* color) {
    return R"("attributes": {"POSITION": 0, "COLOR_0": )" + std::string(color) +
           R"(}, "material": 0)";
  };
  gltf.primitive = part("1") + "}, {" + part("2") + "}, {" + part("3");
  gltf.more = R"(, "materials": [{"alphaMode": "MASK"}])";
  const Array<float> all = load(gltf).mesh.vertex_opacity;
  EXPECT_EQ(std::vector<float>(all.begin(), all.end()),
            (std::vector<float>{0.25f, 1.0f, 0.5f, 1.0f, 1.0f, 0.75f, 1.0f, 1.0f, 1.0f}));
}

TEST(GltfMaterials, that_are_single_sided_are_counted_and_no_warning) {
  const auto with = [](const std::string& materials, const std::string& primitive) {
    Gltf gltf = triangle();
    gltf.primitive += primitive;
    gltf.more = R"(, "materials": [)" + materials + "]";
    return load(gltf);
  };
  const std::string first = R"(, "material": 0)";
  EXPECT_EQ(with("{}", first).single_sided, 1u);
  EXPECT_EQ(with(R"({"doubleSided": false})", first).single_sided, 1u);
  EXPECT_EQ(with(R"({"doubleSided": true})", first).single_sided, 0u);
  EXPECT_EQ(with("{}", "").single_sided, 1u) << "the default material is single-sided, too";
  EXPECT_EQ(with(R"({"doubleSided": true}, {}, {})", first).single_sided, 0u)
      << "materials that nothing has do not count";
  EXPECT_TRUE(with("{}", first).warnings.empty());
}

TEST(GltfMaterials, with_the_same_fault_share_a_warning) {
  Gltf gltf = triangle();
  const std::string part = R"("attributes": {"POSITION": 0}, "material": )";
  gltf.primitive = part + "0}, {" + part + "1}, {" + part + "2";
  const std::string wrong = R"({"extensions": {"KHR_materials_ior": {"ior": 0.5}}})";
  gltf.more = R"(, "materials": [)" + wrong + ", " + wrong + ", " + wrong + "]";
  const SceneData scene = load(gltf);
  EXPECT_EQ(scene.warnings.size(), 1u) << warnings_of(scene);
  EXPECT_TRUE(warns(scene,
                    "materials[0]: an ior must be 0 or at least 1; drawn with 1.5 (and 2 "
                    "more)"))
      << warnings_of(scene);
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
