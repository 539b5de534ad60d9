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

/// If copies would have more triangles than this, instances replace them, provided that they save
/// enough.
inline constexpr u64 kMostCopied = u64{1} << 24;

/// True if meshes become instances instead of copies. All nodes together show `shown` triangles;
/// the meshes have `distinct` ones. Copies are better while they are cheap: hits have the exact
/// bits of triangles that are where the file puts them, the scene can be packed, and its vertices
/// can move. But a triangle takes about a hundred bytes with its part of the tree, so above
/// `most_copied` memory decides. Instances that save less than half of it are not worth it, unless
/// copies would be more triangles than a mesh may have.
bool copies_cost_too_much(u64 shown, u64 distinct, u64 most_copied = kMostCopied);

/// The triangles of a scene, as they stand in the file.
struct GltfTriangles {
  PolygonMesh mesh;
  std::vector<PolygonTriangle> pieces;
};

/// Fills in the mesh of `scene`, except its materials. If copies cost too much, also fills in the
/// instances. If a node can't be an instance (see scene_of_instances), all are copied. The material
/// of a face is the index in the file, or the number of its materials for faces without one. Throws
/// InputError if no triangle is left, if a mesh may not have so many triangles, or if there are too
/// many ids.
GltfTriangles place_meshes(const std::string& path, GltfMeshes meshes,
                           const std::vector<GltfTexcoords>& texcoords, const LoadOptions& options,
                           SceneData& scene);

/// The meshes at their nodes, as instances of the parts of a scene. A node that shrinks its mesh to
/// a point is left out, because a copy would have no triangle left, either. If nodes move, it is a
/// hidden instance instead.
std::vector<PlacedPart> instances_of(const GltfMeshes& meshes);

/// Replaces positions and normals of the copies that place_meshes has made, after their nodes or
/// shapes have changed.
void move_copies(const GltfMeshes& meshes, PolygonMesh& copies);

}  // namespace ballotcast::detail
