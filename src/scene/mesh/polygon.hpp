// Splits polygons into triangles.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "math/vec.hpp"
#include "scene/mesh/polygon_mesh.hpp"

namespace ballotcast::detail {

/// How well the triangles cover a polygon.
enum class PolygonCut {
  whole,     // exactly: each point of the polygon is in one triangle
  crossing,  // the polygon crosses itself, so triangles may overlap or lie outside it
  rough      // as `crossing`; part was cut without tests, because the polygon is too intricate
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
/// warning to `scene`, which names `path` and says how many faces have the defect. Throws
/// InputError if there are more triangles than a mesh may have.
std::vector<PolygonTriangle> drawable_triangles(const std::string& path, const PolygonMesh& mesh,
                                                SceneData& scene);

}  // namespace ballotcast::detail
