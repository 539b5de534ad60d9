#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/sampling.hpp"
#include "scene/assemble.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace obj_loader_test {

using testing::kSquare;
using testing::load_text;
using testing::one_pixel;
using testing::refusal_of;
using testing::warns;

TEST(ObjLoader, reads_a_square_as_two_triangles) {
  const SceneData scene = load_text(kSquare + "f 1 2 3 4\n");
  EXPECT_EQ(scene.mesh.triangles.size(), 2u);
  EXPECT_EQ(scene.mesh.positions.size(), 4u);
  EXPECT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.name, "a");
  EXPECT_TRUE(scene.warnings.empty());
}

TEST(ObjLoader, counts_negative_indices_back_from_the_face) {
  const SceneData scene = load_text(kSquare + "f -4 -3 -2\nv 9 9 9\nf -5 -3 -2\n");
  ASSERT_EQ(scene.mesh.triangles.size(), 2u);
  EXPECT_EQ(scene.mesh.triangles[1], uvec3(0, 2, 3));
}

TEST(ObjLoader, drops_faces_whose_indices_leave_the_array) {
  const SceneData scene =
      load_text(kSquare + "f 1 2 3\nf 1 2 5\nf 0 1 2\nf -9 1 2\nf 1 2 2000000000\n");
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_TRUE(contains(scene.warnings[0], ": 4 (first: face 2, line 6)")) << scene.warnings[0];
}

TEST(ObjLoader, accepts_faces_before_their_vertices) {
  EXPECT_EQ(load_text("f 1 2 3\n" + kSquare).mesh.triangles.size(), 1u);
}

TEST(ObjLoader, drops_coordinates_that_are_not_finite_or_too_large) {
  for (const char* bad : {"nan", "NaN", "inf", "-inf", "1e39", "2e12", "x", "1.#QNAN", "1e999"}) {
    const SceneData scene = load_text(kSquare + "v 0 0 " + bad + "\nf 1 2 3\nf 1 2 5\nf 2 3 4 5\n");
    EXPECT_EQ(scene.mesh.triangles.size(), 1u) << bad;
    EXPECT_TRUE(warns(scene, "not finite")) << bad;
  }
}

TEST(ObjLoader, drops_triangles_without_area_and_keeps_slivers) {
  const SceneData scene =
      load_text("v 0 0 0\nv 1 1 1\nv 2 2 2\nv 1 1 1.0000001\nf 1 2 3\nf 1 1 2\nf 1 4 3\n");
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(scene, "no area: 2"));
}

TEST(ObjLoader, says_what_is_wrong_with_a_file_that_holds_nothing) {
  EXPECT_TRUE(contains(refusal_of(""), "empty"));
  EXPECT_TRUE(contains(refusal_of(kSquare), "no triangles"));
  EXPECT_TRUE(contains(refusal_of(kSquare + "l 1 2\np 3\n"), "only lines and points"));
  EXPECT_TRUE(contains(refusal_of(kSquare + "f 7 8 9\nf 1 2\n"), "none of its 2 faces"));
  EXPECT_TRUE(contains(refusal_of(std::string("\0\xff\x80 f f f\n\0", 11)), "not an OBJ file"));
}

TEST(ObjLoader, reads_every_kind_of_line_end_continued_lines_and_comments) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    std::string text =
        "# made by C:\\hand\\\nv 0 0 0\nv 1 0 \\\n 0 # right\nv 1 1 0\nf 1 2 \\\n3 # 4";
    std::string mended;
    for (const char c : text) mended += c == '\n' ? std::string(end) : std::string(1, c);
    const SceneData scene = load_text(mended);
    EXPECT_EQ(scene.mesh.triangles.size(), 1u);
    EXPECT_TRUE(scene.warnings.empty());
  }
}

TEST(ObjLoader, rounds_numbers_correctly) {
  const SceneData scene = load_text(
      "v 0.1234567890123456789 +1.5e-3 .5\nv 16777217.0000001 -.25E1 5.\nv 1e-400 0 3\nf 1 2 3\n");
  ASSERT_EQ(scene.mesh.positions.size(), 3u);
  EXPECT_EQ(scene.mesh.positions[0], vec3(0.123456789f, 0.0015f, 0.5f));
  EXPECT_EQ(scene.mesh.positions[1], vec3(16777218.0f, -2.5f, 5.0f));
  EXPECT_EQ(scene.mesh.positions[2], vec3(0.0f, 0.0f, 3.0f));
}

TEST(ObjLoader, stores_no_negative_zero) {
  const SceneData scene = load_text("v -0 -0.0 -1e-300\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(bits_of(scene.mesh.positions[0].x), 0u);
  EXPECT_EQ(bits_of(scene.mesh.positions[0].z), 0u);
}

TEST(ObjLoader, centres_map_coordinates_and_leaves_others) {
  const SceneData map = load_text(
      "v 581311.1 4785270.2 5\nv 581312.1 4785270.2 5\nv 581311.1 4785271.2 5\nf 1 2 3\n");
  EXPECT_EQ(map.origin, dvec3(581312.0, 4785271.0, 5.0));
  EXPECT_NEAR(map.mesh.positions[0].x, -0.9, 1e-6);
  EXPECT_NEAR(map.mesh.positions[0].y, -0.8, 1e-6);
  EXPECT_EQ(load_text("v 10 0 0\nv 11 0 0\nv 10 1 0\nf 1 2 3\n").origin, dvec3(0.0));
}

TEST(ObjLoader, a_bad_normal_or_texcoord_costs_only_itself) {
  const SceneData scene = load_text(kSquare +
                                    "vt 0.5 0.25\nvt nan 0\nvn 0 0 2\nvn 0 0 0\nvn nan 0 1\n"
                                    "f 1/1/1 2/9/9 3/-7/-7\nf 1/2/2 3/1/3 4/0/0\n");
  ASSERT_EQ(scene.mesh.triangles.size(), 2u);
  for (const vec3& normal : scene.mesh.corner_normals) EXPECT_EQ(normal, vec3(0.0f, 0.0f, 1.0f));
  EXPECT_EQ(scene.mesh.corner_texcoords[0], vec2(0.5f, 0.25f));
  EXPECT_EQ(scene.mesh.corner_texcoords[1], vec2(0.0f));
  EXPECT_EQ(scene.mesh.corner_texcoords[3], vec2(0.0f));
  EXPECT_TRUE(warns(scene, "unusable texture coordinates, set to (0, 0): 4"));
  EXPECT_TRUE(warns(scene, "unusable normals, replaced by computed ones: 5"));
}

TEST(ObjLoader, smooths_gentle_edges_and_keeps_sharp_ones) {
  // Two squares that meet along the y axis at an angle of 30 degrees.
  const std::string bent =
      "v -1 0 0\nv 0 0 0\nv 0 1 0\nv -1 1 0\nv 0.8660254 0 0.5\nv 0.8660254 1 0.5\n"
      "f 1 2 3 4\nf 2 5 6 3\n";
  const SceneData smooth = load_text(bent), sharp = load_text(bent, {20.0}),
                  flat = load_text(bent, {0.0});
  const auto has_flat_corners_only = [](const SceneData& scene) {
    return std::none_of(scene.mesh.corner_normals.begin(), scene.mesh.corner_normals.end(),
                        [](vec3 n) { return n.z > 0.95f && n.z < 0.99f; });
  };
  EXPECT_FALSE(has_flat_corners_only(smooth));
  EXPECT_TRUE(has_flat_corners_only(sharp));
  EXPECT_TRUE(flat.mesh.corner_normals.empty());
  for (const vec3& n : smooth.mesh.corner_normals) EXPECT_NEAR(dot(n, n), 1.0f, 1e-6f);
}

double area_of(const SceneData& scene) {
  double sum = 0.0;
  for (const uvec3& t : scene.mesh.triangles) {
    const dvec3 a(scene.mesh.positions[t.x]), b(scene.mesh.positions[t.y]),
        c(scene.mesh.positions[t.z]);
    const dvec3 n = cross(b - a, c - a);
    sum += std::sqrt(dot(n, n)) / 2;
  }
  return sum;
}

TEST(ObjLoader, covers_concave_polygons_exactly_once) {
  struct Shape {
    std::vector<vec2> corners;
    double area;
  };
  const std::vector<Shape> shapes = {
      {{{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}}, 5.0},
      {{{0, 0}, {2, -0.2f}, {1.5f, 0}, {2, 0.2f}}, 0.3},
      {{{0, 0}, {4, 0}, {4, 4}, {3, 1}, {2, 4}, {1, 1}, {0, 4}}, 10.0},
      // A square with a square hole, joined to the outline by a bridge, an edge that occurs twice.
      {{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}}, 12.0}};
  for (const Shape& shape : shapes) {
    const std::size_t n = shape.corners.size();
    for (std::size_t turn = 0; turn < n; ++turn) {
      std::string text;
      for (std::size_t i = 0; i < n; ++i) {
        const vec2 p = shape.corners[(i + turn) % n];
        text += "v -7 " + std::to_string(p.x - 20.0f) + " " + std::to_string(p.y + 3.0f) + "\n";
      }
      text += "f";
      for (std::size_t i = 1; i <= n; ++i) text += " " + std::to_string(i);
      const SceneData scene = load_text(text + "\n", {0.0});
      EXPECT_NEAR(area_of(scene), shape.area, 1e-5) << n << " corners from " << turn;
    }
  }
}

TEST(ObjLoader, survives_polygons_that_cross_themselves_or_never_end) {
  std::string text, face = "f";
  for (int i = 0; i < 3000; ++i) {
    text += "v " + std::to_string(i * 7919 % 101) + " " + std::to_string(i * 104729 % 97) + " 0\n";
    face += " " + std::to_string(i + 1);
  }
  EXPECT_GT(load_text(text + face + "\n").mesh.triangles.size(), 1000u);
  EXPECT_GT(load_text(text + "f 1 2 3 4 5 6 7 8 9 10 11 12\n").mesh.triangles.size(), 5u);
}

TEST(ObjLoader, reads_materials_by_names_with_spaces) {
  const TempDir dir;
  dir.write("my colours.mtl",
            "newmtl bright red \nKd 1 0.5 0\nKe 0 2 0\nd 0.25\n\tnewmtl  b\r\n\tTr 0.75\r\n");
  const std::string path =
      dir.write("a.obj", "mtllib my colours.mtl\n" + kSquare +
                             "usemtl bright red\nf 1 2 3\nusemtl b\nf 1 3 4\n");
  const SceneData scene = load_obj(path);
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.material_names[0], "bright red");
  EXPECT_EQ(scene.materials[0].color, vec3(1.0f, 0.5f, 0.0f));
  EXPECT_EQ(scene.materials[0].emission, vec3(0.0f, 2.0f, 0.0f));
  EXPECT_EQ(scene.materials[0].opacity, 0.25f);
  EXPECT_EQ(scene.materials[1].color, vec3(0.8f)) << "no Kd: the default grey";
  EXPECT_EQ(scene.materials[1].opacity, 0.25f);
  EXPECT_EQ(scene.mesh.material_of, (std::vector<u32>{0, 1}));
  EXPECT_FALSE(scene.has_emitters()) << "what can't be seen is no lamp";
  EXPECT_EQ(scene.warnings.size(), 2u) << "each says that it hides a triangle";
  EXPECT_TRUE(warns(scene, "line 4: material \"bright red\" hides 1 triangle: its opacity, 0.25,"));
  EXPECT_TRUE(warns(scene, "line 6: material \"b\" hides 1 triangle: its opacity, 0.25,"));
}

TEST(ObjLoader, reads_all_material_files_of_a_line_and_warns_of_missing_ones) {
  const TempDir dir;
  dir.write("a.mtl", "newmtl a\nKd 1 0 0\n");
  dir.write("Sub/B.MTL", "newmtl b\nKd 0 1 0\n");
  const std::string path =
      dir.write("a.obj", "mtllib a.mtl sub\\b.mtl none.mtl\n" + kSquare +
                             "usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\nusemtl c\nf 1 2 4\n");
  const SceneData scene = load_obj(path);
  ASSERT_EQ(scene.materials.size(), 3u);
  EXPECT_EQ(scene.materials[1].color, vec3(0.0f, 1.0f, 0.0f));
  EXPECT_EQ(scene.materials[2].color, vec3(0.8f));
  EXPECT_TRUE(warns(scene, "\"none.mtl\" not found"));
  EXPECT_TRUE(warns(scene, "first: \"c\""));
}

TEST(ObjLoader, takes_a_backslash_before_a_space_for_part_of_a_material_file_name) {
  const TempDir dir;
  dir.write("two words.mtl", "newmtl a\nKd 1 0 0\n");
  const SceneData scene = load_obj(dir.write(
      "a.obj", "mtllib two\\ words.mtl none\\ at.mtl\nusemtl a\n" + kSquare + "f 1 2 3\n"));
  EXPECT_EQ(scene.materials[0].color, vec3(1.0f, 0.0f, 0.0f));
  ASSERT_EQ(scene.warnings.size(), 1u);
  EXPECT_TRUE(warns(scene, "\"none at.mtl\" not found"));
}

TEST(ObjLoader, clamps_colours_that_make_no_sense) {
  const TempDir dir;
  dir.write("a.mtl", "newmtl a\nKd 0.5 7 0.25\nKe 1e300 0 1\nd 9\n");
  const SceneData scene =
      load_obj(dir.write("a.obj", "mtllib a.mtl\nusemtl a\n" + kSquare + "f 1 2 3\n"));
  EXPECT_EQ(scene.materials[0].color, vec3(0.5f, 1.0f, 0.25f));
  EXPECT_EQ(scene.materials[0].emission, vec3(0x1p20f, 0.0f, 1.0f));
  EXPECT_EQ(scene.materials[0].opacity, 1.0f);
}

TEST(ObjLoader, finds_textures_through_options_backslashes_case_and_foreign_paths) {
  const TempDir dir;
  std::filesystem::create_directories(dir / "Textures");
  write_file_atomically(dir / "Textures/My Wood.png", one_pixel(10, 20, 30));
  const std::string head = "newmtl a\nKd 0.3 0.3 0.3\nmap_Kd ";
  for (const char* name :
       {"Textures/My Wood.png", "  textures\\my wood.PNG\t",
        "-s 2 2 2 -o 0 0 0 Textures/My Wood.png", "-clamp on -mm 0 1 textures/My Wood.png",
        "C:\\Users\\me\\Textures\\my wood.png"}) {
    dir.write("a.mtl", head + name + "\n");
    const bool foreign = name[0] == 'C';
    if (foreign) write_file_atomically(dir / "my wood.png", one_pixel(10, 20, 30));
    const SceneData scene =
        load_obj(dir.write("a.obj", "mtllib a.mtl\nusemtl a\n" + kSquare + "f 1 2 3\n"));
    ASSERT_EQ(scene.textures.size(), 1u) << name;
    EXPECT_EQ(scene.textures[0].pixels[0].g, 20);
    EXPECT_EQ(scene.materials[0].color_texture, 0u);
    EXPECT_EQ(scene.materials[0].color, vec3(1.0f));
  }
}

TEST(ObjLoader, takes_the_last_word_for_a_texture_after_a_short_option) {
  const TempDir dir;
  write_file_atomically(dir / "wood.png", one_pixel(1, 2, 3));
  dir.write("a.mtl", "newmtl a\nmap_Kd -s 2 wood.png\n");
  const SceneData scene =
      load_obj(dir.write("a.obj", "mtllib a.mtl\nusemtl a\n" + kSquare + "f 1 2 3\n"));
  EXPECT_EQ(scene.textures.size(), 1u);
}

TEST(ObjLoader, keeps_the_colour_where_a_texture_is_missing_or_damaged) {
  const TempDir dir;
  dir.write("bad.png", "not a png");
  dir.write(
      "a.mtl",
      "newmtl a\nKd 1 0 0\nmap_Kd none.png\nnewmtl b\nKd 0 1 0\nmap_Kd bad.png\nmap_d bad.png\n");
  const SceneData scene = load_obj(
      dir.write("a.obj", "mtllib a.mtl\n" + kSquare + "usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\n"));
  EXPECT_EQ(scene.materials[0].color, vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(scene.materials[1].color, vec3(0.0f, 1.0f, 0.0f));
  EXPECT_EQ(scene.materials[1].opacity_texture, kNoTexture);
  EXPECT_TRUE(warns(scene, "\"none.png\" not found"));
  EXPECT_TRUE(warns(scene, "bad.png"));
  EXPECT_EQ(scene.warnings.size(), 2u);
}

TEST(ObjLoader, puts_a_mask_into_alpha_and_decodes_each_texture_once) {
  const TempDir dir;
  write_file_atomically(dir / "mask.png", one_pixel(40, 50, 60));
  dir.write(
      "a.mtl",
      "newmtl a\nmap_Kd mask.png\nmap_d mask.png\nnewmtl b\nmap_Kd mask.png\nmap_d mask.png\n");
  const SceneData scene = load_obj(
      dir.write("a.obj", "mtllib a.mtl\n" + kSquare + "usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\n"));
  ASSERT_EQ(scene.textures.size(), 2u);
  EXPECT_EQ(scene.textures[scene.materials[0].color_texture].pixels[0].a, 255);
  EXPECT_EQ(scene.textures[scene.materials[0].opacity_texture].pixels[0].a, 40);
  EXPECT_EQ(scene.materials[0].opacity_texture, scene.materials[1].opacity_texture);
}

TEST(ObjLoader, survives_material_files_of_garbage) {
  const TempDir dir;
  std::string garbage = "newmtl a\nKd\nmap_Kd\nmap_d -s\nmap_Kd -o -o -o\nd\nnewmtl\nnewmtl \n";
  u32 state = 1;
  for (int i = 0; i < 20000; ++i) garbage += static_cast<char>((state = mix_bits(state + 1)) & 255);
  dir.write("a.mtl", garbage);
  const std::string path = dir.write("a.obj", "mtllib a.mtl .\nusemtl a\n" + kSquare + "f 1 2 3\n");
  EXPECT_EQ(load_obj(path).mesh.triangles.size(), 1u);
  dir.write("a.mtl", "\x1f\x8b damaged");
  EXPECT_TRUE(warns(load_obj(path), "material file left out"));
}

TEST(ObjLoader, loads_or_refuses_every_odd_file_of_other_parsers) {
  const char* root = std::getenv("BALLOTCAST_SHARED_SCENES");
#ifdef BALLOTCAST_SHARED_SCENES
  if (root == nullptr) root = BALLOTCAST_SHARED_SCENES;
#endif
  if (root == nullptr || !std::filesystem::is_directory(root))
    GTEST_SKIP() << "BALLOTCAST_SHARED_SCENES names no directory of scenes";
  std::size_t loaded = 0, refused = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string path = entry.path().string();
    if (!contains(path, "obj-edge-cases") || !path.ends_with(".obj")) continue;
    SCOPED_TRACE(path);
    try {
      const SceneData scene = assemble({path});
      scene.mesh.require_valid();
      EXPECT_FALSE(scene.mesh.triangles.empty());
      EXPECT_FALSE(scene.materials.empty());
      ++loaded;
    } catch (const InputError& error) {
      EXPECT_TRUE(contains(error.what(), path)) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(loaded + refused, 0u);
  std::cout << loaded << " loaded, " << refused << " refused\n";
}

}  // namespace obj_loader_test
}  // namespace ballotcast::detail
