// Parts of a scene's mesh, and instances of them; see instances.hpp.
#pragma once

#include "geometry/transform.hpp"

namespace ballotcast::detail {

/// One of several meshes in SceneData::mesh: a range of triangles, and of the vertices that they
/// use.
struct MeshPart {
  u32 first, count;
  u32 first_vertex, vertices;
  // The position of the part's (0, 0, 0) in the coordinates of the file; see SceneData::origin
  dvec3 origin;
};

/// An instance: a part of the scene's mesh with a transform. The ids of its triangles begin at
/// first_id.
struct alignas(16) SceneInstance {
  Transform to_scene;
  u32 first_id;
  u32 first_triangle;  // the first triangle of the part
  u32 material;        // material of all its triangles; kOwnMaterials: the materials of the mesh
  u32 mesh;            // index of the part
};
static_assert(sizeof(SceneInstance) == 64);

}  // namespace ballotcast::detail
