// The camera and the lights of glTF files.
#pragma once

#include <vector>

#include "scene/formats/gltf/nodes.hpp"

namespace ballotcast::detail {

/// Gives the scene the camera of the first node that has one, and the first directional light as
/// its sun. Other lights give a warning.
void load_gltf_view(GltfFile& file, const std::vector<PlacedNode>& nodes);

}  // namespace ballotcast::detail
