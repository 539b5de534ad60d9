// Tests the surfaces and textures that lines of MTL files produce.
#include <gtest/gtest.h>

#include "scene/formats/obj/mtl_materials.hpp"
#include "scene/formats/textures.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace mtl_surface_test {

using testing::load_square;
using testing::one_pixel;
using testing::warnings_of;

Material material_with(const std::string& lines) {
  const TempDir dir;
  return load_square(dir, "newmtl a\nKd 0.5 0.5 0.5\n" + lines).materials[0];
}

TEST(MtlSurface, coats_follow_the_shading_model) {
  const std::string ks = "Ks 0.5 0.5 0.5\nNs 100\n";
  EXPECT_EQ(material_with("").specular, vec3(0.0f));
  EXPECT_EQ(material_with(ks + "illum 0\n").specular, vec3(0.0f));
  EXPECT_EQ(material_with(ks + "illum 1\n").specular, vec3(0.0f));
  EXPECT_NEAR(material_with(ks + "illum 2\n").specular.x, 0.04f, 1e-7f);
  EXPECT_EQ(material_with(ks + "illum 3\n").specular, vec3(0.5f));
  EXPECT_EQ(material_with(ks).specular, vec3(0.5f));
  // The GGX width, which is the square of the roughness, must be sqrt(2 / 102).
  const float roughness = material_with(ks).roughness;
  EXPECT_NEAR(roughness * roughness, 0.1400f, 1e-4f);
}

TEST(MtlSurface, measured_materials_are_metal_or_coated) {
  const Material metal = material_with("Pm 1\nPr 0.3\nKs 0.9 0.9 0.9\n");
  EXPECT_EQ(metal.metallic, 1.0f);
  EXPECT_EQ(metal.roughness, 0.3f);
  EXPECT_EQ(metal.specular, vec3(0.04f));
  EXPECT_EQ(material_with("Pr 0.6\n").specular, vec3(0.04f));
  EXPECT_EQ(material_with("Pr 0.6\n").metallic, 0.0f);
}

TEST(MtlSurface, glass_is_not_cut_out) {
  const Material solid = material_with("illum 7\nNi 1.33\nd 0.1\nTf 0.9 1 0.9\n");
  EXPECT_EQ(solid.transmission, Transmission::solid);
  EXPECT_EQ(solid.refraction, 1.33f);
  EXPECT_EQ(solid.transmitted, vec3(0.9f, 1.0f, 0.9f));
  EXPECT_FALSE(solid.may_cut_out());
  EXPECT_EQ(material_with("illum 4\nd 0.2\n").transmission, Transmission::thin);
  EXPECT_EQ(material_with("illum 6\nNi 1.5\n").transmission, Transmission::solid);
  // Maya writes the first for every material. The second does not mean glass either.
  EXPECT_EQ(material_with("illum 4\nTf 1 1 1\nNi 1\n").transmission, Transmission::none);
  EXPECT_EQ(material_with("illum 2\nTf 1 1 1\nNi 1.5\n").transmission, Transmission::none);
}

TEST(MtlSurface, every_map_is_found) {
  const TempDir dir;
  for (const char* name : {"1.png", "2.png", "3.png", "4.png", "5.png"})
    write_file_atomically(dir / name, one_pixel(128, 128, 255));
  const SceneData scene = load_square(dir,
                                      "newmtl a\nPm 1\nmap_Ke 1.png\nmap_Pr 3.png\n"
                                      "map_Pm 4.png\nbump -bm 0.5 5.png\n");
  ASSERT_EQ(scene.textures.size(), 4u) << warnings_of(scene);
  const Material& m = scene.materials[0];
  for (const u32 texture :
       {m.emission_texture, m.roughness_texture, m.metallic_texture, m.normal_texture})
    EXPECT_NE(texture, kNoTexture);
  const SceneData coated = load_square(dir, "newmtl a\nmap_Ks 2.png\nNs 10\nmap_Ns 3.png\n");
  EXPECT_NE(coated.materials[0].specular_texture, kNoTexture);
  EXPECT_NE(coated.materials[0].roughness_texture, kNoTexture);
  EXPECT_EQ(m.emission, vec3(1.0f));
  EXPECT_EQ(m.bumpiness, 0.5f);
}

TEST(MtlSurface, a_map_that_is_not_there_leaves_its_number) {
  EXPECT_EQ(material_with("map_Ks none.png\n").specular, vec3(0.0f));
  EXPECT_EQ(material_with("Ks 0.1 0.1 0.1\nNs 10\nmap_Ks none.png\nmap_Ns none.png\n").specular,
            vec3(0.1f));
  EXPECT_LT(material_with("Ks 0.1 0.1 0.1\nNs 10\nmap_Ns none.png\n").roughness, 0.7f);
  EXPECT_EQ(material_with("map_Pm none.png\n").metallic, 0.0f);
}

TEST(MtlSurface, a_map_replaces_its_number) {
  const TempDir dir;
  write_file_atomically(dir / "p.png", one_pixel(128, 128, 128));
  const Material m =
      load_square(dir, "newmtl a\nNs 250\nPm 0\nmap_Pm p.png\nPr 0.2\nmap_Pr p.png\n").materials[0];
  EXPECT_EQ(m.metallic, 1.0f);
  EXPECT_EQ(m.roughness, 1.0f);
}

TEST(MtlSurface, a_file_of_glass_with_opacity_0_stays_glass) {
  const TempDir dir;
  const SceneData scene = load_square(dir, "newmtl a\nillum 4\nd 0\nTf 0.5 0.5 0.5\n");
  EXPECT_EQ(scene.materials[0].transmission, Transmission::thin);
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
}

TEST(MtlSurface, a_lamp_that_can_not_be_seen_is_none) {
  EXPECT_FALSE(material_with("Ke 1 1 1\nd 0.2\n").emits());
  EXPECT_TRUE(material_with("Ke 1 1 1\nd 0.8\n").emits());
}

TEST(TextureMaps, a_slope_of_heights_tilts_the_normal) {
  // The bump map rises to the right by a quarter of white per pixel. So the normal is tilted by 45
  // degrees to the left.
  Picture<Rgba8> image{4, 3, {}};
  for (u32 y = 0; y < 3; ++y)
    for (u32 x = 0; x < 4; ++x) {
      const u8 h = static_cast<u8>(x * 64);
      image.pixels.push_back({h, h, h, 255});
    }
  make_normals(image);
  const Rgba8 c = image.pixels[4 + 1];
  EXPECT_NEAR(c.r / 127.5 - 1.0, -0.7071, 0.01);
  EXPECT_NEAR(c.g / 127.5 - 1.0, 0.0, 0.01);
  EXPECT_NEAR(c.b / 127.5 - 1.0, 0.7071, 0.01);
  Picture<Rgba8> normals{1, 1, {{128, 128, 255, 255}}};
  make_normals(normals);
  EXPECT_EQ(normals.pixels[0].b, 255);  // read as a normal map, because the picture is not grey
}

TEST(TextureMaps, exponents_become_roughness) {
  Picture<Rgba8> image{2, 1, {{0, 0, 0, 255}, {255, 255, 255, 255}}};
  make_roughness(image, 1000.0);
  EXPECT_EQ(image.pixels[0].g, 255);
  EXPECT_EQ(image.pixels[1].g, 54);  // sqrt(sqrt(2 / 1002)) * 255
}

}  // namespace mtl_surface_test
}  // namespace ballotcast::detail
