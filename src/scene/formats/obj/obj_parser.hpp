// Parses OBJ text: the content of the file as it is, without judging it.
#pragma once

#include <string>
#include <vector>

#include "scene/formats/obj/obj_survey.hpp"
#include "scene/formats/readers.hpp"
#include "scene/mesh/polygon_mesh.hpp"

namespace ballotcast::detail {

/// One `mtllib` line.
struct ObjLibrary {
  std::string names;  // the rest of the line: one or several file names
  u32 line;
};

/// Lines that could not be used completely.
struct ObjTallies {
  LineTally no_numbers;        // lines with coordinates that are not numbers; they become NaN
  LineTally too_few;           // lines with missing coordinates; they become 0
  LineTally colors;            // vertices with colours that are brought into their range
  LineTally weights;           // vertices with one or two more numbers, except a weight of 1
  LineTally see_through;       // vertices with a colour and alpha below 1
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
  std::vector<ObjLibrary> libraries;  // of equal consecutive lines only the first
  ObjTallies tallies;
};

/// The size of chunks, large enough that parsing one takes milliseconds.
inline constexpr std::size_t kObjChunkBytes = std::size_t{1} << 20;

/// Parses OBJ text, in chunks of about `chunk_bytes` at the same time; the result is the same for
/// every size. Accepts any bytes. Throws InputError, which names `name`, only for UTF-16 text and
/// for more than 2^32 face corners.
ObjText parse_obj(std::vector<u8> bytes, const std::string& name,
                  std::size_t chunk_bytes = kObjChunkBytes);

}  // namespace ballotcast::detail
