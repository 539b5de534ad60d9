// Puts the meshes of a glTF file at its nodes: as copies or as instances.
//
//   nodes       car, house, car
//   copies      mesh.triangles   | car ..| house ....| car ..|
//   instances   mesh.triangles   | car ..| house ....|            and SceneData::instances
//   ids         the same         | 0 ....................... |
#pragma once

#include "scene/formats/gltf/meshes.hpp"
#include "scene/instances/instances.hpp"
#include "scene/mesh/polygon_mesh.hpp"

namespace ballotcast::detail {

/// Copies of more triangles than this are too much, if instances save enough of them.
inline constexpr u64 kMostCopied = u64{1} << 24;

/// True if nodes that show `shown` triangles together, of meshes that have `distinct`, become
/// instances. As long as copies are cheap they are better: hits have the last bits of triangles
/// that are where the file puts them, the scene can be packed, and its vertices can move. But a
/// triangle takes about a hundred bytes with its part of the tree, so from some size on memory
/// decides. Instances that save less than half of it are not worth the difference, unless there are
/// more copies than a mesh may have triangles.
bool copies_cost_too_much(u64 shown, u64 distinct, u64 most_copied = kMostCopied);

/// The triangles of a scene, as they stand in the file.
struct GltfTriangles {
  PolygonMesh mesh;
  std::vector<PolygonTriangle> pieces;
};

/// Fills in the mesh of `scene`, but for the materials, and the instances if copies cost too much.
/// If a node can't be an instance (see scene_of_instances), all are copied. The material of a face
/// is the index in the file, or the number of its materials for faces without one. Throws
/// InputError if no triangle is left, or if there are more than a mesh may have, or ids of
/// instances.
GltfTriangles place_meshes(const std::string& path, GltfMeshes meshes,
                           const std::vector<GltfTexcoords>& texcoords, const LoadOptions& options,
                           SceneData& scene);

/// The meshes at their nodes, as instances of the parts of a scene. A node that shrinks its mesh to
/// a point is left out: if the mesh were copied to its place, no triangle would be left of it. If
/// nodes move, it is hidden.
std::vector<PlacedPart> instances_of(const GltfMeshes& meshes);

/// Replaces positions and normals of the copies that place_meshes has made, after their nodes or
/// shapes have changed.
void move_copies(const GltfMeshes& meshes, PolygonMesh& copies);

}  // namespace ballotcast::detail
