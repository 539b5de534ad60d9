// Tests STL files as other programs write them: spaces in end words, missing ends, comments,
// colours. Also tests files that are no STL files.
#include <gtest/gtest.h>

#include "helpers/mesh_files.hpp"
#include "image/color.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace odd_stl_test {

using testing::append_bytes;
using testing::warnings_of;
using testing::warns;

SceneData load(const std::string& bytes) { return testing::load_as("a.stl", bytes); }

std::string refusal(const std::string& bytes) {
  return message_of<InputError>([&] { load(bytes); });
}

/// The STL text of a square of two triangles, with these words for its begin and its ends.
std::string square(const std::string& begin, const std::string& end_loop,
                   const std::string& end_facet, const std::string& end_solid) {
  std::string text = begin + "\n";
  for (const char* corners :
       {"vertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\n", "vertex 0 0 0\nvertex 1 1 0\nvertex 0 1 0\n"})
    text += std::string(" facet normal 0 0 1\n outer loop\n") + corners + end_loop + "\n" +
            end_facet + "\n";
  return text + end_solid;
}

TEST(OddStl, ends_may_be_spaced_and_solids_nameless_or_commented) {
  for (const std::string& text :
       {square("solid a", "endloop", "endfacet", "end solid a"),
        square("solid a", "end loop", "endfacet", "endsolid a\n"),
        square("solid", "END LOOP", "end facet", "endsolid"),
        square("# comment\n\nsolid a", "endloop", "endfacet # the first", "endsolid a\n; more"),
        square("\xef\xbb\xbfsolid a", "endloop", "endfacet", "endsolid"),
        square("// two\n", "endloop", "endfacet", "endsolid")}) {
    const SceneData scene = load(text);
    EXPECT_TRUE(scene.warnings.empty()) << text << warnings_of(scene);
    EXPECT_EQ(scene.mesh.triangles.size(), 2u) << text;
  }
}

TEST(OddStl, comments_before_the_solid_may_be_long) {
  std::string comments;
  while (comments.size() < 5000) comments += "# a licence, line by line\n";
  const SceneData scene = load(comments + square("solid a", "endloop", "endfacet", "endsolid a\n"));
  EXPECT_EQ(scene.mesh.triangles.size(), 2u);
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
}

TEST(OddStl, line_ends_may_be_of_any_kind_or_few) {
  const std::string text = square("SOLID A", "ENDLOOP", "ENDFACET", "ENDSOLID A\n");
  for (const std::string end : {"\r", "\r\n"}) {
    std::string other;
    for (const char c : text) other += c == '\n' ? end : std::string(1, c);
    EXPECT_EQ(load(other).mesh.triangles.size(), 2u);
    EXPECT_TRUE(load(other).warnings.empty());
  }
  const SceneData one_line = load(
      "solid a\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop "
      "endfacet\nendsolid a");
  EXPECT_EQ(one_line.mesh.triangles.size(), 1u);
  EXPECT_TRUE(one_line.warnings.empty()) << warnings_of(one_line);
}

TEST(OddStl, a_missing_end_of_the_solid_is_a_warning_and_one_of_a_facet_an_error) {
  const SceneData scene = load(square("solid a", "endloop", "endfacet", ""));
  EXPECT_EQ(scene.mesh.triangles.size(), 2u);
  EXPECT_TRUE(warns(scene, "no line \"endsolid\" at its end; the file may be cut off"));
  EXPECT_TRUE(contains(refusal("solid\nfacet\nvertex 0 0 0\n"), "its last facet does not end"));
  EXPECT_TRUE(contains(refusal("solid Empty\nendsolid Empty"), "no triangles"));
}

TEST(OddStl, what_is_no_stl_is_called_what_it_seems_to_be) {
  const auto padded = [](std::string bytes) {
    bytes.resize(400, '\1');
    bytes[60] = '\0';
    return bytes;
  };
  EXPECT_TRUE(contains(refusal("nothing at all"), "not an STL file: it begins with \"nothing"));
  EXPECT_TRUE(contains(refusal("v 0 0 0\nv 1 0 0\n"), "not an STL file: it seems to be an OBJ"));
  EXPECT_TRUE(contains(refusal(padded("\x89PNG\r\n")), "it seems to be a PNG picture"));
  EXPECT_TRUE(contains(refusal(std::string("\x89PNG\r\n\x1a\n\0\0", 10)), "to be a PNG picture"));
  EXPECT_TRUE(contains(refusal(std::string("bytes and then text \0", 21) + std::string(80, 'n')),
                       "that number is the text \"nnnn\" in the file"));
  EXPECT_TRUE(contains(refusal(padded("PK\x03\x04")), "it seems to be a ZIP archive"));
  EXPECT_TRUE(contains(refusal("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"));
  EXPECT_TRUE(
      contains(message_of<InputError>([] { testing::load_as("a.ply", "<!DOCTYPE html>\n<html>"); }),
               "a.ply: not a PLY file: it seems to be a web page"));
}

/// A binary STL file of triangles. The last two bytes of triangle i are words[i].
std::string with_words(std::string header, const std::vector<u16>& words) {
  header.resize(80, ' ');
  append_bytes(header, static_cast<u32>(words.size()));
  for (const u16 word : words) {
    header.append(12, '\0');
    const float z = static_cast<float>(header.size());
    for (const float c : {0.0f, 0.0f, z, 1.0f, 0.0f, z, 0.0f, 1.0f, z}) append_bytes(header, c);
    append_bytes(header, word);
  }
  return header;
}

std::vector<vec3> colors_of(const std::string& bytes) {
  const SceneData scene = load(bytes);
  EXPECT_TRUE(scene.warnings.empty()) << warnings_of(scene);
  std::vector<vec3> colors;
  for (u32 i = 0; i < scene.mesh.triangles.size(); ++i)
    colors.push_back(scene.materials[scene.mesh.material_index(i)].color);
  return colors;
}

const vec3 kGrey(0.8f), kRed(1.0f, 0.0f, 0.0f), kGreen(0.0f, 1.0f, 0.0f), kBlue(0.0f, 0.0f, 1.0f);

TEST(OddStl, colours_of_viscam_have_a_mark_and_blue_lowest) {
  EXPECT_EQ(colors_of(with_words("solid viscam", {0x8000 | 31 << 10, 0x8000 | 31, 0x83e0, 31, 0})),
            (std::vector<vec3>{kRed, kBlue, kGreen, kGrey, kGrey}));
  const float half = static_cast<float>(srgb_to_linear(15 / 31.0));
  EXPECT_EQ(colors_of(with_words("", {0x8000 | 15 << 10}))[0], vec3(half, 0.0f, 0.0f));
}

TEST(OddStl, colours_of_magics_have_no_mark_and_red_lowest) {
  const std::string green("COLOR=\x00\xff\x00\xff", 10);
  EXPECT_EQ(colors_of(with_words(green, {31, 31 << 10, 0x8000, 0xffff})),
            (std::vector<vec3>{kRed, kBlue, kGreen, kGreen}));
  EXPECT_EQ(colors_of(with_words(green, {0, 0})), (std::vector<vec3>{kGreen, kGreen}));
  const std::string material = green + std::string(",MATERIAL=\xff\x00\x00\xff", 14);
  EXPECT_EQ(colors_of(with_words("made by x " + material, {0x8000})), (std::vector<vec3>{kRed}));
  // A header that ends within the colour gives no colour.
  EXPECT_EQ(colors_of(with_words(std::string(72, ' ') + "COLOR=\xff\xff", {0x83e0})),
            (std::vector<vec3>{kGreen}));
}

}  // namespace odd_stl_test
}  // namespace ballotcast::detail
