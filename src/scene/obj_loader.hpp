// Loads Wavefront OBJ files as scenes.
#pragma once

#include <string>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Reads an OBJ file, plain or gzipped, with its material files and textures. What can't be drawn
/// is left out with a warning: see fill_mesh. Throws InputError, which names the file, if the file
/// can't be read or no triangle is left.
SceneData load_obj(const std::string& path, const LoadOptions& options = {});

}  // namespace ballotcast::detail
