// Computes shading normals for meshes without normals.
#pragma once

#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// Stands for a normal that is not known.
inline constexpr vec3 kMissingNormal{0.0f, 0.0f, 0.0f};

/// Replaces each kMissingNormal of `normals`, three per triangle, by a unit normal. It is the mean,
/// weighted by area, of the normals of triangles at this vertex. Only triangles whose normal is
/// within `crease_angle` degrees of this triangle's normal count. At an angle of 0 or less, and at
/// vertices of more than 256 triangles, each triangle keeps its own normal. At 180 or more, all
/// triangles at the vertex count. The result has the same bits on every machine.
void add_smooth_normals(const Mesh& mesh, double crease_angle, std::vector<vec3>& normals);

/// The unit normal of a triangle, by its winding; (0, 0, 1) if it has no area.
vec3 flat_normal(const Mesh& mesh, u32 triangle);

}  // namespace ballotcast::detail
