// Tests that an OBJ file gives the same mesh however it is cut into chunks, and on any number of
// threads.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>

#include "ballotcast/threads.hpp"
#include "scene/formats/obj/obj_parser.hpp"
#include "scene/loading.hpp"

namespace ballotcast::detail {
namespace obj_chunks_test {

constexpr std::size_t kWhole = std::numeric_limits<std::size_t>::max();

/// A file with every kind of line, line end, byte order mark and joined line, with and without
/// optional parts.
const std::string kEverything =
    "# comment \\\nmtllib a.mtl\nmtllib a.mtl\nmtllib b.mtl\nf 1 2 3\nv 0 0 0\nv 1 0 \\\n 0 # "
    "right\n"
    "v 1 1 0 0.5 0.25 1\nv 0 1 0 2\n\n\ng one\no two\ns 1\nusemtl red\nvt 0 0\nvt 1\nvt 1 x\n"
    "vn 0 0 1\nvn 0 0\nf 1/1/1 2/2/1 \\\n \\\n3/3/-1 # end\nf -4 -3 -2\\\n\n-1\nusemtl\nf 1 2 9\n"
    "usemtl blue\nusemtl red\nfo 1//1 2//1 3//1\nv 1 2 3 1 1 1\nv a b c 9 9 9\nv 1\nf\nf \\\n\\\n"
    "l 1 2 \\\n3\np 1\ncurv 0 1 \\\nhello\ncall x\ncsh y\n   \t v 5 5 5\nusemtl blue\nmtllib "
    "b.mtl\n"
    "f 1/ 2/ 3/\nf 1/2/3/4 1 2\nf 0 1 -99\nmtllib a.mtl\nf 1 2 3 4 5\\";

template <class Elements>
bool same_bits(const Elements& a, const Elements& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(*a.data())) == 0);
}

void expect_same(const LineTally& a, const LineTally& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.first, b.first);
}

void expect_same(const PolygonMesh& a, const PolygonMesh& b) {
  EXPECT_TRUE(same_bits(a.positions, b.positions));
  EXPECT_TRUE(same_bits(a.colors, b.colors));
  EXPECT_TRUE(same_bits(a.normals, b.normals));
  EXPECT_TRUE(same_bits(a.texcoords, b.texcoords));
  EXPECT_EQ(a.has_lines_or_points, b.has_lines_or_points);
  ASSERT_EQ(a.corners.size(), b.corners.size());
  EXPECT_EQ(a.corners.any_texcoord(), b.corners.any_texcoord());
  EXPECT_EQ(a.corners.any_normal(), b.corners.any_normal());
  for (std::size_t i = 0; i < a.corners.size(); ++i) {
    EXPECT_EQ(a.corners.position(i), b.corners.position(i));
    EXPECT_EQ(a.corners.texcoord(i), b.corners.texcoord(i));
    EXPECT_EQ(a.corners.normal(i), b.corners.normal(i));
  }
  ASSERT_EQ(a.faces.size(), b.faces.size());
  for (std::size_t i = 0; i < a.faces.size(); ++i) {
    EXPECT_EQ(a.faces[i].first_corner, b.faces[i].first_corner);
    EXPECT_EQ(a.faces[i].corner_count, b.faces[i].corner_count);
    EXPECT_EQ(a.faces[i].material, b.faces[i].material);
    EXPECT_EQ(a.faces[i].place, b.faces[i].place);
  }
}

void expect_same(const ObjText& a, const ObjText& b) {
  expect_same(a.mesh, b.mesh);
  EXPECT_EQ(a.materials.names, b.materials.names);
  EXPECT_EQ(a.materials.lines, b.materials.lines);
  ASSERT_EQ(a.libraries.size(), b.libraries.size());
  for (std::size_t i = 0; i < a.libraries.size(); ++i) {
    EXPECT_EQ(a.libraries[i].names, b.libraries[i].names);
    EXPECT_EQ(a.libraries[i].line, b.libraries[i].line);
  }
  expect_same(a.tallies.no_numbers, b.tallies.no_numbers);
  expect_same(a.tallies.too_few, b.tallies.too_few);
  expect_same(a.tallies.colors, b.tallies.colors);
  expect_same(a.tallies.lines_and_points, b.tallies.lines_and_points);
  expect_same(a.tallies.curves, b.tallies.curves);
  expect_same(a.tallies.commands, b.tallies.commands);
  expect_same(a.tallies.unknown, b.tallies.unknown);
}

/// Parses `bytes` in chunks of each of these sizes and as a whole, and expects the same result.
void expect_same_in_chunks(const std::vector<u8>& bytes, const std::vector<std::size_t>& sizes) {
  const auto parsed = [&](std::size_t size, ObjText& to) -> std::string {
    try {
      to = parse_obj(bytes, "a.obj", size);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  ObjText whole;
  const std::string error = parsed(kWhole, whole);
  for (const std::size_t size : sizes) {
    SCOPED_TRACE("chunks of " + std::to_string(size) + " bytes");
    ObjText cut;
    EXPECT_EQ(parsed(size, cut), error);
    expect_same(cut, whole);
    if (::testing::Test::HasFailure()) return;
  }
}

std::vector<u8> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

/// `text` with `end` as line ends.
std::string with_ends(const std::string& text, const std::string& end) {
  std::string mended;
  for (const char c : text) mended += c == '\n' ? end : std::string(1, c);
  return mended;
}

TEST(ObjChunks, cut_a_text_at_line_ends_but_not_within_joined_lines) {
  const std::string text = "a\nb\\\nc\r\n\r\nd\re\\\r\nf\\\r\rg";
  const auto chunks = [&](std::size_t size) { return chunks_of(text, size); };
  EXPECT_EQ(chunks(1), (std::vector<std::string_view>{"a\n", "b\\\nc\r\n", "\r\n", "d\r",
                                                      "e\\\r\nf\\\r\r", "g"}));
  EXPECT_EQ(chunks(10),
            (std::vector<std::string_view>{"a\nb\\\nc\r\n\r\n", "d\re\\\r\nf\\\r\r", "g"}));
  EXPECT_EQ(chunks(kWhole), (std::vector<std::string_view>{text}));
  EXPECT_TRUE(chunks_of("", 1).empty());
}

TEST(ObjChunks, of_every_size_mean_the_same_as_one) {
  std::vector<std::size_t> sizes;
  for (std::size_t size = 1; size <= kEverything.size(); ++size) sizes.push_back(size);
  for (const std::string mark : {"", "\xef\xbb\xbf"})
    for (const std::string end : {"\n", "\r\n", "\r"}) {
      SCOPED_TRACE(end.size() == 2 ? "CR LF" : end == "\n" ? "LF" : "CR");
      expect_same_in_chunks(bytes_of(mark + with_ends(kEverything, end)), sizes);
    }
}

TEST(ObjChunks, keep_the_meaning_of_a_text_with_everything) {
  const ObjText obj = parse_obj(bytes_of(kEverything), "a.obj", 1);
  EXPECT_EQ(obj.materials.names, (std::vector<std::string>{"", "red", "blue"}));
  EXPECT_EQ(obj.materials.lines, (std::vector<u32>{0, 16, 30}));
  EXPECT_EQ(obj.libraries.size(), 3u);
  EXPECT_EQ(obj.mesh.positions.size(), 8u);
  EXPECT_EQ(obj.mesh.colors.size(), 8u);
  EXPECT_EQ(obj.mesh.colors[3], vec3(1.0f));
  ASSERT_EQ(obj.mesh.faces.size(), 11u);
  EXPECT_EQ(obj.mesh.faces[1].corner_count, 3u);
  EXPECT_EQ(obj.mesh.faces[1].place, 22u);
  EXPECT_EQ(obj.mesh.corners.position(obj.mesh.faces[2].first_corner), 0);
  EXPECT_EQ(obj.tallies.curves.first, 42u);
}

TEST(ObjChunks, of_files_that_other_programs_trip_over_mean_the_same_as_one) {
  std::vector<std::filesystem::path> folders{BALLOTCAST_SOURCE_DIR "/tests/fuzz/corpus"};
  const std::filesystem::path shared = BALLOTCAST_SHARED_SCENES "/obj-edge-cases";
  if (std::filesystem::exists(shared)) folders.push_back(shared);
  std::size_t files = 0;
  for (const std::filesystem::path& folder : folders)
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file() || entry.file_size() > 1 << 18) continue;
      SCOPED_TRACE(entry.path().string());
      const bool is_small = entry.file_size() < 1 << 14;
      expect_same_in_chunks(read_file(entry.path().string()),
                            is_small ? std::vector<std::size_t>{1, 7, 64, 300}
                                     : std::vector<std::size_t>{1000, 4096});
      ++files;
    }
  EXPECT_GT(files, 10u);
}

TEST(ObjChunks, of_a_large_file_make_the_same_scene_on_one_thread_and_on_many) {
  // The file has more than one chunk, and more faces than a thread takes at once.
  constexpr u32 kSide = 200;
  std::string text = "usemtl a\n";
  for (u32 y = 0; y <= kSide; ++y)
    for (u32 x = 0; x <= kSide; ++x)
      text += "v " + std::to_string(x) + " " + std::to_string((x * 7 + y * 13) % 5) + " " +
              std::to_string(y) + " 0.5 0.5 " + (x % 9 == 0 ? "2" : "1") + "\nvt 0." +
              std::to_string(x) + "0123456789 0." + std::to_string(y) + "\n";
  for (u32 i = 1; i + kSide + 2 < (kSide + 1) * (kSide + 1); ++i) {
    const auto corner = [&](u32 v) { return " " + std::to_string(v) + "/" + std::to_string(v); };
    text += "f" + corner(i) + corner(i + 1) + (i % 1000 == 0 ? " 0" : corner(i + kSide + 2)) +
            corner(i + kSide + 1) + "\n";
    if (i % 777 == 0) text += "usemtl m" + std::to_string(i / 777 % 3) + "\nhello\n";
  }
  ASSERT_GT(text.size(), 2 * kObjChunkBytes);
  SceneData one, many;
  const TempDir dir;
  const std::string path = dir.write("a.obj", text);
  with_threads(1, [&] { one = load_obj(path); });
  with_threads(8, [&] { many = load_obj(path); });
  EXPECT_EQ(testing::warnings_of(one), testing::warnings_of(many));
  EXPECT_EQ(one.warnings.size(), 4u) << testing::warnings_of(one);
  // The 40 wrong faces are spread over the parts that threads process.
  EXPECT_TRUE(testing::warns(one, "does not have: 40 (first: face 1000, line 81805)"));
  EXPECT_TRUE(testing::warns(one, "unknown lines, ignored: 51 (first: line 81582)"));
  EXPECT_TRUE(same_bits(one.mesh.positions, many.mesh.positions));
  EXPECT_TRUE(same_bits(one.mesh.triangles, many.mesh.triangles));
  EXPECT_TRUE(same_bits(one.mesh.corner_normals, many.mesh.corner_normals));
  EXPECT_TRUE(same_bits(one.mesh.corner_texcoords, many.mesh.corner_texcoords));
  EXPECT_TRUE(same_bits(one.mesh.vertex_colors, many.mesh.vertex_colors));
  EXPECT_TRUE(same_bits(one.mesh.material_of, many.mesh.material_of));
  EXPECT_EQ(one.material_names, many.material_names);
}

}  // namespace obj_chunks_test
}  // namespace ballotcast::detail
