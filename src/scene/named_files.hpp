// Files that other files name: as written on another machine, in other capitals.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ballotcast::detail {

/// The file a material or object file means by `name`: relative to its own directory, backslashes
/// taken for slashes; of a path from another machine, the last component. Only regular files count.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               std::string name);

}  // namespace ballotcast::detail
