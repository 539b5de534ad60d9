// Splits polygons into triangles.
#pragma once

#include <span>
#include <vector>

#include "math/vec.hpp"

namespace ballotcast::detail {

/// How well the triangles cover a polygon.
enum class PolygonCut {
  whole,     // exactly: each point of the polygon is in one triangle
  crossing,  // the polygon crosses itself, so triangles may overlap or lie outside it
  rough      // the polygon is so intricate that part of it was cut without tests; as `crossing`
};

/// Splits a polygon into corner_count - 2 triangles and appends them to `triangles`, as indices
/// into `corners` and with the same winding. A convex quad is cut along its shorter diagonal. Other
/// polygons are cut by ear clipping, projected along their main axis (G. Meisters, Polygons Have
/// Ears, 1975); corners on straight edges and bridges to holes are allowed. Usual polygons of n
/// corners take n log n steps. If a polygon takes many more, the rest is cut without tests, and the
/// test for crossing edges stops early too. All corners must be finite. Fewer than three corners
/// give no triangle.
PolygonCut triangulate(std::span<const dvec3> corners, std::vector<uvec3>& triangles);

}  // namespace ballotcast::detail
