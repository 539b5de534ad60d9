// Loads STL files as scenes.
#pragma once

#include <string>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Reads an STL file, text or binary, plain or gzipped. Equal positions become one vertex, so that
/// normals are smoothed as for an OBJ file without normals. The normals of the file are not used,
/// because they only repeat which way a triangle faces. What can't be drawn is left out with a
/// warning: see fill_mesh. Throws InputError, which names the file and a line or a byte, if the
/// file can't be read or no triangle is left.
SceneData load_stl(const std::string& path, const LoadOptions& options = {});

}  // namespace ballotcast::detail
