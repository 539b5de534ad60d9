// Tests unusual, damaged or missing textures: they are drawn as intended, or left out with a
// warning.
#include <gtest/gtest.h>
#include <zlib.h>

#include "ballotcast/threads.hpp"
#include "helpers/png_bytes.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace odd_textures_test {

using testing::load_square;
using testing::one_pixel;
using testing::warnings_of;
using testing::warns;

using Bytes = std::vector<u8>;

Bytes bytes_of(const std::string& hex) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<u8>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return bytes;
}

/// A scene with a square whose texture is a file with these bytes.
SceneData textured(const Bytes& bytes, const std::string& name = "tex.png") {
  const TempDir dir;
  write_file_atomically(dir / name, bytes);
  return load_square(dir, "newmtl a\nKd 0.5 0.5 0.5\nmap_Kd " + name + "\n");
}

/// Expects that the texture is left out, that the warning contains `why`, and that the material
/// keeps its colour.
void expect_left_out(const Bytes& bytes, const std::string& why) {
  const SceneData scene = textured(bytes);
  EXPECT_TRUE(scene.textures.empty());
  EXPECT_EQ(scene.materials[0].color, vec3(0.5f));
  EXPECT_EQ(scene.warnings.size(), 1u);
  EXPECT_TRUE(warns(scene, "a.mtl: line 3: texture left out: ")) << warnings_of(scene);
  EXPECT_TRUE(warns(scene, why)) << warnings_of(scene);
}

/// A JPEG file from the fuzzing corpus.
Bytes jpeg(const std::string& name) {
  return read_file(BALLOTCAST_SOURCE_DIR "/tests/fuzz/corpus/texture/" + name);
}

/// A PNG whose header claims this size, with the bytes of one row of pixels.
Bytes png_of(u32 width, u32 height, u32 depth, u32 color_type, const Bytes& line) {
  Bytes png = testing::png_bytes(1, depth, color_type, {std::string(line.begin(), line.end())});
  std::string header;
  for (const u32 side : {width, height})
    for (const u32 shift : {24u, 16u, 8u, 0u}) header += static_cast<char>(side >> shift & 0xff);
  header += std::string(png.begin() + 24, png.begin() + 29);
  const std::string chunk = testing::png_chunk("IHDR", header);
  std::copy(chunk.begin(), chunk.end(), png.begin() + 8);
  return png;
}

TEST(OddTextures, jpegs_of_every_colour_space_show_their_colours) {
  const auto first = [](const std::string& name) {
    const SceneData scene = textured(jpeg(name), "tex.jpg");
    EXPECT_EQ(scene.textures.size(), 1u) << name << "\n" << warnings_of(scene);
    return scene.textures.empty() ? Rgba8{} : scene.textures[0].pixels[0];
  };
  for (const char* red : {"red.jpg", "red-progressive.jpg", "red-cmyk.jpg", "red-cmyk-plain.jpg"}) {
    const Rgba8 color = first(red);
    EXPECT_GT(color.r, 250) << red;
    EXPECT_LT(color.g, 5) << red;
    EXPECT_LT(color.b, 5) << red;
    EXPECT_EQ(color.a, 255) << red;
  }
  EXPECT_EQ(first("grey-128.jpg").g, 128);
}

TEST(OddTextures, are_the_same_in_the_same_order_for_any_number_of_threads) {
  const TempDir dir;
  std::string mtl, obj = "mtllib a.mtl\n" + testing::kSquare + "vt 0 0\nvt 1 0\nvt 1 1\n";
  for (u32 i = 0; i < 12; ++i) {
    // The names of the pictures are in another order than the materials. Picture 5 is damaged.
    const std::string name = "m" + std::to_string(i), file = std::to_string(31 * i % 12) + ".png";
    Bytes bytes = one_pixel(static_cast<u8>(20 * i), 0, 0);
    if (i == 5) bytes.resize(30);
    write_file_atomically(dir / file, bytes);
    mtl += "newmtl " + name + "\nKd 0.5 0.5 0.5\nmap_Kd " + file + "\n";
    obj += "usemtl " + name + "\nf 1/1 2/2 3/3\n";
  }
  dir.write("a.mtl", mtl);
  const std::string path = dir.write("a.obj", obj);
  for (const u32 threads : {1u, 2u, 8u})
    with_threads(threads, [&] {
      const SceneData scene = load_obj(path);
      ASSERT_EQ(scene.textures.size(), 11u);
      for (u32 i = 0; i < 12; ++i) {
        const Material& material = scene.materials[i];
        if (i == 5) {
          EXPECT_EQ(material.color_texture, kNoTexture);
          continue;
        }
        EXPECT_EQ(material.color_texture, i < 5 ? i : i - 1);
        EXPECT_EQ(scene.textures[material.color_texture].pixels[0].r, 20 * i);
      }
      EXPECT_EQ(scene.warnings.size(), 1u) << warnings_of(scene);
      EXPECT_TRUE(warns(scene, "a.mtl: line 18: texture left out: ")) << warnings_of(scene);
    });
}

TEST(OddTextures, jpegs_that_are_cut_off_are_left_out_wherever_they_end) {
  for (const char* name : {"red.jpg", "red-progressive.jpg", "red-cmyk.jpg"}) {
    const Bytes whole = jpeg(name);
    for (std::size_t length = 3; length < whole.size(); length += 7)
      expect_left_out(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)),
                      "damaged JPEG");
  }
  Bytes claims = jpeg("red.jpg");
  const std::string frame = "\xff\xc0";
  const auto at = std::search(claims.begin(), claims.end(), frame.begin(), frame.end(),
                              [](u8 a, char b) { return a == static_cast<u8>(b); });
  ASSERT_NE(at, claims.end());
  at[5] = at[7] = 0x75, at[6] = at[8] = 0x30;
  expect_left_out(claims, "30000x30000 pixels");
}

TEST(OddTextures, empty_files_folders_and_strangers) {
  expect_left_out({}, "empty file");
  expect_left_out(bytes_of("00"), "unreadable picture");
  expect_left_out({'#', '?', 'R', 'A', 'D', 'I', 'A', 'N', 'C', 'E', '\n'},
                  "unsupported kind of picture");
  Bytes filled = jpeg("red.jpg");
  filled.insert(filled.begin(), 9, 0xff);
  expect_left_out(filled, "unsupported kind of picture");
  const TempDir dir;
  std::filesystem::create_directory(dir / "tex.png");
  EXPECT_TRUE(warns(load_square(dir, "newmtl a\nmap_Kd tex.png\n"), "\"tex.png\" not found"));
}

TEST(OddTextures, the_name_does_not_say_what_a_picture_is) {
  for (const char* name : {"tex.jpg", "tex.tga", "tex", "tex.mtl.bak", "t e x.png"}) {
    const SceneData scene = textured(one_pixel(10, 20, 30), name);
    ASSERT_EQ(scene.textures.size(), 1u) << name;
    EXPECT_EQ(scene.textures[0].pixels[0].b, 30);
  }
}

TEST(OddTextures, sixteen_bits_are_cut_to_eight) {
  // The picture is 2x1 pixels of grey: 0x1234 and 0xff00.
  const SceneData scene = textured(png_of(2, 1, 16, 0, {0x12, 0x34, 0xff, 0x00}));
  ASSERT_EQ(scene.textures.size(), 1u) << warnings_of(scene);
  EXPECT_EQ(scene.textures[0].pixels[0].r, 0x12);
  EXPECT_EQ(scene.textures[0].pixels[1].g, 0xff);
}

TEST(OddTextures, cut_off_ones_are_left_out_wherever_they_end) {
  const Bytes png = one_pixel(10, 20, 30);
  for (std::size_t length = 1; length < png.size(); ++length) {
    const SceneData scene =
        textured(Bytes(png.begin(), png.begin() + static_cast<std::ptrdiff_t>(length)));
    EXPECT_TRUE(scene.textures.empty()) << length;
    EXPECT_EQ(scene.warnings.size(), 1u) << length;
  }
  // Files: a TGA of 2x2 pixels, a BMP of 1x2 pixels.
  const Bytes tga = bytes_of("000002000000000000000000020002001800010203040506070809101112");
  EXPECT_EQ(textured(tga).textures.size(), 1u) << warnings_of(textured(tga));
  expect_left_out(Bytes(tga.begin(), tga.end() - 6), "cut off");
  const Bytes bmp = bytes_of(
      "424d3e000000000000003600000028000000010000000200000001001800000000000800000000000000000000"
      "000000000000000000ff000000ff000000");
  EXPECT_EQ(textured(bmp).textures.size(), 1u) << warnings_of(textured(bmp));
  expect_left_out(Bytes(bmp.begin(), bmp.end() - 5), "cut off");
}

TEST(OddTextures, changed_bytes_are_noticed) {
  Bytes png = one_pixel(10, 20, 30);
  png[png.size() - 20] ^= 1;
  expect_left_out(png, "wrong checksum");
}

TEST(OddTextures, headers_that_claim_too_much_are_refused_at_once) {
  const Bytes few(100, 0);
  expect_left_out(png_of(30000, 30000, 8, 0, few), "30000x30000 pixels");
  expect_left_out(png_of(32768, 16000, 1, 0, few), "it claims 32768x16000 pixels in");
  expect_left_out(png_of(40000, 1, 8, 0, few), "the limit is 32768 per side");
  Bytes tga = bytes_of("00000200000000000000000000000000180001020304");
  tga[12] = tga[14] = 0x30, tga[13] = tga[15] = 0x75;
  expect_left_out(tga, "30000x30000 pixels");
}

TEST(OddTextures, further_frames_are_told) {
  const Bytes png = one_pixel(10, 20, 30);
  std::string file(png.begin(), png.end() - 12);
  file += testing::png_chunk("fcTL", std::string(26, '\0')) +
          testing::png_chunk("fdAT", std::string(8, '\0')) + testing::png_chunk("IEND", "");
  const SceneData scene = textured({file.begin(), file.end()});
  EXPECT_EQ(scene.textures.size(), 1u);
  EXPECT_TRUE(
      warns(scene, "a.mtl: line 3: texture \"tex.png\" drawn without 1 frame of an animation"))
      << warnings_of(scene);
}

}  // namespace odd_textures_test
}  // namespace ballotcast::detail
