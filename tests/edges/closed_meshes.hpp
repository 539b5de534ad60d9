// Closed meshes, and where and how large they stand.
#pragma once

#include <string>
#include <vector>

#include "helpers/meshes.hpp"

namespace ballotcast::detail::edges {

/// A closed mesh about 2 across, around the origin.
struct ClosedMesh {
  std::string name;
  Mesh mesh;
  bool thin;  // so that far from the origin it would be rounded flat
};

/// A way to scale or to move such a mesh.
struct Placement {
  const char* name;
  bool far;  // from the origin: not for thin meshes
  Mesh (*place)(Mesh mesh);
};

/// Is each edge, by the places of its ends, passed once in each direction? Triangles without area
/// don't matter.
bool is_closed(const Mesh& mesh);

/// Meshes of our own, then those of OBJ files, of which `warn` hears if they aren't closed. Throws
/// InputError for a file that can't be read.
std::vector<ClosedMesh> closed_meshes(const std::vector<std::string>& files,
                                      void (*warn)(const std::string& file));

/// Sizes from 1e-6 to 1e6, offsets from 1e3 to 1e7.
const std::vector<Placement>& placements();

}  // namespace ballotcast::detail::edges
