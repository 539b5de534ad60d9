// Parses OBJ text into its content, without interpreting it. First a survey counts the elements of
// each chunk of the file (obj_survey.cpp). With these counts, all chunks can be parsed in parallel,
// each into its own part of the arrays.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "scene/formats/readers.hpp"
#include "scene/mesh/polygon_mesh.hpp"

namespace ballotcast::detail {

/// The kind of a line of an OBJ file.
enum class ObjKeyword {
  none,  // an empty line or a comment
  position,
  texcoord,
  normal,
  face,
  line_or_point,
  use_material,
  library,
  part,     // o, g
  curve,    // free-form curves and surfaces
  command,  // call, csh
  ignored,  // lines that have no effect on the picture
  unknown
};

/// The lines of an OBJ file, or of a chunk of it.
class ObjLines {
 public:
  /// `chunk` begins after `lines_before` line ends of the file. The memory of `chunk` must outlive
  /// this object.
  ObjLines(std::string_view chunk, u32 lines_before) : lines_(chunk, lines_before) {}

  /// Moves to the next line that is neither empty nor a comment. Returns false if there is none.
  bool next();
  ObjKeyword keyword() const { return keyword_; }
  /// The text after the keyword. Lines of geometry that end with a backslash are joined with the
  /// next line, and comments after geometry are left out. The text is valid until `next` is called.
  std::string_view rest() const { return rest_; }
  /// The line's number in the file, from 1.
  u32 number() const { return lines_.number(); }
  /// The number of line ends from the beginning of the file to the current position.
  u32 passed() const { return lines_.passed(); }

 private:
  Lines lines_;
  ObjKeyword keyword_ = ObjKeyword::none;
  std::string_view rest_;
};

/// Cuts a text into chunks of about `bytes` bytes (at least 1), or of one line if a line is longer.
/// Chunks end at line ends, but not within lines that are joined by a backslash.
std::vector<std::string_view> chunks_of(std::string_view text, std::size_t bytes);

/// A position in an OBJ file, given by the numbers of elements before it.
struct ObjOffset {
  u64 positions = 0;
  u64 texcoords = 0;
  u64 normals = 0;
  u64 corners = 0;
  u64 faces = 0;
  u32 lines = 0;     // number of line ends
  u32 material = 0;  // index of the current material, set by `usemtl`
};

/// A chunk of an OBJ file, and its position.
struct ObjChunk {
  std::string_view text;
  ObjOffset begin;
};

/// The materials of `usemtl` lines, in the order of their first occurrence. [0] is "", for faces
/// before the first `usemtl`.
struct ObjMaterialNames {
  std::vector<std::string> names{""};
  std::vector<u32> lines{0};  // line number of the first `usemtl` with that name
  std::unordered_map<std::string, u32> index_of{{"", 0}};
};

/// The result of the survey.
struct ObjSurvey {
  std::vector<ObjChunk> chunks;
  ObjOffset end;                     // the numbers of elements of the whole file
  bool any_corner_texcoord = false;  // may be true although there is none
  bool any_corner_normal = false;
  ObjMaterialNames materials;

  /// True if there are normals but no texture coordinates. Some programs then write corners as
  /// `v/vn`, which means `v//vn`.
  bool second_is_normal() const { return end.texcoords == 0 && end.normals != 0; }
};

/// Surveys a text in chunks of about `chunk_bytes`; see chunks_of. The memory of the text must
/// outlive the result.
ObjSurvey survey_obj(std::string_view text, std::size_t chunk_bytes);

/// One `mtllib` line.
struct ObjLibrary {
  std::string names;  // the rest of the line: one or several file names
  u32 line;
};

/// Tallies of lines that could not be used completely.
struct ObjTallies {
  LineTally no_numbers;        // lines with coordinates that are not numbers; they become NaN
  LineTally too_few;           // lines with missing coordinates; they become 0
  LineTally colors;            // vertices with colours that were clamped to their range
  LineTally weights;           // vertices with one or two additional numbers, except a weight of 1
  LineTally see_through;       // vertices with a colour with alpha below 1
  LineTally moved_normals;     // faces `v/vn` of a file without `vt`
  LineTally lines_and_points;  // `l` and `p` lines
  LineTally curves;            // lines of free-form curves and surfaces
  LineTally commands;          // `call` and `csh` lines
  LineTally unknown;           // lines with an unknown keyword

  /// Adds the lines of a later part of the file.
  void add(const ObjTallies& later);
};

/// The content of an OBJ file.
struct ObjText {
  PolygonMesh mesh;  // Polygon::material is an index into materials.names
  ObjMaterialNames materials;
  std::vector<ObjLibrary> libraries;  // of equal consecutive lines, only the first is stored
  ObjTallies tallies;
};

/// The size of chunks in bytes, large enough that parsing a chunk takes milliseconds.
inline constexpr std::size_t kObjChunkBytes = std::size_t{1} << 20;

/// Parses OBJ text in chunks of about `chunk_bytes` in parallel; the result is the same for every
/// chunk size. Accepts any bytes. Throws InputError, which names `name`, only for UTF-16 text and
/// for more than 2^32 face corners.
ObjText parse_obj(std::vector<u8> bytes, const std::string& name,
                  std::size_t chunk_bytes = kObjChunkBytes);

}  // namespace ballotcast::detail
