#include <cstring>
#include <limits>

#include "fuzz/checks.hpp"
#include "fuzz/target.hpp"
#include "scene/formats/obj/obj_parser.hpp"

namespace ballotcast::detail::fuzz {

namespace {

/// Requires that two arrays are equal, bit by bit, because coordinates may be NaN.
template <class Elements>
void require_equal(const Elements& a, const Elements& b, const char* what) {
  require(a.size() == b.size() &&
              (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0),
          what);
}

void require_same(const PolygonMesh& a, const PolygonMesh& b) {
  require_equal(a.positions, b.positions, "other positions");
  require_equal(a.colors, b.colors, "other colours");
  require_equal(a.normals, b.normals, "other normals");
  require_equal(a.texcoords, b.texcoords, "other texture coordinates");
  require(a.has_lines_or_points == b.has_lines_or_points, "other lines");
  require(a.corners.size() == b.corners.size(), "other corners");
  for (std::size_t i = 0; i < a.corners.size(); ++i)
    require(a.corners.position(i) == b.corners.position(i) &&
                a.corners.texcoord(i) == b.corners.texcoord(i) &&
                a.corners.normal(i) == b.corners.normal(i),
            "another corner");
  require(a.faces.size() == b.faces.size(), "other faces");
  for (std::size_t i = 0; i < a.faces.size(); ++i)
    require(a.faces[i].first_corner == b.faces[i].first_corner &&
                a.faces[i].corner_count == b.faces[i].corner_count &&
                a.faces[i].material == b.faces[i].material && a.faces[i].place == b.faces[i].place,
            "another face");
}

void require_same(const ObjText& a, const ObjText& b) {
  require_same(a.mesh, b.mesh);
  require(a.materials.names == b.materials.names && a.materials.lines == b.materials.lines,
          "other materials");
  require(a.libraries.size() == b.libraries.size(), "other libraries");
  for (std::size_t i = 0; i < a.libraries.size(); ++i)
    require(
        a.libraries[i].names == b.libraries[i].names && a.libraries[i].line == b.libraries[i].line,
        "another library");
  for (const auto tally : {&ObjTallies::no_numbers, &ObjTallies::too_few, &ObjTallies::colors,
                           &ObjTallies::lines_and_points, &ObjTallies::curves,
                           &ObjTallies::commands, &ObjTallies::unknown})
    require((a.tallies.*tally).count == (b.tallies.*tally).count &&
                (a.tallies.*tally).first == (b.tallies.*tally).first,
            "another tally");
}

}  // namespace

/// The input is one byte, the size of chunks minus 1, and then an OBJ. Reading the OBJ in chunks of
/// that size must give the same mesh as reading it as a whole.
void run_obj_chunks(std::span<const u8> input) {
  if (input.empty()) return;
  const std::size_t chunk_bytes = std::size_t{input[0]} + 1;
  const std::vector<u8> text(input.begin() + 1, input.end());
  read_or_refused([&] {
    const ObjText whole = parse_obj(text, "a.obj", std::numeric_limits<std::size_t>::max());
    require_same(parse_obj(text, "a.obj", chunk_bytes), whole);
  });
}

}  // namespace ballotcast::detail::fuzz
