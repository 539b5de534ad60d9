// Closed meshes, and transformations that move and scale them.
#pragma once

#include <string>
#include <vector>

#include "helpers/meshes.hpp"

namespace ballotcast::detail::edges {

/// A closed mesh with a size of about 2, around the origin.
struct ClosedMesh {
  std::string name;
  Mesh mesh;
  bool thin;  // true: far from the origin, rounding would make it flat
};

/// A way to scale or move such a mesh.
struct Placement {
  const char* name;
  bool far;  // far from the origin: not for thin meshes
  Mesh (*place)(Mesh mesh);
};

/// True if each edge, identified by the positions of its ends, is passed once in each direction.
/// Triangles without area are ignored.
bool is_closed(const Mesh& mesh);

/// The project's own meshes, then those of OBJ files. Calls `warn` for each file whose mesh is not
/// closed. Throws InputError for a file that can't be read.
std::vector<ClosedMesh> closed_meshes(const std::vector<std::string>& files,
                                      void (*warn)(const std::string& file));

/// Sizes from 1e-6 to 1e6, offsets from 1e3 to 1e7.
const std::vector<Placement>& placements();

}  // namespace ballotcast::detail::edges
