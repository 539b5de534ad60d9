// Shading normals for meshes that come without.
#pragma once

#include <vector>

#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// A unit normal for each of the three corners of each triangle: the mean, weighted by area, of the
/// normals of those triangles that use the same vertex and are turned from this one by at most
/// `crease_angle` degrees. At 0 or less, and at vertices of more than 256 triangles, each triangle
/// keeps its own; at 180 or more, all are averaged. Same bits on every machine.
std::vector<vec3> smooth_normals(const Mesh& mesh, double crease_angle);

/// The unit normal of a triangle by its winding; (0, 0, 1) where it has no area.
vec3 flat_normal(const Mesh& mesh, u32 triangle);

}  // namespace ballotcast::detail
