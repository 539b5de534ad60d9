// Polygons into triangles.
#pragma once

#include <span>
#include <vector>

#include "math/vec.hpp"

namespace ballotcast::detail {

/// How the triangles of a polygon lie.
enum class PolygonCut {
  whole,     // each part of the polygon is in one of them
  crossing,  // the polygon crosses itself, so they may overlap or leave it
  rough      // it is so intricate that part of it was cut without looking: they may, too
};

/// Appends the corner_count - 2 triangles of a polygon to `triangles`, as indices into `corners`
/// and in its winding. A convex quad is cut along its shorter diagonal; others are cut by ear
/// clipping in the plane they face most (G. Meisters, Polygons Have Ears, 1975), corners on
/// straight edges and bridges to holes included. Takes n log n steps for usual polygons of n
/// corners, and gives up looking rather than many more; whether edges cross isn't looked at to the
/// end then, either. All corners must be finite; fewer than three give nothing.
PolygonCut triangulate(std::span<const dvec3> corners, std::vector<uvec3>& triangles);

}  // namespace ballotcast::detail
