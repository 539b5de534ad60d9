// Makes the mesh of a scene from the polygons of a mesh file, and computes shading normals if the
// file has none.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/mesh.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/mesh/polygon_mesh.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// Sets the origin and the mesh of `scene`, except for the materials, and returns the triangles in
/// their order. Positions are stored relative to SceneData::origin. Faces that can't be drawn
/// (fewer than three corners, indices outside the file's arrays, coordinates that are not finite or
/// beyond 2^40, no area) are left out, with one warning per kind of defect, which names `path`.
/// Unusable normals and texture coordinates are replaced. Missing normals are computed if some
/// corner has a normal, or if `crease_angle` is above 0: see add_smooth_normals. Frees the
/// positions and colours of `mesh`, and the indices of positions, as soon as they are no longer
/// needed. Throws InputError if no triangle is left.
std::vector<PolygonTriangle> fill_mesh(const std::string& path, PolygonMesh& mesh,
                                       double crease_angle, SceneData& scene);

/// The pose of a mesh whose positions and normals have changed since fill_mesh returned `pieces`.
/// PolygonMesh::moves must be true. Returns nothing if a vertex is beyond the largest coordinate.
std::optional<Pose> pose_of(const PolygonMesh& mesh, const std::vector<PolygonTriangle>& pieces,
                            double crease_angle);

/// The world position of (0, 0, 0) for a mesh with bounding box low .. high. It is 0, unless the
/// distance of the box from 0 is so large compared with its size that single precision would lose
/// detail; then it is a point near the middle of the box, with integer coordinates.
dvec3 origin_for(dvec3 low, dvec3 high);

/// The warning about triangles that become lines or points when rounded to single precision.
inline constexpr const char* kRoundedAway =
    "triangles that lose their area by rounding, because they are too small or too far from the "
    "centre of the scene; no ray can hit them";

/// The marker for a normal that is not known.
inline constexpr vec3 kMissingNormal{0.0f, 0.0f, 0.0f};

/// Replaces each kMissingNormal in `normals`, three per triangle, by a unit normal. It is the mean,
/// weighted by area, of the normals of those triangles at this vertex whose normal is within
/// `crease_angle` degrees of this triangle's normal. At an angle of 0 or less, and at vertices of
/// more than 256 triangles, each triangle keeps its own normal. At 180 or more, all triangles at
/// the vertex contribute. The result has the same bits on every machine.
void add_smooth_normals(const Mesh& mesh, double crease_angle, std::vector<vec3>& normals);

/// The unit normal of a triangle; its direction follows from the winding. (0, 0, 1) if the triangle
/// has no area.
vec3 flat_normal(const Mesh& mesh, u32 triangle);

}  // namespace ballotcast::detail
