// The arrays of a mesh in the form that kernels use.
#pragma once

#include "math/vec.hpp"

namespace ballotcast::detail {

/// The arrays of a mesh, in the memory of the machine that shades its triangles.
struct MeshView {
  const vec3* positions;
  const uvec3* triangles;
  const vec3* corner_normals;    // null if the mesh has none
  const vec2* corner_texcoords;  // null if the mesh has none
  const vec3* vertex_colors;     // null if the mesh has none
  const float* vertex_opacity;   // null if the mesh has none
  const u32* material_of;        // null: all material 0
};

/// The arrays of Copies (bvh/copies.hpp), for kernels.
struct CopiesView {
  const u32* starts;  // null if there are no copies
  const u32* ids;
};

}  // namespace ballotcast::detail
