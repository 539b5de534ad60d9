// Names of files: finds files that are named in other files, even if the name has other capitals or
// comes from another computer.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Finds the file that a material or object file calls `name`. `directory` is where the material or
/// object file is. `name` is looked up there, with backslashes as slashes; upper and lower case may
/// differ. If that fails, only its last component is looked up, because the path may be from
/// another computer. Only regular files are found.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               std::string name);

/// As above. If there is no such file, notes in `scene` that it was missed.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               const std::string& name, SceneData& scene);

/// The name of a scene that was read from `path`: the file's name without directory, .gz and the
/// suffix of its format.
std::string scene_name_of(const std::string& path);

}  // namespace ballotcast::detail
