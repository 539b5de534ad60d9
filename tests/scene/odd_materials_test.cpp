// Tests unusual, broken or missing MTL files: the mesh is drawn, and a warning names file and line.
#include <gtest/gtest.h>

#include "math/sampling.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace odd_materials_test {

using testing::kSquare;
using testing::load_square;
using testing::one_pixel;
using testing::warnings_of;
using testing::warns;

SceneData load_with_library(const TempDir& dir, const std::string& line) {
  return load_obj(dir.write("a.obj", line + "\nusemtl a\n" + kSquare + "f 1 2 3 4\n"));
}

TEST(OddMaterials, libraries_that_are_none) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "folder.mtl");
  dir.write("empty.mtl", "");
  dir.write("comments.mtl", "# nothing\n\n");
  dir.write("other.mtl", "solid thing\n");
  EXPECT_TRUE(warns(load_with_library(dir, "\nmtllib none.mtl"),
                    "a.obj: line 2: material file \"none.mtl\" not found"));
  EXPECT_TRUE(warns(load_with_library(dir, "mtllib folder.mtl"), "\"folder.mtl\" not found"));
  EXPECT_TRUE(
      warns(load_with_library(dir, "mtllib a.obj"), "a.obj: material file without a material"));
  EXPECT_TRUE(warns(load_with_library(dir, "mtllib other.mtl"), "without a material"));
  for (const char* silent : {"mtllib empty.mtl", "mtllib comments.mtl", "mtllib"}) {
    const SceneData scene = load_with_library(dir, silent);
    EXPECT_EQ(scene.warnings.size(), 1u) << warnings_of(scene);
    EXPECT_TRUE(warns(scene, "drawn grey: 1 (first: \"a\", line 2)"));
  }
}

TEST(OddMaterials, a_huge_library_is_left_out) {
  const TempDir dir;
  dir.write("huge.mtl", "newmtl a\nKd 1 0 0\n");
  // A sparse file of 8 GiB.
  std::filesystem::resize_file(dir / "huge.mtl", std::uintmax_t{1} << 33);
  EXPECT_TRUE(
      warns(load_with_library(dir, "mtllib huge.mtl"), "huge.mtl: is larger than 64.0 MiB"));
}

TEST(OddMaterials, names_as_other_systems_write_them) {
  const TempDir dir;
  std::filesystem::create_directory(dir / "Sub");
  dir.write("two words.mtl", "newmtl a\nKd 1 0 0\n");
  dir.write("Sub/b.mtl", "newmtl a\nKd 1 0 0\n");
  for (const char* line :
       {"mtllib two words.mtl", "mtllib   two words.mtl \t", "mtllib \"two words.mtl\"",
        "mtllib two words.mtl\r", "mtllib two\\ words.mtl", "mtllib Sub\\b.mtl",
        "mtllib .\\sub\\B.MTL", "mtllib C:\\art\\two words.mtl", "mtllib /home/me/two words.mtl",
        "mtllib Sub/b.mtl # of the house"}) {
    const SceneData scene = load_with_library(dir, line);
    EXPECT_EQ(scene.materials[0].color, vec3(1.0f, 0.0f, 0.0f)) << line;
    EXPECT_TRUE(scene.warnings.empty()) << line << "\n" << warnings_of(scene);
  }
}

TEST(OddMaterials, marks_line_ends_and_no_end) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const TempDir dir;
    const SceneData scene =
        load_square(dir, "\xef\xbb\xbfnewmtl a" + end + "Kd 1 0 0" + end + end + "map_Kd none.png");
    EXPECT_EQ(scene.materials[0].color, vec3(1.0f, 0.0f, 0.0f));
    EXPECT_TRUE(warns(scene, "a.mtl: line 4: texture \"none.png\" not found"))
        << warnings_of(scene);
  }
}

TEST(OddMaterials, utf16_is_left_out_by_name) {
  const TempDir dir;
  std::string wide = "\xff\xfe";
  for (const char c : std::string("newmtl a\n")) wide += std::string(1, c) + std::string(1, '\0');
  EXPECT_TRUE(warns(load_square(dir, wide), "a.mtl: the file is UTF-16 text"));
}

TEST(OddMaterials, numbers_that_are_none_are_left_out_with_their_line) {
  const TempDir dir;
  for (const char* bad : {"Kd 0,5 0,5 0,5", "Kd", "Kd spectral file.rfl", "Kd xyz 1 1 1", "Ke red",
                          "d", "d half", "Tr 0,5", "Kd 1 -1 0", "Kd 1e400 0 0", "Ke nan 0 0",
                          "Ke inf 0 0", "d nan", "d -1", "Tr nan"}) {
    const SceneData scene = load_square(dir, std::string("newmtl a\n") + bad + "\n");
    EXPECT_EQ(scene.materials[0].color, vec3(0.8f)) << bad;
    EXPECT_EQ(scene.materials[0].opacity, 1.0f) << bad;
    EXPECT_FALSE(scene.materials[0].emits()) << bad;
    EXPECT_TRUE(warns(scene,
                      "a.mtl: unusable values (not numbers of at least 0), ignored: "
                      "1 (first: line 2)"))
        << bad << "\n"
        << warnings_of(scene);
  }
  EXPECT_EQ(load_square(dir, "newmtl a\nKd 0.5\n").materials[0].color, vec3(0.5f));
  EXPECT_EQ(load_square(dir, "newmtl a\nd -halo 0.1\n").materials[0].opacity, 1.0f);
}

TEST(OddMaterials, what_is_above_1_is_taken_as_1_with_a_word) {
  const TempDir dir;
  for (const char* line : {"Kd 255 0 0", "d 100", "Tr 2"}) {
    const SceneData scene = load_square(dir, std::string("newmtl a\n") + line + "\n");
    EXPECT_TRUE(warns(scene, "a.mtl: values above 1, reduced to 1: 1 (first: line 2)"))
        << line << "\n"
        << warnings_of(scene);
  }
  EXPECT_EQ(load_square(dir, "newmtl a\nKd 255 0 0\n").materials[0].color, vec3(1, 0, 0));
  EXPECT_TRUE(load_square(dir, "newmtl a\nKd 1.000001 1 1\n").warnings.empty());
}

TEST(OddMaterials, the_first_of_a_name_counts_and_others_are_said_with_their_line) {
  const TempDir dir;
  const SceneData scene = load_square(dir, "newmtl a\nKd 1 0 0\nnewmtl b\nnewmtl a\nKd 0 1 0\n");
  EXPECT_EQ(scene.materials[0].color, vec3(1.0f, 0.0f, 0.0f));
  EXPECT_TRUE(warns(scene, "an earlier one has the same name: 1 (first: line 4)"))
      << warnings_of(scene);
}

TEST(OddMaterials, what_is_not_drawn_is_said_with_its_line) {
  const TempDir dir;
  const SceneData scene = load_square(
      dir,
      "Kd 0 1 0\nNs 10\nnewmtl a\nKd 1 0 0\nd -halo 0.1\nmap_Kd\nmap_d -s 2 2 2\nKe 1e30 0 0\n");
  EXPECT_EQ(scene.materials[0].color, vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(scene.materials[0].emission.x, 0x1p20f);
  for (const char* words :
       {"before the first newmtl, ignored: 2 (first: line 1)",
        "opacities with -halo, which is not supported, ignored: 1 (first: line 5)",
        "texture lines without a file name, ignored: 1 (first: line 6)",
        "emissions above 2^20, reduced to 2^20: 1 (first: line 8)"})
    EXPECT_TRUE(warns(scene, words)) << words << "\n" << warnings_of(scene);
}

TEST(OddMaterials, textures_without_coordinates_are_said_with_their_line) {
  const TempDir dir;
  write_file_atomically(dir / "t.png", one_pixel(9, 9, 9));
  dir.write("a.mtl", "newmtl a\nmap_Kd t.png\nnewmtl b\n");
  const std::string head = "mtllib a.mtl\nusemtl a\n" + kSquare + "vt 0 0\n";
  const SceneData scene = load_obj(
      dir.write("a.obj", head + "f 1/1 2/1 3/1\nf 1/1 2 3/1\nf 1 2 3\nusemtl b\nf 1 2 3\n"));
  EXPECT_TRUE(warns(scene, "without texture coordinates, set to (0, 0): 2 (first: face 2, line 9)"))
      << warnings_of(scene);
}

TEST(OddMaterials, files_that_cannot_be_used_are_listed_all_the_same) {
  const TempDir dir;
  dir.write("t.png", "no picture");
  const SceneData scene = load_square(dir, "newmtl a\nmap_Kd t.png\n");
  EXPECT_TRUE(warns(scene, "texture left out")) << warnings_of(scene);
  EXPECT_EQ(std::count(scene.files.begin(), scene.files.end(), dir / "t.png"), 1);
  dir.write("b.mtl", std::string("\xff\xfe") + "n");  // the file is UTF-16
  const SceneData broken = load_with_library(dir, "mtllib b.mtl");
  EXPECT_EQ(std::count(broken.files.begin(), broken.files.end(), dir / "b.mtl"), 1);
}

TEST(OddMaterials, keys_may_be_in_capitals_or_not) {
  const TempDir dir;
  write_file_atomically(dir / "tex.png", one_pixel(1, 2, 3));
  const SceneData scene = load_square(dir, "NewMtl a\nkd 1 0 0\nMAP_KD tex.png\nD 0.5\n");
  EXPECT_EQ(scene.textures.size(), 1u);
  EXPECT_EQ(scene.materials[0].opacity, 0.5f);
}

TEST(OddMaterials, binary_garbage_is_survived) {
  const TempDir dir;
  u32 state = 1;
  for (int round = 0; round < 20; ++round) {
    std::string garbage = "newmtl a\n";
    for (int i = 0; i < 5000; ++i)
      garbage += static_cast<char>((state = mix_bits(state + 1)) & 255);
    const SceneData scene = load_square(dir, garbage);
    EXPECT_EQ(scene.mesh.triangles.size(), 2u);
  }
}

TEST(OddMaterials, map_options_place_textures) {
  const TempDir dir;
  write_file_atomically(dir / "tex.png", one_pixel(255, 2, 3));
  write_file_atomically(dir / "-s 2.png", one_pixel(1, 2, 3));
  struct Case {
    const char* line;
    vec2 first, third;  // texture coordinates of corners (0, 0) and (1, 1)
  };
  for (const Case& c : std::vector<Case>{
           {"map_Kd tex.png", {0, 0}, {1, 1}},
           {"map_Kd -s 2 3 1 tex.png", {0, 0}, {2, 3}},
           {"map_Kd -s 2 tex.png", {0, 0}, {2, 1}},
           {"map_Kd -s 2 2 1 -o 0.25 0.5 0 tex.png", {0.25f, 0.5f}, {2.25f, 2.5f}},
           {"map_Kd -o 0.25 tex.png", {0.25f, 0}, {1.25f, 1}},
           {"map_Kd -clamp on -blendu off -mm 0 1 -texres 64 tex.png", {0, 0}, {1, 1}},
           {"map_Kd -t 0 0 0 \"tex.png\"", {0, 0}, {1, 1}},
           {"map_d -s 2 2 tex.png", {0, 0}, {2, 2}}}) {
    const SceneData scene = load_square(dir, std::string("newmtl a\n") + c.line + "\n");
    ASSERT_EQ(scene.textures.size(), 1u) << c.line << "\n" << warnings_of(scene);
    EXPECT_EQ(scene.mesh.corner_texcoords[0], c.first) << c.line;
    EXPECT_TRUE(std::count(scene.mesh.corner_texcoords.begin(), scene.mesh.corner_texcoords.end(),
                           c.third) > 0)
        << c.line;
    EXPECT_TRUE(scene.warnings.empty()) << c.line << "\n" << warnings_of(scene);
  }
  for (const char* option : {"-s 1e300", "-s nan 1", "-o inf"}) {
    const SceneData scene =
        load_square(dir, std::string("newmtl a\nmap_Kd ") + option + " tex.png\n");
    EXPECT_EQ(scene.mesh.corner_texcoords[0], vec2(0.0f)) << option;
    EXPECT_TRUE(warns(scene, "a.mtl: line 2: ")) << option << "\n" << warnings_of(scene);
  }
}

TEST(OddMaterials, map_options_that_are_not_drawn_are_said_with_their_line) {
  const TempDir dir;
  write_file_atomically(dir / "tex.png", one_pixel(1, 2, 3));
  for (const char* options : {"-t 1 0 0", "-mm 0.5 1", "-boost 2", "-imfchan r", "-cc on"}) {
    const SceneData scene =
        load_square(dir, std::string("newmtl a\nmap_Kd ") + options + " tex.png\n");
    EXPECT_TRUE(warns(scene, "a.mtl: line 2: texture drawn without its options -"))
        << options << "\n"
        << warnings_of(scene);
  }
  const SceneData clamped =
      load_square(dir, "newmtl a\nmap_Kd -clamp on tex.png\nmap_Ke tex.png\n");
  ASSERT_EQ(clamped.textures.size(), 2u);
  EXPECT_EQ(clamped.textures[clamped.materials[0].color_texture].down, Wrap::clamp);
  EXPECT_EQ(clamped.textures[clamped.materials[0].emission_texture].down, Wrap::repeat);
  EXPECT_TRUE(warns(load_square(dir, "newmtl a\nmap_Kd tex.png\nmap_d -s 2 2 tex.png\n"),
                    "a.mtl: line 3: map_d uses the -s and -o of map_Kd"));
}

TEST(OddMaterials, that_hide_triangles_are_told_with_their_line) {
  const TempDir dir;
  const SceneData glass = load_square(dir, "newmtl a\nKd 1 1 1\nd 0.25\nnewmtl b\nd 1\n");
  EXPECT_EQ(glass.materials[0].opacity, 0.25f);
  ASSERT_EQ(glass.warnings.size(), 1u) << warnings_of(glass);
  EXPECT_TRUE(warns(glass,
                    "a.mtl: line 3: material \"a\" hides 2 triangles: its opacity, 0.25, is "
                    "below one half, where surfaces are cut out"))
      << warnings_of(glass);
  EXPECT_TRUE(warns(load_square(dir, "newmtl a\nTr 1\nnewmtl b\n"),
                    "a.mtl: line 2: material \"a\" hides 2 triangles: its opacity, 0.00,"));
  EXPECT_TRUE(load_square(dir, "newmtl a\nd 0.5\nnewmtl b\nd 0\n").warnings.empty())
      << "nothing has material b";
  write_file_atomically(dir / "dark.png", one_pixel(100, 0, 0));
  write_file_atomically(dir / "light.png", one_pixel(128, 0, 0));
  EXPECT_TRUE(warns(load_square(dir, "newmtl a\nmap_d dark.png\n"),
                    "a.mtl: line 2: material \"a\" hides 2 triangles: all of its opacity texture"));
  EXPECT_TRUE(load_square(dir, "newmtl a\nmap_d light.png\n").warnings.empty());
}

TEST(OddMaterials, a_file_in_which_all_has_opacity_0_is_drawn_and_told) {
  const TempDir dir;
  for (const char* line : {"d 0", "d 0.0", "Tr 1", "Tr 1.000000", "Tr 3"}) {
    const std::string text = std::string("newmtl a\nKd 1 0 0\n") + line + "\nnewmtl b\n" + line;
    const SceneData scene = load_square(dir, text + "\n");
    EXPECT_EQ(scene.materials[0].opacity, 1.0f) << line;
    EXPECT_TRUE(warns(scene, "a.mtl: line 3: every material of this file has opacity 0"))
        << line << "\n"
        << warnings_of(scene);
    EXPECT_FALSE(warns(scene, "hides")) << warnings_of(scene);
  }
  // The scene uses two of the file's materials, but there is only one warning.
  dir.write("a.mtl", "newmtl a\nTr 1\nnewmtl b\nTr 1\n");
  const SceneData two = load_obj(
      dir.write("a.obj", "mtllib a.mtl\n" + kSquare + "usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\n"));
  EXPECT_EQ(two.warnings.size(), 1u) << warnings_of(two);
  EXPECT_EQ(two.materials[1].opacity, 1.0f);
  // A file causes no warning if the scene uses none of its materials.
  const SceneData other = load_square(dir, "newmtl b\nTr 1\n");
  EXPECT_FALSE(warns(other, "opacity 0")) << warnings_of(other);
}

TEST(OddMaterials, pictures_that_nothing_shows_are_listed_apart) {
  const TempDir dir;
  for (const char* name : {"used.png", "unused.png", "Bumps.PNG", "sky.png", "bare.png"})
    write_file_atomically(dir / name, one_pixel(1, 2, 3));
  const SceneData scene =
      load_square(dir,
                  "refl -type sphere sky.png\nnewmtl a\nmap_Kd used.png\ndisp -bm 0.5 bumps.png\n"
                  "newmtl b\nmap_Kd unused.png\nmap_d none.png\nmap_Ks used.png\n");
  const auto lists = [](const std::vector<std::string>& files, const std::string& file) {
    return std::ranges::count(files, file) == 1;
  };
  EXPECT_EQ(scene.unread_files.size(), 3u);
  for (const char* name : {"unused.png", "Bumps.PNG", "sky.png"}) {
    EXPECT_TRUE(lists(scene.unread_files, dir / name)) << name;
    EXPECT_TRUE(lists(scene.all_files(), dir / name)) << name;
    EXPECT_FALSE(lists(scene.files, dir / name)) << name;
  }
  EXPECT_TRUE(lists(scene.all_files(), dir / "used.png"));
  EXPECT_TRUE(scene.warnings.empty() || !warns(scene, "none.png")) << warnings_of(scene);
}

}  // namespace odd_materials_test
}  // namespace ballotcast::detail
