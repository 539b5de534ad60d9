// The formats of mesh files. Each is one row of a table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A row of the table.
struct MeshFormat {
  std::string_view suffix;     // of its files, in lower case: ".obj"
  std::string_view companion;  // suffix of other files that belong to the format, or ""
  SceneData (*load)(const std::string& path, const LoadOptions& options);
};

/// All formats. Files of each may be gzipped, with the suffix .gz behind that of the format.
std::span<const MeshFormat> mesh_formats();

/// The suffixes of further files that the library assimp reads, with spaces between them; "" if
/// the program was built without it.
std::string other_mesh_formats();

/// Loads a mesh file of any format; its suffix decides. Throws InputError if the suffix is unknown,
/// and otherwise as the functions in the table do.
SceneData load_mesh(const std::string& path, const LoadOptions& options = {});

/// The suffix of JSON scene files, which are not in the table.
inline constexpr std::string_view kSceneFileSuffix = ".json";

/// The suffixes of all files that a scene may be read from, also of companions, and each also with
/// .gz.
std::vector<std::string> suffixes_of_inputs();

/// The suffixes of meshes and scene files, for messages and help: ".obj, .ply and .json", with
/// `last` before the last one.
std::string kinds_of_scenes(const std::string& last);

}  // namespace ballotcast::detail
