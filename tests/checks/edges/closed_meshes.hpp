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
  bool thin;  // true: so thin that rounding would make it flat if it were far from the origin
};

/// A way to scale or move a closed mesh.
struct Placement {
  const char* name;
  bool far;  // true: moves the mesh far from the origin, so it is not used for thin meshes
  Mesh (*place)(Mesh mesh);
};

/// True if the triangles pass each edge as often in one direction as in the other. An edge is
/// identified by the positions of its ends. Edges without length are ignored.
bool is_closed(const Mesh& mesh);

/// The numbers of rings of spheres and toruses, by the kind of mesh.
struct Fineness {
  u32 round, slivers, needles;
};

/// The project's own meshes: round meshes, flat meshes, slivers and needles.
std::vector<ClosedMesh> own_meshes(const Fineness& rings);

/// The project's own meshes, then the meshes of OBJ files. Calls `warn` for each file whose mesh is
/// not closed. Throws InputError for a file that can't be read.
std::vector<ClosedMesh> closed_meshes(const std::vector<std::string>& files,
                                      void (*warn)(const std::string& file));

/// The table of placements, which scale meshes by 1e-6 to 1e6, or move them by 1e3 to 1e7.
const std::vector<Placement>& placements();

}  // namespace ballotcast::detail::edges
