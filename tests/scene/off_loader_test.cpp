#include <gtest/gtest.h>

#include "image/color.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace off_loader_test {

using testing::warnings_of;
using testing::warns;

SceneData load(const std::string& text) { return testing::load_as("a.off", text); }

std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { load(text); });
}

const std::string kRows = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

TEST(OffLoader, reads_headers_of_every_form) {
  for (const char* begin : {"OFF\n4 2 0\n", "OFF 4 2 5\n", "OFF4 2 0\n", "4 2 0\n", "off\n4 2\n",
                            "# c\n\nOFF # d\n# e\n4 2 0 # f\n", "\xef\xbb\xbfOFF\r\n4 2 0\r\n"}) {
    const SceneData scene = load(begin + kRows + "4 0 1 2 3 # quad\n\n3 0 1 2\n");
    EXPECT_TRUE(scene.warnings.empty()) << begin << warnings_of(scene);
    EXPECT_EQ(scene.mesh.triangles.size(), 3u) << begin;
    EXPECT_EQ(scene.mesh.positions.size(), 4u);
  }
}

TEST(OffLoader, cuts_polygons_as_other_formats_do) {
  const SceneData scene =
      load("OFF\n5 2 0\n0 0 0\n4 0 0\n4 4 0\n1 1 0\n0 4 0\n5 0 1 2 3 4\n2 0 1\n");
  double area = 0.0;
  for (u32 i = 0; i < scene.mesh.triangles.size(); ++i) area += scene.mesh.normal_of(i).z / 2.0;
  EXPECT_EQ(area, 10.0);
  EXPECT_TRUE(warns(scene, "fewer than three corners: 1 (first: face 2, line 9)"));
}

TEST(OffLoader, uses_normals_colours_and_texture_coordinates_of_vertices) {
  // The letters of the keyword may be in any order; the order of the numbers is always the same.
  for (const char* keyword : {"STCNOFF", "NCSTOFF"}) {
    const SceneData scene = load(std::string(keyword) +
                                 "\n3 1 0\n0 0 0 0 3 4 255 0 128 255 0.5 0.25\n"
                                 "1 0 0 0 3 4 0 0 0 255 0 0\n0 1 0 0 3 4 1 2 3 255 0 0\n3 0 1 2\n");
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    const auto& linear = srgb_to_linear_table();
    EXPECT_EQ(scene.mesh.vertex_colors[0], vec3(1.0f, 0.0f, linear[128]));
    EXPECT_EQ(scene.mesh.vertex_colors[2], vec3(linear[1], linear[2], linear[3]));
    EXPECT_EQ(scene.mesh.corner_normals[0], unit_or(vec3(0.0f, 3.0f, 4.0f), vec3(0.0f)));
    EXPECT_EQ(scene.mesh.corner_texcoords[0], vec2(0.5f, 0.25f));
    EXPECT_EQ(scene.materials[0].color, vec3(1.0f));
  }
  const SceneData four = load("4OFF\n3 1 0\n0 0 0 1\n2 0 0 0.5\n0 3 0 3\n3 0 1 2\n");
  EXPECT_EQ(four.mesh.bounds().high, vec3(4.0f, 1.0f, 0.0f));
}

TEST(OffLoader, takes_colours_for_fractions_unless_some_are_larger_than_1) {
  const auto first = [](const std::string& color, const std::string& other) {
    return load("COFF\n3 1 0\n0 0 0 " + color + "\n1 0 0 " + other + "\n0 1 0 0 0 0 1\n3 0 1 2\n")
        .mesh.vertex_colors[0];
  };
  const auto& linear = srgb_to_linear_table();
  EXPECT_EQ(first("1 0 0 1", "0 0.5 0 1"), vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(first("1 0 0", "0 1 0"), vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(first("1 0 0 255", "0 90 0 255"), vec3(linear[1], 0.0f, 0.0f));
  EXPECT_EQ(first("1 0 0 255", "x 90 0 255"), vec3(linear[1], 0.0f, 0.0f));
}

TEST(OffLoader, uses_colours_of_faces) {
  const SceneData scene =
      load("OFF\n4 3 0\n" + kRows + "3 0 1 2 255 0 0\n3 0 2 3 0 0 255 128\n3 0 1 3 7\n");
  EXPECT_EQ(scene.materials[scene.mesh.material_index(0)].color, vec3(1.0f, 0.0f, 0.0f));
  EXPECT_EQ(scene.materials[scene.mesh.material_index(1)].color, vec3(0.0f, 0.0f, 1.0f));
  EXPECT_EQ(scene.materials[scene.mesh.material_index(2)].color, vec3(0.8f));
  EXPECT_TRUE(warns(scene, "colour of a colour map, left grey: 1 (first: line 9)"));
  EXPECT_TRUE(warns(scene, "alpha of vertices and faces left out: all are drawn opaque: 1"));
}

TEST(OffLoader, says_what_it_leaves_out) {
  const SceneData scene =
      load("OFF\n4 3 0\n0 0 0 9\n1 0 0\n1 1 0\n0 1 x\n3 0 1 2\n3 0 1 9\n3 0 1 3\nmore\n");
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(scene, "more numbers than the format has: 1 (first: line 3)"));
  EXPECT_TRUE(warns(scene, "words that are not numbers: 1 (first: line 6)"));
  EXPECT_TRUE(warns(scene, "vertices that the file does not have: 1 (first: face 2, line 8)"));
  EXPECT_TRUE(warns(scene, "not finite or beyond 2^40: 1 (first: face 3, line 9)"));
  EXPECT_TRUE(warns(scene, "line 10: lines behind the last face")) << warnings_of(scene);
}

TEST(OffLoader, refuses_what_it_cant_read) {
  EXPECT_TRUE(contains(refusal(""), "empty file"));
  EXPECT_TRUE(contains(refusal("# c\n"), "only comments"));
  EXPECT_TRUE(contains(refusal("OFF BINARY\n\1\2"), "binary OFF files are not read"));
  EXPECT_TRUE(contains(refusal("nOFF\n3\n"), "points of any dimension"));
  EXPECT_TRUE(contains(refusal("ply\n"), "not an OFF file: it seems to be a PLY file"));
  EXPECT_TRUE(contains(refusal("OFF\n"), "vertices and faces are missing"));
  EXPECT_TRUE(contains(refusal("OFF\n4\n"), "line 2: the number of faces is missing"));
  EXPECT_TRUE(contains(refusal("OFF\n2000000000 1 0\n"), "2000000000 vertices don't fit"));
  EXPECT_TRUE(contains(refusal("OFF\n3 1 0\n0 0 0\n1 0\n"), "line 4: a vertex needs 3 numbers"));
  EXPECT_TRUE(contains(refusal("COFF\n1 0 0\n0 0 0 1\n"), "a colour of 3 or 4 numbers"));
  EXPECT_TRUE(contains(refusal("OFF\n4 1 0\n0 0 0\n1 0 0\n"), "it has 2 of 4 vertices"));
  EXPECT_TRUE(contains(refusal("OFF\n4 1 0\n" + kRows + "3 0 1\n"), "line 7: the face has fewer"));
  EXPECT_TRUE(contains(refusal("OFF\n4 1 0\n" + kRows + "-3 0 1\n"), "number of corners"));
}

}  // namespace off_loader_test
}  // namespace ballotcast::detail
