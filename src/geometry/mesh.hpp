// Triangle meshes. Mesh owns the arrays; kernels get a MeshView (mesh_view.hpp).
#pragma once

#include <vector>

#include "geometry/mesh_view.hpp"
#include "geometry/triangle.hpp"
#include "math/aabb.hpp"
#include "support/array.hpp"

namespace ballotcast::detail {

/// A triangle mesh. Triangle i has the corners positions[triangles[i].x/y/z]; its id in a Hit is i.
struct Mesh {
  Array<vec3> positions;         // world units, relative to SceneData::origin; finite, no -0
  Array<uvec3> triangles;        // indices into positions
  Array<vec3> corner_normals;    // empty, or 3 per triangle: unit shading normals
  Array<vec2> corner_texcoords;  // empty, or 3 per triangle; (0, 0) is the lower left of the image
  Array<vec3> vertex_colors;     // empty, or 1 per position: linear factors on the colour
  Array<float> vertex_opacity;   // empty, or 1 per position: factors on the opacity
  Array<u32> material_of;        // empty (all material 0), or 1 per triangle

  /// The smallest box around every corner of every triangle.
  Aabb bounds() const;

  /// The bounding box of one triangle.
  Aabb bounds_of(u32 triangle) const;

  /// The index of a triangle's material.
  u32 material_index(u32 triangle) const { return material_of.empty() ? 0 : material_of[triangle]; }

  /// The cross product (b - a) x (c - a) of a triangle's corners. Its length is twice the area; it
  /// is 0 for a triangle without area.
  dvec3 normal_of(u32 triangle) const;

  /// True if the triangle's area is large enough for single precision. Otherwise no ray hits it.
  bool has_area(u32 triangle) const;

  /// A triangle's corners, in the form that triangle tests read.
  TriangleRows rows_of(u32 triangle) const;

  /// The largest |coordinate| of the corners of all triangles; see `box_slack`.
  float magnitude() const;

  /// Throws InputError unless kernels can use every index, coordinate and array size.
  void require_valid() const;
};

/// The largest |coordinate| of a box; 0 if it is empty.
float magnitude_of(const Aabb& box);

/// The largest number of triangles of a mesh. The leaves of large trees store the index of a
/// triangle in 30 bits. The last index is not used, because its leaf could look like a missing
/// leaf. There are three times as many corners, and their indices have 32 bits.
inline constexpr u64 kMostTriangles = (u64{1} << 30) - 1;
static_assert(3 * kMostTriangles < 0xffffffffu);

/// Throws InputError if a mesh can't have this number of triangles or vertices. Call this function
/// before arrays of these sizes are allocated.
void require_few(u64 triangles, u64 vertices);

/// Returns a mesh of the triangles `ids`, in this order. It has only positions, and its triangles
/// do not share corners.
Mesh loose_mesh(const Mesh& mesh, const std::vector<u32>& ids);

}  // namespace ballotcast::detail
