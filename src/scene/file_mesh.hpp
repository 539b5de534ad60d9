// The polygons of a mesh file, in whatever format, as they stand in the file; and the triangles
// that can be drawn of them.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "geometry/triangle.hpp"
#include "math/vec.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// The index of a corner's attribute if the file gives none.
inline constexpr i32 kAbsent = -1;

/// The index of a corner's attribute if the file gives one that can't be an index.
inline constexpr i32 kInvalid = -2;

/// One corner of a face: indices from 0, or kAbsent or kInvalid. An index may lie past the end of
/// its array, because the file may be wrong.
struct FileCorner {
  i32 position;
  i32 texcoord;
  i32 normal;
};

/// One face. Its corners are corners[first_corner .. first_corner + corner_count) of FileMesh.
struct FileFace {
  u32 first_corner;
  u32 corner_count;
  u32 material;
  u64 place;  // where it is in the file; see FileMesh::place_of
};

/// The polygons of a mesh file. Coordinates may be NaN or infinite.
struct FileMesh {
  std::vector<dvec3> positions;
  std::vector<vec3> colors;  // empty, or one per position: linear, from 0 to 1
  std::vector<dvec3> normals;
  std::vector<vec2> texcoords;
  std::vector<FileCorner> corners;
  std::vector<FileFace> faces;
  const char* place_word = "line";       // what FileFace::place counts: lines, or bytes
  std::vector<std::string> place_names;  // if not empty: FileFace::place is an index into it
  bool has_lines_or_points = false;      // true if the file has shapes without an area

  /// The place of a face, for messages: "line 7".
  std::string place_of(const FileFace& face) const {
    return place_names.empty() ? place_word + (" " + std::to_string(face.place))
                               : place_names[face.place];
  }
};

/// Counts the faces, triangles or corners with one kind of defect. Remembers the first face.
struct FaceTally {
  const char* what;
  u64 count = 0;
  u64 first_face = 0;

  void note(u64 face) {
    if (count++ == 0) first_face = face;
  }
  void report(const std::string& path, const FileMesh& mesh, SceneData& scene) const {
    if (count == 0) return;
    scene.warnings.push_back(path + ": " + what + ": " + std::to_string(count) + " (first: face " +
                             std::to_string(first_face + 1) + ", " +
                             mesh.place_of(mesh.faces[first_face]) + ")");
  }
};

/// True if all coordinates are finite and within 2^40.
inline bool usable_place(const dvec3& p) {
  const auto fits = [](double c) { return std::abs(c) <= double{kLargestCoordinate}; };
  return fits(p.x) && fits(p.y) && fits(p.z);  // NaN fails every comparison
}

inline bool in_range(i32 index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

/// A triangle: three corners of the file, and the face that it is part of.
struct FilePiece {
  u32 corner[3];
  u32 face;
};

/// The triangles that can be drawn, in the order of the file. For each kind of defect, adds a
/// warning to `scene`, which names `path` and says how many faces have the defect. Throws
/// InputError if there are more triangles than a mesh may have.
std::vector<FilePiece> drawable_pieces(const std::string& path, const FileMesh& mesh,
                                       SceneData& scene);

}  // namespace ballotcast::detail
