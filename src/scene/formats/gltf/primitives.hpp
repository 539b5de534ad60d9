// The triangles of glTF files.
#pragma once

#include <vector>

#include "scene/file_mesh.hpp"
#include "scene/formats/gltf/materials.hpp"
#include "scene/formats/gltf/nodes.hpp"

namespace ballotcast::detail {

/// The triangles of all meshes at the nodes, in the order of the nodes and primitives. The material
/// of a face is the index in the file, or the number of its materials for faces without one.
/// Throws InputError if an accessor can't be read, or if there are more triangles than a mesh may
/// have. Shapes that are not drawn give warnings.
FileMesh triangles_of_nodes(GltfFile& file, const std::vector<PlacedNode>& nodes,
                            const std::vector<GltfTexcoords>& texcoords);

}  // namespace ballotcast::detail
