// Loads PLY files as scenes.
#pragma once

#include <string>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Reads a PLY file: text, or binary of either byte order; plain or gzipped. Used are faces of any
/// number of corners, normals, texture coordinates and colours of vertices, texture coordinates of
/// faces' corners, and the texture that a comment names. What can't be drawn is left out with a
/// warning: see fill_mesh. Throws InputError, which names the file and a line or a byte, if the
/// file can't be read or no triangle is left.
SceneData load_ply(const std::string& path, const LoadOptions& options = {});

}  // namespace ballotcast::detail
