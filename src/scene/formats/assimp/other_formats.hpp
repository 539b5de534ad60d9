// Mesh files of kinds that have no reader of their own here. The library assimp reads them, in
// programs that were built with -DBALLOTCAST_ASSIMP=ON.
#pragma once

#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// The suffixes of the files that assimp reads, in lower case and sorted: ".3ds", ".dae". Empty
/// without assimp.
const std::vector<std::string>& other_suffixes();

/// Reads such a file. Of its materials, base colours with textures, emission, opacity, roughness,
/// metal and normal maps are used. Meshes are placed by their nodes. What can't be drawn is left
/// out with a warning: see fill_mesh. Throws InputError, which names the file, if it can't be read
/// or no triangle is left.
SceneData load_other(const std::string& path, const LoadOptions& options);

}  // namespace ballotcast::detail
