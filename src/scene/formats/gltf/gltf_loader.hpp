// Loads glTF files as scenes.
#pragma once

#include <string>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Reads a .gltf or .glb file, plain or gzipped, with its buffers and textures. Used are meshes at
/// the nodes of its scene, materials, the first camera, and the first directional light as the sun.
/// A mesh without normals is drawn flat, as the specification demands, unless `options` states a
/// crease angle. What can't be drawn is left out with a warning: see fill_mesh. Throws InputError,
/// which names the file and the part of it, if the file can't be read, needs an extension that is
/// not supported, or if no triangle is left.
SceneData load_gltf(const std::string& path, const LoadOptions& options = {});

}  // namespace ballotcast::detail
