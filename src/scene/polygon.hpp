// Polygons into triangles.
#pragma once

#include <span>
#include <vector>

#include "math/vec.hpp"

namespace ballotcast {

/// Appends the corner_count - 2 triangles of a polygon to `triangles`, as indices into `corners`
/// and in its winding. A convex quad is cut along its shorter diagonal; concave polygons are cut by
/// ear clipping in the plane they face most (G. Meisters, Polygons Have Ears, 1975). Polygons that
/// cross themselves, and those of more than 1024 corners, give triangles that may overlap. All
/// corners must be finite; fewer than three give nothing.
void triangulate(std::span<const dvec3> corners, std::vector<uvec3>& triangles);

}  // namespace ballotcast
