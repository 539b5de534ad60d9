// Parts of a scene's mesh, and instances of them; see instances.hpp.
#pragma once

#include "geometry/transform.hpp"

namespace ballotcast::detail {

/// One of several meshes in SceneData::mesh: a range of triangles, and of the vertices that they
/// use.
struct MeshPart {
  u32 first, count;
  u32 first_vertex, vertices;
  dvec3 origin;  // where the part's (0, 0, 0) is in the file; see SceneData::origin
};

/// An instance: a part of the scene's mesh at some place. Its triangles have the ids from first_id
/// on.
struct alignas(16) SceneInstance {
  Transform to_scene;
  u32 first_id;
  u32 first_triangle;  // the first triangle of the part
  u32 material;        // of all its triangles; kOwnMaterials: as the mesh says
  u32 mesh;            // index of the part
};
static_assert(sizeof(SceneInstance) == 64);

}  // namespace ballotcast::detail
