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

/// The corners of all faces. If no corner has texture coordinates, or none a normal, their indices
/// take no memory.
class FileCorners {
 public:
  std::size_t size() const { return positions_.size(); }
  i32 position(std::size_t i) const { return positions_[i]; }
  i32 texcoord(std::size_t i) const { return texcoords_.empty() ? kAbsent : texcoords_[i]; }
  i32 normal(std::size_t i) const { return normals_.empty() ? kAbsent : normals_[i]; }
  bool any_texcoord() const { return !texcoords_.empty(); }
  bool any_normal() const { return !normals_.empty(); }

  void reserve(std::size_t count) { positions_.reserve(count); }
  void push_back(const FileCorner& corner) {
    positions_.push_back(corner.position);
    append(texcoords_, corner.texcoord);
    append(normals_, corner.normal);
  }
  void set_texcoord(std::size_t i, i32 index) {
    if (index != kAbsent) texcoords_.resize(size(), kAbsent);
    if (any_texcoord()) texcoords_[i] = index;
  }
  /// Makes room for `count` corners, to be filled in by `set` in any order.
  void resize(std::size_t count, bool with_texcoords, bool with_normals) {
    positions_.resize(count);
    if (with_texcoords) texcoords_.resize(count);
    if (with_normals) normals_.resize(count);
  }
  /// Fills in a corner. Its texture coordinates and normal are dropped if there is no room for
  /// them.
  void set(std::size_t i, const FileCorner& corner) {
    positions_[i] = corner.position;
    if (any_texcoord()) texcoords_[i] = corner.texcoord;
    if (any_normal()) normals_[i] = corner.normal;
  }

 private:
  void append(std::vector<i32>& indices, i32 index) {
    if (index == kAbsent && indices.empty()) return;
    indices.resize(size(), kAbsent);
    indices.back() = index;
  }

  std::vector<i32> positions_;
  std::vector<i32> texcoords_;  // empty, or as many as positions_
  std::vector<i32> normals_;    // empty, or as many as positions_
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
  FileCorners corners;
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
