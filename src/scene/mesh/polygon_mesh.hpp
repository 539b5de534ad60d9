// The polygons of a mesh file of any format, as written in the file; counts of their defects, for
// warnings; and functions that split them into triangles.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "geometry/triangle.hpp"
#include "image/color.hpp"
#include "math/vec.hpp"
#include "scene/instances/named_parts.hpp"
#include "scene/scene_data.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

/// The index of a corner's attribute if the file has no index.
inline constexpr i32 kAbsent = -1;

/// The index of a corner's attribute if the index in the file is invalid.
inline constexpr i32 kInvalid = -2;

/// One corner of a face: indices from 0, or kAbsent or kInvalid. An index may be beyond the end of
/// its array, because the file may be wrong.
struct PolygonCorner {
  i32 position;
  i32 texcoord;
  i32 normal;
};

/// The corners of all faces. If no corner has texture coordinates or normals, their indices take no
/// memory.
class PolygonCorners {
 public:
  std::size_t size() const { return positions_.size(); }
  i32 position(std::size_t i) const { return positions_[i]; }
  i32 texcoord(std::size_t i) const { return texcoords_.empty() ? kAbsent : texcoords_[i]; }
  i32 normal(std::size_t i) const { return normals_.empty() ? kAbsent : normals_[i]; }
  bool any_texcoord() const { return !texcoords_.empty(); }
  bool any_normal() const { return !normals_.empty(); }

  void reserve(std::size_t count) { positions_.reserve(count); }
  void push_back(const PolygonCorner& corner) {
    positions_.push_back(corner.position);
    append(texcoords_, corner.texcoord);
    append(normals_, corner.normal);
  }
  void set_texcoord(std::size_t i, i32 index) {
    if (index != kAbsent) texcoords_.resize(size(), kAbsent);
    if (any_texcoord()) texcoords_[i] = index;
  }
  /// Frees the indices of positions. Afterwards `position` and `size` must not be called.
  void free_positions() { std::vector<i32>().swap(positions_); }
  /// Makes room for `count` corners, which are then stored by `set` in any order.
  void resize(std::size_t count, bool with_texcoords, bool with_normals) {
    positions_.resize(count);
    if (with_texcoords) texcoords_.resize(count);
    if (with_normals) normals_.resize(count);
  }
  /// Stores a corner. Its texture coordinates and normal are dropped if there is no room for them.
  void set(std::size_t i, const PolygonCorner& corner) {
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

/// One face. Its corners are corners[first_corner .. first_corner + corner_count) of PolygonMesh.
struct Polygon {
  u32 first_corner;
  u32 corner_count;
  u32 material;
  u64 place;  // position in the file; see PolygonMesh::place_of
};

/// The polygons of a mesh file. Coordinates may be NaN or infinite.
struct PolygonMesh {
  std::vector<dvec3> positions;
  std::vector<vec3> colors;      // empty, or one per position: linear, from 0 to 1
  std::vector<float> opacities;  // empty, or one per position: from 0 to 1
  std::vector<dvec3> normals;
  std::vector<vec2> texcoords;
  PolygonCorners corners;
  std::vector<Polygon> faces;
  std::vector<NamedFaces> named;         // in the order of the faces
  const char* place_word = "line";       // the unit of Polygon::place: "line" or "byte"
  std::vector<std::string> place_names;  // if not empty: Polygon::place is an index into it
  bool has_lines_or_points = false;      // true if the file has shapes without an area
  bool moves = false;  // true if it will move; then triangles without area and all corners are kept

  /// The position of a face, for messages: "line 7".
  std::string place_of(const Polygon& face) const {
    return place_names.empty() ? place_word + (" " + std::to_string(face.place))
                               : place_names[face.place];
  }
};

/// True if all coordinates are finite and within 2^40.
inline bool usable_place(const dvec3& p) {
  const auto fits = [](double c) { return std::abs(c) <= double{kLargestCoordinate}; };
  return fits(p.x) && fits(p.y) && fits(p.z);  // false for NaN, because NaN fails every comparison
}

inline bool in_range(i32 index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

/// A triangle: three corners of the file, and the face that it is part of.
struct PolygonTriangle {
  u32 corner[3];
  u32 face;
};

/// The warning about colours that were clamped.
inline constexpr const char* kColorsOutOfRange =
    "colours of vertices that are not numbers from 0 to 1, brought into that range";

/// Clamps a number from a file to [0, 1]. If it lies outside or is NaN, sets `fits` to false.
inline double unit_number(double value, bool& fits) {
  if (value >= 0.0 && value <= 1.0) return value;
  fits = false;
  return value < 0.0 ? 0.0 : 1.0;
}

/// Converts an sRGB colour from 0 to 1 to a linear colour. If it lies outside, sets `fits` to
/// false.
inline vec3 linear_vertex_color(dvec3 srgb, bool& fits) {
  return vec3(dvec3(srgb_to_linear(unit_number(srgb.x, fits)),
                    srgb_to_linear(unit_number(srgb.y, fits)),
                    srgb_to_linear(unit_number(srgb.z, fits))));
}

/// Counts the faces, triangles or corners with one kind of defect, and stores the first such face.
struct FaceTally {
  const char* what;
  u64 count = 0;
  u64 first_face = 0;

  void note(u64 face) {
    if (count++ == 0) first_face = face;
  }
  /// Adds the defects of later faces.
  void add(const FaceTally& later) {
    if (count == 0) first_face = later.first_face;
    count += later.count;
  }
  void report(const std::string& path, const PolygonMesh& mesh, SceneData& scene) const {
    if (count == 0) return;
    scene.warnings.push_back(path + ": " + what + ": " + std::to_string(count) + " (first: face " +
                             std::to_string(first_face + 1) + ", " +
                             mesh.place_of(mesh.faces[first_face]) + ")");
  }
};

/// Calls look_at(i, tally), in parallel, for every i below `count`, and returns the sum of the
/// tallies, whose defect is called `what`. The indices i must be in the order of their faces.
template <class LookAt>
FaceTally tally_all(const char* what, std::size_t count, const LookAt& look_at) {
  constexpr std::size_t kGrain = 1 << 14;  // indices per task
  return reduce_ranges<std::size_t>(
      0, count, kGrain, FaceTally{what},
      [&](std::size_t begin, std::size_t end, FaceTally tally) {
        for (std::size_t i = begin; i < end; ++i) look_at(i, tally);
        return tally;
      },
      [](FaceTally earlier, const FaceTally& later) {
        earlier.add(later);
        return earlier;
      });
}

// Splits polygons into triangles.

/// How exactly the triangles cover a polygon.
enum class PolygonCut {
  whole,     // exact: each point of the polygon is in one triangle
  crossing,  // the polygon crosses itself, so triangles may overlap or lie outside it
  rough      // as `crossing`, and a part was cut without tests, because the polygon is too complex
};

/// Splits a polygon into triangles, two fewer than it has corners. Appends them to `triangles`, as
/// indices into `corners` and with the same winding. All corners must be finite. Fewer than three
/// corners give no triangle.
///
/// A quad is cut along a diagonal inside it, the shorter one if both are inside. Larger polygons
/// are projected along a coordinate axis and cut by ear clipping (G. Meisters, Polygons Have Ears,
/// 1975). Corners on straight edges and bridges to holes are allowed. Usual polygons of n corners
/// take n log n steps. If a polygon takes many more, the rest is cut without testing whether the
/// triangles lie inside it, and the search for crossing edges stops. The result is then `rough`.
PolygonCut triangulate(std::span<const dvec3> corners, std::vector<uvec3>& triangles);

/// The triangles that can be drawn, in the order of the file. For each kind of defect, adds a
/// warning to `scene`, which names `path` and states the number of faces with this defect. Throws
/// InputError if there are more triangles than a mesh may have.
std::vector<PolygonTriangle> drawable_triangles(const std::string& path, const PolygonMesh& mesh,
                                                SceneData& scene);

}  // namespace ballotcast::detail
