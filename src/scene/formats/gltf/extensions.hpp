// The extensions of glTF 2.0 that are known here (Khronos Group, glTF Extension Registry).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

/// An extension. docs/scenes.md has the same table.
struct GltfExtension {
  std::string_view name;
  bool used;                      // false: the picture is drawn without `what`
  std::string_view what;          // in words
  std::string_view package = "";  // of a library without which the program can't use it

  /// True if this program uses it.
  bool is_used() const;
};

/// All that are known, sorted by name.
const std::vector<GltfExtension>& gltf_extensions();

/// Checks the extensions that a file lists, and those that its objects have. Throws InputError,
/// which names `path`, if the file requires one that this program does not use. Adds one warning
/// about all others that it does not use.
void check_extensions(const Json& file, const std::string& path, SceneData& scene);

}  // namespace ballotcast::detail
