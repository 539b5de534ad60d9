// Tests unusual or broken OBJ files: they are drawn, drawn with a warning that names file and line,
// or refused.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <clocale>
#include <limits>

#include "ballotcast/renderer.hpp"
#include "helpers/meshes.hpp"
#include "helpers/sanitized.hpp"
#include "scene/assemble.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace odd_obj_test {

using testing::kSquare;
using testing::load_text;
using testing::refusal_of;
using testing::warnings_of;
using testing::warns;

TEST(OddObj, faces_of_impossible_vertices_are_left_out_with_their_line) {
  for (const char* index :
       {"5", "2000000000", "2147483647", "2147483648", "4294967297", "-2147483649", "-4294967295",
        "9223372036854775807", "9223372036854775808", "99999999999999999999", "0", "-5", "x", "1x",
        "1/1/1/1", "1.5", "/1", "nan", "+1"}) {
    const SceneData scene = load_text(kSquare + "f 1 2 3\nf 1 2 " + index + "\n");
    EXPECT_EQ(scene.mesh.triangles.size(), 1u) << index;
    EXPECT_TRUE(
        warns(scene, "they use vertices that the file does not have: 1 (first: face 2, line 6)"))
        << index << "\n"
        << warnings_of(scene);
  }
}

TEST(OddObj, indices_beyond_32_bits_of_texcoords_and_normals_are_no_others) {
  const SceneData scene = load_text(kSquare +
                                    "vt 0.5 0.5\nvn 0 0 1\n"
                                    "f 1/4294967297/4294967297 2/1/1 3/-4294967296/1\n");
  EXPECT_EQ(scene.mesh.corner_texcoords[0], vec2(0.0f));
  EXPECT_EQ(scene.mesh.corner_texcoords[1], vec2(0.5f));
  EXPECT_TRUE(
      warns(scene, "unusable texture coordinates, set to (0, 0): 2 (first: face 1, line 7)"));
  EXPECT_TRUE(
      warns(scene, "unusable normals, replaced by computed ones: 1 (first: face 1, line 7)"));
}

TEST(OddObj, tiny_and_huge_vertices_are_drawn_or_left_out) {
  for (const char* size : {"1e-320", "1e-45", "1e-40", "1e-30", "1e-12", "1e12"}) {
    const std::string s = size;
    const std::string text = "v 0 0 0\nv " + s + " 0 0\nv 0 " + s + " 0\nf 1 2 3\n";
    const TempDir dir;
    try {
      SceneData scene = load_obj(dir.write("a.obj", text));
      scene.mesh.require_valid();
      Renderer renderer(std::make_shared<const SceneData>(std::move(scene)), {"cpu"});
      RenderSettings settings;
      settings.width = settings.height = 8;
      settings.shading = "albedo";
      renderer.render(settings);
    } catch (const InputError& error) {
      EXPECT_TRUE(contains(error.what(), s == "1e12" ? "too large" : "no area")) << error.what();
    }
  }
  EXPECT_TRUE(contains(refusal_of("v 0 0 0\nv 2e12 0 0\nv 0 1 0\nf 1 2 3\n"), "2^40"));
}

TEST(OddObj, a_mesh_too_small_for_rays_is_drawn_with_a_warning) {
  const TempDir dir;
  for (const auto& [size, warned] : {std::pair{"1e-15", true}, std::pair{"1e-6", false}}) {
    const std::string s = size;
    const std::string path =
        dir.write("a.obj", "v 0 0 0\nv " + s + " 0 0\nv 0 " + s + " 0\nf 1 2 3\n");
    EXPECT_EQ(warns(assemble({path}), "a.obj: the scene is smaller than 1e-12"), warned) << size;
    // load_obj accepts any size, because the file may be one part of a scene; assemble judges the
    // size of the scene.
    EXPECT_TRUE(load_obj(path).warnings.empty()) << size;
  }
}

TEST(OddObj, triangles_that_rounding_makes_lines_are_said_with_their_line) {
  const std::string near = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const SceneData both = load_text(near + "v 2e8 0 0\nv 200000000.5 0 0\nv 2e8 0.5 0\nf 4 5 6\n");
  EXPECT_TRUE(warns(both, "that lose their area by rounding")) << warnings_of(both);
  EXPECT_TRUE(warns(both, "no ray can hit them: 1 (first: face 2, line 8)")) << warnings_of(both);
  const SceneData alone = load_text("v 2e8 0 0\nv 200000000.5 0 0\nv 2e8 0.5 0\nf 1 2 3\n");
  EXPECT_TRUE(alone.warnings.empty()) << "it is moved to the origin: " << warnings_of(alone);
}

TEST(OddObj, duplicates_points_and_single_triangles_give_hits) {
  for (const char* faces : {"f 1 2 3\n", "f 1 2 3\nf 1 2 3\nf 3 2 1\nf 1 1 2\nf 2 2 2\n"}) {
    SceneData loaded = load_text(kSquare + faces);
    Renderer renderer(std::make_shared<const SceneData>(std::move(loaded)), {"cpu"});
    const Ray ray{{0.6f, 0.3f, 5.0f}, 0.0f, {0.0f, 0.0f, -1.0f}, unbounded()};
    Hit hit;
    renderer.closest({&ray, 1}, {&hit, 1});
    EXPECT_EQ(hit.triangle, 0u);
    EXPECT_EQ(hit.t, 5.0f);
  }
}

TEST(OddObj, numbers_that_are_none_are_said_with_their_line) {
  for (const char* bad : {"0,5", "1.0f", "0x10", "--1", "+-1", "1e", "e5", "1..2", "\xd9\xa3"}) {
    const SceneData scene = load_text(kSquare + "v 0 0 " + bad + "\nf 1 2 3\nf 1 2 5\n");
    EXPECT_EQ(scene.mesh.triangles.size(), 1u) << bad;
    EXPECT_TRUE(warns(
        scene, "that are not numbers (decimals need a point, not a comma): 1 (first: line 5)"))
        << bad << "\n"
        << warnings_of(scene);
  }
  EXPECT_TRUE(warns(load_text("v 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n"),
                    "missing coordinates, which are set to 0: 1 (first: line 1)"));
}

TEST(OddObj, the_locale_changes_nothing) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  // These locales use a decimal comma. If none of them is installed, the test proves nothing.
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  const SceneData scene = load_text("v 0.5 0 0\nv 1.25 0 0\nv 1 1 0\nf 1 2 3\n");
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(scene.mesh.positions[1].x, 1.25f);
}

TEST(OddObj, large_and_small_numbers_without_exponents) {
  const std::string zeros(400, '0');
  const SceneData scene = load_text("v 0." + zeros + "1 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n");
  EXPECT_EQ(scene.mesh.positions[0].x, 0.0f);
  EXPECT_TRUE(contains(refusal_of("v 1" + zeros + " 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n"), "2^40"));
}

TEST(OddObj, what_is_no_surface_is_said_with_its_line) {
  const SceneData scene =
      load_text(kSquare + "l 1 2\np 1\ncurv 0 1 2\nsurf 0 1\nhello\nf 1 2 3\ng a\ns off\no b\n");
  EXPECT_TRUE(warns(scene, "a.obj: lines and points left out: 2 (first: line 5)"));
  EXPECT_TRUE(warns(scene, "curves and surfaces left out: 2 (first: line 7)"));
  EXPECT_TRUE(warns(scene, "unknown lines, ignored: 1 (first: line 9)"));
  EXPECT_EQ(scene.warnings.size(), 3u);
  const SceneData old = load_text(kSquare + "call b.obj\ncsh ls\nbzp 1 2\nf 1 2 3\n");
  EXPECT_TRUE(warns(old, "commands (call, csh), ignored: 2 (first: line 5)"));
  EXPECT_TRUE(warns(old, "curves and surfaces left out: 1 (first: line 7)"));
}

TEST(OddObj, slashes_with_nothing_behind_them_are_no_indices) {
  for (const char* face : {"f 1/1/ 2/2/ 3/3/ 4/4/", "f 1// 2// 3// 4//", "f 1/ 2/ 3/ 4/",
                           "f 1/1/1 2/2/ 3// 4", "f 1//1 2//1 3/ 4//"}) {
    const SceneData scene =
        load_text(kSquare + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 1\n" + face);
    EXPECT_TRUE(scene.warnings.empty()) << face << "\n" << warnings_of(scene);
    EXPECT_EQ(scene.mesh.triangles.size(), 2u) << face;
  }
  const SceneData trailing =
      load_text(kSquare + "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1/ 2/2/ 3/3/ 4/4/");
  ASSERT_EQ(trailing.mesh.corner_texcoords.size(), 6u);
  EXPECT_EQ(trailing.mesh.corner_texcoords[1], vec2(1.0f, 0.0f));
}

TEST(OddObj, a_second_index_is_a_normal_where_there_are_no_texture_coordinates) {
  const SceneData scene = load_text(kSquare + "vn 0 3 4\nf 1/1 2/1 3/1 4/1\nf 1//1 2//1 3//1\n");
  EXPECT_TRUE(warns(scene, "taken for v//vn: 1 (first: line 6)")) << warnings_of(scene);
  EXPECT_EQ(scene.warnings.size(), 1u) << warnings_of(scene);
  ASSERT_EQ(scene.mesh.corner_normals.size(), 9u);
  for (const vec3 normal : scene.mesh.corner_normals)
    EXPECT_EQ(normal, unit_or(vec3(0.0f, 3.0f, 4.0f), vec3(0.0f)));
  EXPECT_TRUE(scene.mesh.corner_texcoords.empty());
  const SceneData with_vt = load_text(kSquare + "vn 0 3 4\nvt 1 1\nf 1/1 2/1 3/1 4/1\n");
  EXPECT_TRUE(with_vt.warnings.empty()) << warnings_of(with_vt);
}

TEST(OddObj, weights_of_vertices_are_said_once_unless_they_are_1) {
  const SceneData scene =
      load_text("v 0 0 0 1\nv 2 0 0 0.5\nv 2 2 0 1.0\nv 0 2 0 2\nvp 1 2\nf 1 2 3 4\n");
  EXPECT_TRUE(
      warns(scene, "weights of vertices, which only curves have, ignored: 2 (first: line 2)"))
      << warnings_of(scene);
  EXPECT_TRUE(warns(scene, "curves and surfaces left out: 1 (first: line 5)"));
  EXPECT_EQ(scene.mesh.bounds().high, vec3(2.0f, 2.0f, 0.0f));
  EXPECT_TRUE(load_text("v 0 0 0 1\nv 2 0 0 1\nv 2 2 0 1\nf 1 2 3\n").warnings.empty());
  EXPECT_TRUE(warns(load_text("v 0 0 0 1 1\nv 2 0 0\nv 2 2 0\nf 1 2 3\n"), "weights of vertices"))
      << "two numbers are no colour";
}

TEST(OddObj, alpha_of_vertex_colours_is_said_to_be_left_out) {
  const auto with_alpha = [](const std::string& alpha) {
    std::string text;
    for (const char* place : {"0 0 0", "1 0 0", "0 1 0"})
      text += std::string("v ") + place + " 1 0 0" + alpha + "\n";
    return load_text(text + "f 1 2 3\n");
  };
  EXPECT_TRUE(warns(with_alpha(" 0.5"), "vertices with alpha, drawn opaque: 3 (first: line 1)"));
  EXPECT_TRUE(with_alpha(" 1").warnings.empty());
  EXPECT_EQ(with_alpha(" 0.5").mesh.vertex_colors[0], vec3(1.0f, 0.0f, 0.0f));
}

TEST(OddObj, what_is_no_obj_is_called_what_it_seems_to_be) {
  EXPECT_TRUE(contains(refusal_of("ply\nformat ascii 1.0\n"), "it seems to be a PLY file"));
  EXPECT_TRUE(contains(refusal_of("hello there\n"), "not an OBJ file: it begins with \"hello"));
  EXPECT_TRUE(contains(refusal_of("# nothing\n"), "no triangles"));
}

TEST(OddObj, polygons_that_cross_themselves_are_said_with_their_line) {
  const SceneData scene = load_text("v 0 0 0\nv 1 1 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n");
  EXPECT_TRUE(
      warns(scene, "cross themselves; their triangles may overlap: 1 (first: face 1, line 5)"));
}

TEST(OddObj, line_ends_marks_and_continued_lines_are_counted_right) {
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    std::string text = mark + "v 0 0 0\nv 1 0 \\\n0\nv 1 1 0\n\nf 1 2 \\\n \\\n3\nf 1 2 9";
    std::string mended;
    for (const char c : text) mended += c == '\n' ? end : std::string(1, c);
    const SceneData scene = load_text(mended);
    EXPECT_EQ(scene.mesh.triangles.size(), 1u);
    EXPECT_TRUE(warns(scene, "(first: face 2, line 9)")) << warnings_of(scene);
    EXPECT_EQ(scene.warnings.size(), 1u);
  }
  EXPECT_EQ(load_text(kSquare + "f 1 2 3\\").mesh.triangles.size(), 1u);
  EXPECT_EQ(load_text(kSquare + "f 1 2 3 \\\n").mesh.triangles.size(), 1u);
}

TEST(OddObj, nul_bytes_are_no_blanks) {
  std::string text = kSquare + "f 1 2 3\nv 1 2 3?\nf 1 2 4?\n";
  for (char& c : text)
    if (c == '?') c = '\0';
  const SceneData scene = load_text(text);
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(scene, "first: line 6"));
  EXPECT_TRUE(warns(scene, "does not have: 1 (first: face 2, line 7)")) << warnings_of(scene);
}

TEST(OddObj, utf16_is_refused_by_name) {
  const std::string plain = kSquare + "f 1 2 3\n";
  for (const bool big : {false, true})
    for (const bool marked : {false, true}) {
      std::string wide = marked ? (big ? "\xfe\xff" : "\xff\xfe") : "";
      for (const char c : plain)
        wide += big ? std::string(1, '\0') + c : std::string(1, c) + std::string(1, '\0');
      EXPECT_TRUE(contains(refusal_of(wide), "UTF-16 text; save it as UTF-8"));
    }
}

TEST(OddObj, endless_lines_and_messages_about_them) {
  constexpr u32 kLong = testing::kSanitized ? 200000 : 2000000;
  const std::string endless(kLong, 'x');
  const SceneData scene = load_text(kSquare + "mtllib " + endless + "\nusemtl " + endless + "\n" +
                                    endless + "\nf 1 2 3 # " + endless + "\n");
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  for (const std::string& warning : scene.warnings) EXPECT_LT(warning.size(), 500u);
  std::string face = "f";
  for (u32 i = 0; i < kLong / 4; ++i) face += " 1 2 3";
  EXPECT_EQ(load_text(kSquare + face + "\nf 1 2 3\n").mesh.triangles.back(), uvec3(0, 1, 2));
}

TEST(OddObj, names_with_control_characters_are_shown_escaped) {
  const SceneData scene = load_text(kSquare + "mtllib a\x1b[31m.mtl\nusemtl \x07\nf 1 2 3\n");
  EXPECT_TRUE(warns(scene, "line 5: material file \"a\\x1b[31m.mtl\" not found"));
  EXPECT_TRUE(warns(scene, "(first: \"\\x07\", line 6)")) << warnings_of(scene);
  const TempDir dir;
  EXPECT_EQ(load_obj(dir.write("a\nb\xc2\x9b.obj", kSquare + "f 1 2 3\n")).name,
            "a\\x0ab\\xc2\\x9b");
}

TEST(OddObj, pipes_devices_and_folders_are_refused_at_once) {
  const TempDir dir;
  ASSERT_EQ(::mkfifo((dir / "pipe.obj").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", dir / "zero.obj");
  std::filesystem::create_directory(dir / "folder.obj");
  for (const char* name : {"pipe.obj", "zero.obj"})
    EXPECT_TRUE(contains(message_of<InputError>([&] { load_obj(dir / name); }),
                         std::string(name) + ": is a pipe or a device"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { load_obj(dir / "folder.obj"); }),
                       "folder.obj: is a directory"));
}

TEST(OddObj, a_round_polygon_of_a_million_corners_is_a_disc) {
  std::string text, face = "f";
  const u32 count = testing::kSanitized ? 100000 : 1000000;
  for (u32 i = 0; i < count; ++i) {
    const SinCos turn = sincos_turns(double(i) / count);
    text += "v " + std::to_string(turn.cos) + " " + std::to_string(turn.sin) + " 0\n";
    face += " " + std::to_string(i + 1);
  }
  const SceneData scene = load_text(text + face + "\n", {0.0});
  double area = 0.0;
  for (const uvec3& t : scene.mesh.triangles) {
    const dvec3 a(scene.mesh.positions[t.x]), b(scene.mesh.positions[t.y]),
        c(scene.mesh.positions[t.z]);
    area += cross(b - a, c - a).z / 2;
  }
  EXPECT_NEAR(area, 3.14159265, 1e-5);
}

}  // namespace odd_obj_test
}  // namespace ballotcast::detail
