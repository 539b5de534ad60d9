// Finds files that are named in other files, even if the name has other capitals or comes from
// another machine.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ballotcast::detail {

/// The file that a material or object file calls `name`. `directory` is the directory of that file.
/// `name` is looked up relative to it, with backslashes as slashes. If that fails, only its last
/// component is looked up, because the path may be from another machine. Only regular files are
/// found.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               std::string name);

}  // namespace ballotcast::detail
