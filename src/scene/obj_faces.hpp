// Turns the faces of an OBJ file into triangles, and reports the faces that can't be drawn.
#pragma once

#include <cmath>

#include "geometry/triangle.hpp"
#include "scene/obj_parser.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Counts the faces, triangles or corners with one kind of defect. Remembers the face and the line
/// of the first.
struct FaceTally {
  const char* what;
  u64 count = 0;
  u64 first_face = 0;
  u32 first_line = 0;

  void note(u64 face, u32 line) {
    if (count++ == 0) first_face = face + 1, first_line = line;
  }
  void report(const std::string& path, SceneData& scene) const {
    if (count == 0) return;
    scene.warnings.push_back(path + ": " + what + ": " + std::to_string(count) + " (first: face " +
                             std::to_string(first_face) + ", line " + std::to_string(first_line) +
                             ")");
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
struct ObjPiece {
  u32 corner[3];
  u32 face;
};

/// The triangles that can be drawn. For each kind of defect, adds a warning to `scene`, which names
/// `path` and says how many faces have the defect. Throws InputError if there are more triangles
/// than a mesh may have.
std::vector<ObjPiece> drawable_pieces(const std::string& path, const ObjText& obj,
                                      SceneData& scene);

}  // namespace ballotcast::detail
