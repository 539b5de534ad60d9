// Parses the faces of OBJ files with tinyobjloader. This is the only file that includes this
// library.
//
// The callback interface of tinyobjloader skips single invalid faces instead of rejecting the whole
// file, and keeps polygons as polygons (see polygon_mesh.hpp). tinyobjloader gets one face at a
// time, so the line number of each face is known. Invalid indices are replaced beforehand. All
// other lines are parsed here, because tinyobjloader computes numbers with pow and does not round
// them correctly.
#include "scene/formats/obj/obj_parser.hpp"

#define TINYOBJLOADER_USE_DOUBLE
#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <istream>
#include <limits>
#include <span>
#include <streambuf>

#include "ballotcast/error.hpp"
#include "scene/mesh/polygon_mesh.hpp"
#include "support/profile.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {
namespace {

/// A replacement for an invalid index. It counts back from the end, farther than any list is long,
/// so `resolve` returns kInvalid.
constexpr std::string_view kNoIndex = "-2000000000";

bool is_index(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  // No file can contain more elements than this number of digits can express
  constexpr std::size_t kMostDigits = 9;
  if (text.empty() || text.size() > kMostDigits) return false;
  bool is_zero = true;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    is_zero = is_zero && c == '0';
  }
  return !is_zero;
}

/// Appends a corner `1`, `1/2`, `1//3` or `1/2/3`, with kNoIndex in place of invalid indices.
/// Slashes at the end are left out. If `second_is_normal`, `1/3` means `1//3`; the function returns
/// true for such a corner.
bool append_corner(std::string_view corner, bool second_is_normal, std::string& to) {
  while (corner.ends_with('/')) corner.remove_suffix(1);
  std::array<std::string_view, 3> fields;
  std::size_t count = 0, begin = 0;
  for (std::size_t i = 0; i <= corner.size(); ++i) {
    if (i != corner.size() && corner[i] != '/') continue;
    if (count == fields.size()) {
      to += kNoIndex;
      return false;
    }
    fields[count++] = corner.substr(begin, i - begin);
    begin = i + 1;
  }
  const bool moves = second_is_normal && count == 2;
  if (moves) std::swap(fields[1], fields[count++]);
  for (std::size_t k = 0; k < count; ++k) {
    if (k != 0) to += '/';
    if (k == 0 || !fields[k].empty()) to += is_index(fields[k]) ? fields[k] : kNoIndex;
  }
  return moves;
}

/// Converts an index of the file to an index from 0. In the file, positive indices count from 1,
/// and negative ones count back from the last of the `count` elements before this line.
i32 resolve(int index, u64 count) {
  if (index > 0) return index - 1;
  const i64 from_end = static_cast<i64>(count) + index;
  return index == 0 || from_end < 0 ? kInvalid : static_cast<i32>(from_end);
}

/// The content of a chunk in addition to its part of the arrays.
struct ChunkRest {
  // Colours of the chunk's first positions; all later positions are white
  std::vector<vec3> colors;
  std::vector<ObjLibrary> libraries;
  std::vector<NamedFaces> named;
  ObjTallies tallies;
};

/// Parses a chunk into its part of the arrays. This object is also the stream from which
/// tinyobjloader reads.
class ChunkParser : std::streambuf {
 public:
  /// The arrays of `mesh` must have their final sizes.
  ChunkParser(const ObjChunk& chunk, const ObjSurvey& survey, const ObjMaterialNames& materials,
              PolygonMesh& mesh)
      : begin_(chunk.begin),
        at_(chunk.begin),
        lines_(chunk.text, chunk.begin.lines),
        second_is_normal_(survey.second_is_normal()),
        materials_(materials),
        mesh_(mesh) {}

  ChunkRest parse() {
    std::istream stream(this);
    // Otherwise the stream would swallow exceptions that `underflow` throws.
    stream.exceptions(std::ios::badbit);
    tinyobj::callback_t callbacks;
    callbacks.index_cb = [](void* self, tinyobj::index_t* indices, int count) {
      static_cast<ChunkParser*>(self)->add_face({indices, static_cast<std::size_t>(count)});
    };
    tinyobj::LoadObjWithCallback(stream, callbacks, this);
    return std::move(result_);
  }

 private:
  /// Passes the next face to tinyobjloader. Other lines are parsed here.
  int_type underflow() override {
    while (lines_.next()) {
      if (lines_.keyword() != ObjKeyword::face) {
        handle();
      } else if (feed_face()) {
        setg(fed_.data(), fed_.data(), fed_.data() + fed_.size());
        return traits_type::to_int_type(fed_.front());
      }
    }
    return traits_type::eof();
  }

  /// Sets `fed_` to the current line in the form that tinyobjloader expects. Returns false for a
  /// face without corners, which tinyobjloader does not report.
  bool feed_face() {
    std::string_view rest = lines_.rest();
    fed_ = "f";
    bool any_moved = false;
    for (std::string_view word = next_word(rest); !word.empty(); word = next_word(rest)) {
      fed_ += ' ';
      any_moved |= append_corner(word, second_is_normal_, fed_);
    }
    fed_ += '\n';
    if (any_moved) result_.tallies.moved_normals.note(lines_.number());
    if (fed_.size() > 2) return true;
    add_face({});
    return false;
  }

  void handle() {
    std::string_view rest = lines_.rest();
    ObjTallies& tallies = result_.tallies;
    switch (lines_.keyword()) {
      case ObjKeyword::position:
        mesh_.positions[at_.positions++] = numbers(rest, 3);
        add_color(rest);
        break;
      case ObjKeyword::texcoord: {
        const dvec3 place = numbers(rest, 1);
        mesh_.texcoords[at_.texcoords++] =
            vec2(static_cast<float>(place.x), static_cast<float>(place.y));
        break;
      }
      case ObjKeyword::normal:
        mesh_.normals[at_.normals++] = numbers(rest, 3);
        break;
      case ObjKeyword::use_material:
        at_.material = materials_.index_of.at(std::string(trimmed(rest)));
        break;
      case ObjKeyword::library:
        result_.libraries.push_back({std::string(trimmed(rest)), lines_.number()});
        break;
      case ObjKeyword::part:
        result_.named.push_back({at_.faces, std::string(trimmed(rest))});
        break;
      case ObjKeyword::line_or_point:
        tallies.lines_and_points.note(lines_.number());
        break;
      case ObjKeyword::curve:
        tallies.curves.note(lines_.number());
        break;
      case ObjKeyword::command:
        tallies.commands.note(lines_.number());
        break;
      case ObjKeyword::unknown:
        tallies.unknown.note(lines_.number());
        break;
      case ObjKeyword::face:
      case ObjKeyword::ignored:
      case ObjKeyword::none:
        break;
    }
  }

  /// Parses the first three numbers of the line from `rest`. Missing numbers are 0; if there are
  /// fewer than `needed`, the line is recorded. Words that are not numbers become NaN, and the line
  /// is recorded, except for the third number of a texture coordinate.
  dvec3 numbers(std::string_view& rest, int needed) {
    dvec3 v(0.0);
    bool all_numbers = true;
    int count = 0;
    for (; count < 3; ++count) {
      const std::string_view word = next_word(rest);
      if (word.empty()) break;
      const std::optional<double> number = number_of(word);
      all_numbers = all_numbers && (number || count >= std::max(needed, 2));
      v[count] = number.value_or(std::numeric_limits<double>::quiet_NaN());
    }
    if (!all_numbers)
      result_.tallies.no_numbers.note(lines_.number());
    else if (count < needed)
      result_.tallies.too_few.note(lines_.number());
    return v;
  }

  /// Reads the colour after the coordinates of a vertex, if there is one. A single number there is
  /// the weight of a point of a rational curve. Polygons have no weights, so it is ignored, as in
  /// Blender (Wavefront, Object Files, http://paulbourke.net/dataformats/obj/).
  void add_color(std::string_view rest) {
    dvec3 color(0.0);
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = next_word(rest);
      if (word.empty()) {
        if (i == 2 || (i == 1 && color.x != 1.0)) result_.tallies.weights.note(lines_.number());
        return;
      }
      color[i] = number_of(word).value_or(std::numeric_limits<double>::quiet_NaN());
    }
    bool fits = true;
    result_.colors.resize(at_.positions - begin_.positions - 1, vec3(1.0f));
    result_.colors.push_back(linear_vertex_color(color, fits));
    if (!fits) result_.tallies.colors.note(lines_.number());
    if (number_of(next_word(rest)).value_or(1.0) < 1.0)
      result_.tallies.see_through.note(lines_.number());
  }

  void add_face(std::span<const tinyobj::index_t> corners) {
    mesh_.faces[at_.faces++] = {static_cast<u32>(at_.corners), static_cast<u32>(corners.size()),
                                at_.material, lines_.number()};
    // tinyobjloader returns 0 for an index that is left out.
    const auto optional = [](int index, u64 count) {
      return index == 0 ? kAbsent : resolve(index, count);
    };
    for (const tinyobj::index_t& corner : corners)
      mesh_.corners.set(at_.corners++, {resolve(corner.vertex_index, at_.positions),
                                        optional(corner.texcoord_index, at_.texcoords),
                                        optional(corner.normal_index, at_.normals)});
  }

  const ObjOffset begin_;
  ObjOffset at_;  // the position of the current line, except its line number
  ObjLines lines_;
  std::string fed_;  // the line that is passed to tinyobjloader
  const bool second_is_normal_;
  const ObjMaterialNames& materials_;
  PolygonMesh& mesh_;
  ChunkRest result_;
};

/// Joins the contents of the chunks other than their parts of the arrays.
void join(const std::vector<ObjChunk>& chunks, const std::vector<ChunkRest>& rests, ObjText& obj) {
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const ChunkRest& rest = rests[i];
    obj.tallies.add(rest.tallies);
    for (const ObjLibrary& library : rest.libraries)
      if (obj.libraries.empty() || obj.libraries.back().names != library.names)
        obj.libraries.push_back(library);
    obj.mesh.named.insert(obj.mesh.named.end(), rest.named.begin(), rest.named.end());
    if (rest.colors.empty()) continue;
    obj.mesh.colors.resize(obj.mesh.positions.size(), vec3(1.0f));
    std::copy(rest.colors.begin(), rest.colors.end(),
              obj.mesh.colors.begin() + static_cast<std::ptrdiff_t>(chunks[i].begin.positions));
  }
}

}  // namespace

void ObjTallies::add(const ObjTallies& later) {
  for (LineTally ObjTallies::*const tally :
       {&ObjTallies::no_numbers, &ObjTallies::too_few, &ObjTallies::colors, &ObjTallies::weights,
        &ObjTallies::see_through, &ObjTallies::moved_normals, &ObjTallies::lines_and_points,
        &ObjTallies::curves, &ObjTallies::commands, &ObjTallies::unknown})
    (this->*tally).add(later.*tally);
}

ObjText parse_obj(std::vector<u8> bytes, const std::string& name, std::size_t chunk_bytes) {
  const ProfileSpan span("parse", name);
  require_bytewise(bytes, name);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  ObjSurvey survey = survey_obj(without_mark(text), chunk_bytes);
  const ObjOffset& end = survey.end;
  if (end.corners > std::numeric_limits<u32>::max())
    throw InputError(name + ": too many face corners (more than 2^32)");

  ObjText obj;
  obj.materials = std::move(survey.materials);
  PolygonMesh& mesh = obj.mesh;
  mesh.positions.resize(end.positions);
  mesh.texcoords.resize(end.texcoords);
  mesh.normals.resize(end.normals);
  mesh.corners.resize(
      end.corners, survey.any_corner_texcoord && !survey.second_is_normal(),
      survey.any_corner_normal || (survey.any_corner_texcoord && survey.second_is_normal()));
  mesh.faces.resize(end.faces);
  std::vector<ChunkRest> rests(survey.chunks.size());
  for_each_index(rests.size(), [&](std::size_t i) {
    rests[i] = ChunkParser(survey.chunks[i], survey, obj.materials, mesh).parse();
  });
  join(survey.chunks, rests, obj);
  mesh.has_lines_or_points = obj.tallies.lines_and_points.count != 0;
  return obj;
}

}  // namespace ballotcast::detail
