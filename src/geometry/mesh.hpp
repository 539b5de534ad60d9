// Triangle meshes: Mesh owns, MeshView is what kernels get.
#pragma once

#include <string>
#include <vector>

#include "geometry/triangle.hpp"
#include "math/aabb.hpp"

namespace ballotcast::detail {

/// A triangle mesh. Triangle i has corners positions[triangles[i].x/y/z]; its id in a Hit is i.
struct Mesh {
  std::vector<vec3> positions;         // world units, relative to SceneData::origin; finite, no -0
  std::vector<uvec3> triangles;        // indices into positions
  std::vector<vec3> corner_normals;    // empty, or 3 a triangle: unit shading normals
  std::vector<vec2> corner_texcoords;  // empty, or 3 a triangle: (0, 0) at the image's lower left
  std::vector<u32> material_of;        // empty (all material 0), or 1 a triangle

  /// The smallest box around every corner of every triangle.
  Aabb bounds() const;

  /// The box of one triangle.
  Aabb bounds_of(u32 triangle) const;

  /// (b - a) x (c - a) of a triangle's corners: as long as twice its area; 0 where it has none.
  dvec3 normal_of(u32 triangle) const;

  /// Has the triangle an area that single precision can tell from none? Else no ray hits it.
  bool has_area(u32 triangle) const;

  /// A triangle's corners as the tests want them.
  TriangleRows rows_of(u32 triangle) const;

  /// The largest |coordinate| of any triangle's corner: see `box_slack`.
  float magnitude() const;

  /// Throws InputError unless every index, coordinate and array size is usable by a kernel.
  void require_valid() const;
};

/// The triangles of a mesh on the machine that shades them.
struct MeshView {
  const vec3* positions;
  const uvec3* triangles;
  const vec3* corner_normals;    // may be null
  const vec2* corner_texcoords;  // may be null
  const u32* material_of;        // may be null: all material 0
};

/// Triangles that others stand for: see bvh/copies.hpp.
struct CopiesView {
  const u32* starts;  // null where there are none
  const u32* ids;
};

/// The most triangles a mesh may have: leaves name a triangle in 28 bits.
inline constexpr u64 kMostTriangles = u64{1} << 28;

}  // namespace ballotcast::detail
