// Tests PLY files as other programs write them: strips, mixed line ends, colours of faces, any
// order of elements and properties.
#include <gtest/gtest.h>

#include "helpers/mesh_files.hpp"
#include "image/color.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace odd_ply_test {

using testing::append_bytes;
using testing::warnings_of;
using testing::warns;

const std::string kXyz = "property float x\nproperty float y\nproperty float z\n";

SceneData load(const std::string& bytes) { return testing::load_as("a.ply", bytes); }

void append_number(std::string& to, const std::string& type, double number, bool big) {
  if (type == "int8" || type == "char") append_bytes(to, static_cast<std::int8_t>(number));
  if (type == "uchar") append_bytes(to, static_cast<u8>(static_cast<int>(number)));
  if (type == "short") append_bytes(to, static_cast<std::int16_t>(number), big);
  if (type == "ushort") append_bytes(to, static_cast<u16>(static_cast<int>(number)), big);
  if (type == "int") append_bytes(to, static_cast<i32>(number), big);
  if (type == "uint") append_bytes(to, static_cast<u32>(static_cast<i64>(number)), big);
  if (type == "float") append_bytes(to, static_cast<float>(number), big);
}

/// A PLY file with two strips of 4 and 2 triangles in one list, as in Stanford's models.
std::string strips(const std::string& encoding, const std::string& type) {
  const double places[][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2},
                              {1, 2}, {3, 0}, {4, 0}, {3, 1}, {4, 1}};
  const int indices[] = {0, 1, 2, 3, 4, 5, -1, 6, 7, 8, 9, -1};
  const bool text = encoding == "ascii", big = encoding == "binary_big_endian";
  std::string file = "ply\nformat " + encoding + " 1.0\nelement vertex 10\n" + kXyz +
                     "element tristrips 1\nproperty list int " + type +
                     " vertex_indices\nend_header\n";
  const auto add = [&](const std::string& as, double number) {
    if (text)
      file += std::to_string(static_cast<int>(number)) + " ";
    else
      append_number(file, as, number, big);
  };
  for (const auto& place : places) {
    for (const double c : {place[0], place[1], 0.0}) add("float", c);
    if (text) file += "\n";
  }
  add("int", 12);
  for (const int index : indices) add(type, index);
  return text ? file + "\n" : file;
}

TEST(OddPly, strips_of_every_type_and_encoding_are_triangles_that_face_one_way) {
  for (const char* encoding : {"ascii", "binary_little_endian", "binary_big_endian"})
    for (const char* type : {"int", "uint", "short", "ushort", "char", "uchar", "float"}) {
      SCOPED_TRACE(std::string(encoding) + " " + type);
      const SceneData scene = load(strips(encoding, type));
      EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
      ASSERT_EQ(scene.mesh.triangles.size(), 6u);
      for (u32 i = 0; i < 6; ++i) EXPECT_GT(scene.mesh.normal_of(i).z, 0.0) << i;
      EXPECT_EQ(scene.mesh.triangles[1], uvec3(2, 1, 3));
      EXPECT_EQ(scene.mesh.triangles[4], uvec3(6, 7, 8));
    }
}

TEST(OddPly, strips_may_be_stitched_and_be_several_rows_beside_faces) {
  const std::string begin = "ply\nformat ascii 1.0\nelement vertex 4\n" + kXyz;
  const std::string rows = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n";
  const SceneData scene =
      load(begin + "element face 1\nproperty list uchar int vertex_index\nelement tristrips 2\n" +
           "property list uint int vertex_index\nend_header\n" + rows +
           "3 0 1 2\n5 0 0 1 2 3\n4 -1 1 2 0\n");
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  // Because of the repeated corner, 0 1 2 is the second triangle of the strip, whose corners are
  // reversed.
  EXPECT_EQ(scene.mesh.triangles, (std::vector<uvec3>{{0, 1, 2}, {1, 0, 2}, {1, 2, 3}, {1, 2, 0}}));
  const SceneData wrong = load(begin +
                               "element tristrips 1\nproperty list int int vertex_indices\n"
                               "end_header\n" +
                               rows + "4 0 1 2 9\n");
  EXPECT_TRUE(warns(wrong, "vertices that the file does not have: 1")) << warnings_of(wrong);
  EXPECT_TRUE(contains(
      message_of<InputError>([&] {
        load(begin + "element tristrips 1\nproperty int vertex_indices\nend_header\n" + rows + "1");
      }),
      "strips without a list vertex_indices"));
}

TEST(OddPly, a_255_in_a_strip_of_bytes_is_a_vertex_if_there_are_so_many) {
  std::string file = "ply\nformat ascii 1.0\nelement vertex 300\n" + kXyz +
                     "element tristrips 1\nproperty list int uchar vertex_indices\nend_header\n";
  for (int i = 0; i < 300; ++i)
    file += std::to_string(i) + " " + std::to_string(i * i % 7) + " 0\n";
  EXPECT_EQ(load(file + "4 253 254 255 3\n").mesh.triangles.size(), 2u);
}

/// A binary file of a square. The lines of its header end in `end`, the last line in `last`. The
/// first byte of data is `first`.
std::string binary_square(const std::string& end, const std::string& last, char first) {
  std::string file;
  for (const char* line :
       {"ply", "format binary_little_endian 1.0", "comment a", "element vertex 4",
        "property uchar tag", "property float x", "property float y", "property float z",
        "obj_info b", "element face 2", "property list uchar int vertex_indices", "comment c"})
    file += line + end;
  file += "end_header" + last;
  for (const auto& [x, y] : {std::pair{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}}) {
    file += first;
    for (const float c : {x, y, 0.0f}) append_bytes(file, c);
  }
  for (const auto& face : {uvec3(0, 1, 2), uvec3(0, 2, 3)}) {
    append_bytes(file, u8{3});
    for (int k = 0; k < 3; ++k) append_bytes(file, face[k]);
  }
  return file;
}

TEST(OddPly, headers_may_mix_line_ends_and_data_may_begin_with_any_byte) {
  for (const std::string end : {"\n", "\r\n", "\r"})
    for (const std::string last : {"\n", "\r\n", "\r"})
      for (const char first : {'\n', '\r', 'a'}) {
        // No reader can distinguish this from "\r\n".
        if (last == "\r" && end != "\r" && first == '\n') continue;
        SCOPED_TRACE(std::to_string(end.size()) + std::to_string(end[0]) + " " +
                     std::to_string(last.size()) + std::to_string(last[0]) + " " +
                     std::to_string(first));
        const SceneData scene = load(binary_square(end, last, first));
        EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
        EXPECT_EQ(scene.mesh.triangles.size(), 2u);
        EXPECT_EQ(scene.mesh.bounds().high, vec3(1.0f, 1.0f, 0.0f));
      }
}

/// A PLY file of two triangles, of which the first is red and the second blue.
std::string colored_faces(const std::string& vertex_colors, const std::string& face_properties,
                          const std::string& red, const std::string& blue) {
  const std::string color = vertex_colors.empty() ? "" : " 9 9 9";
  return "ply\nformat ascii 1.0\nelement vertex 4\n" + kXyz + vertex_colors + "element face 2\n" +
         face_properties + "end_header\n0 0 0" + color + "\n1 0 0" + color + "\n1 1 0" + color +
         "\n0 1 0" + color + "\n" + red + "\n" + blue + "\n";
}

TEST(OddPly, colours_of_faces_are_drawn_if_vertices_have_none) {
  const std::string list = "property list uchar int vertex_indices\n",
                    rgb = "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  for (const SceneData& scene :
       {load(colored_faces("", list + rgb, "3 0 1 2 255 0 0", "3 0 2 3 0 0 128")),
        load(colored_faces("", rgb + list, "255 0 0 3 0 1 2", "0 0 128 3 0 2 3"))}) {
    EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
    ASSERT_EQ(scene.materials.size(), 2u);
    EXPECT_EQ(scene.materials[scene.mesh.material_index(0)].color, vec3(1.0f, 0.0f, 0.0f));
    EXPECT_EQ(scene.materials[scene.mesh.material_index(1)].color,
              vec3(0.0f, 0.0f, srgb_to_linear_table()[128]));
    EXPECT_EQ(scene.material_names[0], "#ff0000");
    EXPECT_EQ(scene.mesh.positions.size(), 4u);
  }
  const SceneData both = load(colored_faces(rgb, list + rgb, "3 0 1 2 255 0 0", "3 0 2 3 0 0 128"));
  EXPECT_TRUE(warns(both, "colours of faces left out, because vertices have colours, too: 2"));
  EXPECT_EQ(both.materials.size(), 1u);
  const SceneData wrong = load(
      colored_faces("", list + "property float red\nproperty float green\nproperty float blue\n",
                    "3 0 1 2 2 nan -1", "3 0 2 3 0 0 1"));
  EXPECT_TRUE(warns(wrong, "colours of faces that are not numbers from 0 to 1")) << "2 nan -1";
}

TEST(OddPly, alpha_below_1_is_said_to_be_left_out) {
  const auto with_alpha = [](const std::string& alpha) {
    return load("ply\nformat ascii 1.0\nelement vertex 3\n" + kXyz +
                "property uchar alpha\nelement face 1\nproperty list uchar int vertex_indices\n"
                "end_header\n0 0 0 255\n1 0 0 255\n0 1 0 " +
                alpha + "\n3 0 1 2\n");
  };
  EXPECT_TRUE(warns(with_alpha("0"), "alpha of vertices and faces left out"));
  EXPECT_TRUE(with_alpha("255").warnings.empty());
}

TEST(OddPly, utf16_is_refused_by_name) {
  for (const std::string mark : {"\xff\xfe", ""}) {
    std::string wide = mark;
    for (const char c : std::string("ply\nformat ascii 1.0\n")) wide += {c, '\0'};
    EXPECT_TRUE(contains(message_of<InputError>([&] { load(wide); }), "UTF-16 text; save it as"));
  }
}

TEST(OddPly, faces_may_come_first_and_several_times) {
  const SceneData scene = load(
      "ply\nobj_info x\nformat ascii 1.0\nelement face 1\n"
      "property list ushort uint vertex_indices\nelement vertex 4\n" +
      kXyz + "property float nx\nproperty float ny\nproperty float nz\nelement face 1\n" +
      "property list int float vertex_index\nend_header\n3 0 1 2\n" +
      "0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n3 0 2 3\n");
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  EXPECT_EQ(scene.mesh.triangles.size(), 2u);
  ASSERT_EQ(scene.mesh.corner_normals.size(), 6u);
  EXPECT_EQ(scene.mesh.corner_normals[0], vec3(0.0f, 0.0f, 1.0f));
}

}  // namespace odd_ply_test
}  // namespace ballotcast::detail
