#include <gtest/gtest.h>

#include "helpers/mesh_files.hpp"
#include "helpers/meshes.hpp"
#include "image/color.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace ply_loader_test {

using testing::append_bytes;
using testing::one_pixel;
using testing::warnings_of;
using testing::warns;

const std::string kXyz = "property float x\nproperty float y\nproperty float z\n";
const std::string kFaces = "property list uchar int vertex_indices\n";
const std::string kSquareRows = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";

SceneData load(const std::string& bytes, const LoadOptions& options = {}) {
  return testing::load_as("a.ply", bytes, options);
}

std::string refusal(const std::string& bytes) {
  return message_of<InputError>([&] { load(bytes); });
}

/// A text PLY file of a square's four vertices and `count` faces.
std::string square(const std::string& faces, int count) {
  return "ply\nformat ascii 1.0\nelement vertex 4\n" + kXyz + "element face " +
         std::to_string(count) + "\n" + kFaces + "end_header\n" + kSquareRows + faces;
}

TEST(PlyLoader, reads_polygons_of_any_size) {
  const SceneData scene = load(square("4 0 1 2 3\n3 0 1 2\n", 2));
  EXPECT_EQ(scene.mesh.triangles.size(), 3u);
  EXPECT_EQ(scene.mesh.positions.size(), 4u);
  EXPECT_EQ(scene.materials.size(), 1u);
  EXPECT_EQ(scene.name, "a");
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
}

TEST(PlyLoader, reads_every_type_of_number_in_both_byte_orders) {
  for (const bool big : {false, true}) {
    std::string bytes = std::string("ply\r\nformat binary_") + (big ? "big" : "little") +
                        "_endian 1.0\r\ncomment x\r\nobj_info y\r\nelement vertex 3\r\n"
                        "property double x\r\nproperty short y\r\nproperty uchar z\r\n"
                        "property list ushort int8 unused\r\nelement face 1\r\n"
                        "property int32 flags\r\nproperty list uint32 uint16 vertex_index\r\n"
                        "end_header\r\n";
    for (int i = 0; i < 3; ++i) {
      append_bytes(bytes, i == 1 ? 1.5 : 0.0, big);
      append_bytes(bytes, static_cast<std::int16_t>(i == 2 ? -300 : 0), big);
      append_bytes(bytes, u8(200));
      append_bytes(bytes, static_cast<std::uint16_t>(i), big);
      bytes.append(static_cast<std::size_t>(i), '\n');
    }
    append_bytes(bytes, -1, big);
    append_bytes(bytes, 3u, big);
    for (const int i : {0, 1, 2}) append_bytes(bytes, static_cast<std::uint16_t>(i), big);
    const SceneData scene = load(bytes);
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    ASSERT_EQ(scene.mesh.positions.size(), 3u);
    EXPECT_EQ(scene.mesh.positions[1], vec3(1.5f, 0.0f, 200.0f));
    EXPECT_EQ(scene.mesh.positions[2], vec3(0.0f, -300.0f, 200.0f));
  }
}

TEST(PlyLoader, uses_normals_texture_coordinates_and_colours_of_vertices) {
  for (const char* uv :
       {"property float u\nproperty float v\n", "property float s\nproperty float t\n"}) {
    const SceneData scene = load(
        "ply\nformat ascii 1.0\nelement vertex 3\n" + kXyz +
        "property float nx\nproperty float ny\nproperty float nz\n" + uv +
        "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n" + kFaces +
        "end_header\n0 0 0 0 3 4 0 0.25 255 0 128\n1 0 0 0 3 4 0.5 0 0 0 0\n"
        "0 1 0 0 3 4 0 1 1 2 3\n3 0 1 2\n");
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    ASSERT_EQ(scene.mesh.corner_normals.size(), 3u);
    EXPECT_EQ(scene.mesh.corner_normals[0], unit_or(vec3(0.0f, 3.0f, 4.0f), vec3(0.0f)));
    ASSERT_EQ(scene.mesh.corner_texcoords.size(), 3u);
    EXPECT_EQ(scene.mesh.corner_texcoords[0], vec2(0.0f, 0.25f));
    ASSERT_EQ(scene.mesh.vertex_colors.size(), 3u);
    const auto& linear = srgb_to_linear_table();
    EXPECT_EQ(scene.mesh.vertex_colors[0], vec3(1.0f, 0.0f, linear[128]));
    EXPECT_EQ(scene.mesh.vertex_colors[2], vec3(linear[1], linear[2], linear[3]));
    EXPECT_EQ(scene.materials[0].color, vec3(1.0f));
  }
}

TEST(PlyLoader, reads_colours_of_other_types_and_reports_those_out_of_range) {
  const auto colors = [](const std::string& type, const std::string& color) {
    return load("ply\nformat ascii 1.0\nelement vertex 3\n" + kXyz + "property " + type +
                " red\nproperty " + type + " green\nproperty " + type + " blue\nelement face 1\n" +
                kFaces + "end_header\n0 0 0 " + color + "\n1 0 0 0 0 0\n0 1 0 0 0 0\n3 0 1 2\n");
  };
  const vec3 half = colors("uchar", "51 0 255").mesh.vertex_colors[0];
  EXPECT_EQ(colors("ushort", "13107 0 65535").mesh.vertex_colors[0], half);
  EXPECT_EQ(colors("double", "0.2 0 1").mesh.vertex_colors[0], half);
  const SceneData wrong = colors("float", "-1 2 nan");
  EXPECT_EQ(wrong.mesh.vertex_colors[0], vec3(0.0f, 1.0f, 1.0f));
  EXPECT_TRUE(warns(wrong, "colours of vertices that are not numbers from 0 to 1"));
}

TEST(PlyLoader, uses_texture_coordinates_of_faces_and_the_texture_of_a_comment) {
  const TempDir dir;
  const std::vector<u8> picture = one_pixel(255, 0, 0);
  const std::string png = dir.write("red.png", {picture.begin(), picture.end()});
  const std::string path = dir.write(
      "a.ply", "ply\nformat ascii 1.0\ncomment TextureFile red.png\nelement vertex 3\n" + kXyz +
                   "element face 2\n" + kFaces +
                   "property list uchar float texcoord\nend_header\n"
                   "0 0 0\n1 0 0\n0 1 0\n3 0 1 2 6 0 0 0.5 0 0 0.5\n3 2 1 0 5 1 2 3 4 5\n");
  const SceneData scene = load_ply(path);
  EXPECT_EQ(scene.mesh.corner_texcoords[1], vec2(0.5f, 0.0f));
  EXPECT_EQ(scene.mesh.corner_texcoords[3], vec2(0.0f));
  EXPECT_TRUE(
      warns(scene, "unusable texture coordinates, set to (0, 0): 3 (first: face 2, line 16"))
      << warnings_of(scene);
  EXPECT_EQ(scene.materials[0].color_texture, 0u);
  EXPECT_EQ(scene.files, (std::vector<std::string>{path, png}));
  EXPECT_TRUE(
      warns(load("ply\nformat ascii 1.0\ncomment TextureFile no.png\nelement vertex 3\n" + kXyz +
                 "element face 1\n" + kFaces + "end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"),
            "line 3: texture \"no.png\" not found"));
}

TEST(PlyLoader, leaves_out_faces_that_cant_be_drawn) {
  const SceneData scene =
      load(square("3 0 1 4\n3 0 1 -1\n2 0 1\n3 0 0 1\n3 0 1 0.5\n3 0 1 2\n", 6));
  EXPECT_EQ(scene.mesh.triangles.size(), 1u);
  EXPECT_TRUE(warns(scene, "vertices that the file does not have: 3 (first: face 1, line 14)"))
      << warnings_of(scene);
  EXPECT_TRUE(warns(scene, "fewer than three corners: 1"));
  EXPECT_TRUE(warns(scene, "no area: 1"));
}

TEST(PlyLoader, says_what_it_leaves_out) {
  const SceneData scene =
      load("ply\nformat ascii 1.0\nelement vertex 3\n" + kXyz + "element edge 1\nproperty int a\n" +
           "element face 1\n" + kFaces + "end_header\n0 0 0\n1 0 0\n0 1 0 7\n\n5\n3 0 1 2\nmore\n");
  EXPECT_TRUE(warns(scene, "elements left out: \"edge\"")) << warnings_of(scene);
  EXPECT_TRUE(warns(scene, "more numbers than the header states: 1 (first: line 14)"));
  EXPECT_TRUE(warns(scene, "line 18: lines behind the last element"));
}

TEST(PlyLoader, refuses_headers_that_it_does_not_understand) {
  const auto header = [](const std::string& lines) { return refusal("ply\n" + lines); };
  EXPECT_TRUE(contains(refusal(""), "empty file"));
  EXPECT_TRUE(contains(refusal("plyx\n"), "not a PLY file: it begins with \"plyx"));
  EXPECT_TRUE(contains(header("format ascii 1.0\nelement vertex 3\n"), "\"end_header\""));
  EXPECT_TRUE(contains(header("format utf8 1.0\n"), "line 2: unknown format \"utf8\""));
  EXPECT_TRUE(contains(header("format ascii 2.0\n"), "unknown version"));
  EXPECT_TRUE(contains(header("element vertex -1\n"), "needs a name and a number"));
  EXPECT_TRUE(contains(header("element vertex 99999999999999999999\n"), "a number"));
  EXPECT_TRUE(contains(header("property float x\n"), "before the first element"));
  EXPECT_TRUE(contains(header("element vertex 1\nelement vertex 1\n"),
                       "line 3: element \"vertex\" is there twice"));
  EXPECT_TRUE(contains(header("element a 1\nproperty float x\nproperty int x\n"), "twice"));
  EXPECT_TRUE(contains(header("element a 1\nproperty quad x\n"), "unknown type \"quad\""));
  EXPECT_TRUE(contains(header("element a 1\nproperty list float int x\n"), "must be an integer"));
  EXPECT_TRUE(contains(header("wrong\n"), "unknown word"));
  EXPECT_TRUE(contains(header("end_header\n"), "no line \"format\""));
  EXPECT_TRUE(contains(header("format ascii 1.0\nend_header\n"), "no element \"vertex\""));
  EXPECT_TRUE(
      contains(header("format ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n0\n"),
               "without properties x, y and z"));
}

TEST(PlyLoader, refuses_files_that_are_cut_off_or_lie_about_their_size) {
  EXPECT_TRUE(contains(refusal(square("3 0 1 2\n", 2)), "it has 1 of 2 of element \"face\""));
  EXPECT_TRUE(contains(refusal(square("3 0 1\n", 1)), "line 14: the line has fewer numbers"));
  EXPECT_TRUE(contains(refusal(square("-1 0 1\n", 1)), "the length of a list"));
  EXPECT_TRUE(contains(refusal(square("2000000000 0 1\n", 1)), "longer than the line"));
  EXPECT_TRUE(contains(refusal(square("3 0 1 2\n", 2000000000)), "don't fit into the file"));
  std::string binary = "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n" + kXyz +
                       "end_header\n" + std::string(35, '\0');
  EXPECT_TRUE(contains(refusal(binary), "byte 124: the file is cut off: 4000000000 of element"))
      << refusal(binary);
  binary = testing::as_ply(testing::sphere(4), testing::Ply::little);
  for (std::size_t length = 0; length < binary.size(); length += 7)
    refusal(binary.substr(0, length));
  EXPECT_TRUE(contains(refusal(binary.substr(0, binary.size() - 1)), "cut off"));
  EXPECT_TRUE(warns(load(binary + "ab"), "2 bytes behind the last element"));
}

TEST(PlyLoader, says_that_points_are_not_drawn) {
  EXPECT_TRUE(
      contains(refusal("ply\nformat ascii 1.0\nelement vertex 1\n" + kXyz + "end_header\n0 0 0\n"),
               "no triangles, only lines and points"));
}

TEST(PlyLoader, keeps_large_coordinates_precise) {
  const SceneData scene = load(
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\n"
      "property double z\nelement face 1\n" +
      kFaces + "end_header\n4500000.125 0 0\n4500001.125 0 0\n4500000.125 1 0\n3 0 1 2\n");
  EXPECT_EQ(scene.origin.x + double{scene.mesh.positions[0].x}, 4500000.125);
}

}  // namespace ply_loader_test
}  // namespace ballotcast::detail
