// Parses OBJ text: the content of the file as it is, without judging it.
#pragma once

#include <string>
#include <vector>

#include "scene/file_mesh.hpp"
#include "scene/text.hpp"

namespace ballotcast::detail {

/// One `mtllib` line.
struct ObjLibrary {
  std::string names;  // the rest of the line: one or several file names
  u32 line;
};

/// The content of an OBJ file.
struct ObjText {
  FileMesh mesh;  // FileFace::material is an index into material_names
  // The names of `usemtl` lines. [0] is "", for faces before the first `usemtl`.
  std::vector<std::string> material_names;
  std::vector<u32> material_lines;  // line number of the first `usemtl` with that name
  std::vector<ObjLibrary> libraries;
  LineTally no_numbers;        // lines with coordinates that are not numbers; they become NaN
  LineTally too_few;           // lines with missing coordinates; they become 0
  LineTally colors;            // vertices with colours that are brought into their range
  LineTally lines_and_points;  // `l` and `p` lines
  LineTally curves;            // lines of free-form curves and surfaces
  LineTally commands;          // `call` and `csh` lines
  LineTally unknown;           // lines with an unknown keyword
};

/// Parses OBJ text. Accepts any bytes. Throws InputError, which names `name`, only for UTF-16 text
/// and for more than 2^32 face corners.
ObjText parse_obj(std::vector<u8> bytes, const std::string& name);

}  // namespace ballotcast::detail
