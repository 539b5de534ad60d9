// The scene graph of glTF files.
#pragma once

#include <vector>

#include "scene/affine.hpp"
#include "scene/formats/gltf/gltf_file.hpp"

namespace ballotcast::detail {

/// A node that is part of the scene.
struct PlacedNode {
  u32 node;
  Affine to_world;
};

/// The nodes of the file's scene, parents before their children and children in the order of the
/// file. Throws InputError if a node has two parents or is below itself.
std::vector<PlacedNode> placed_nodes(GltfFile& file);

}  // namespace ballotcast::detail
