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
  bool used;                      // false: what the picture lacks is `what`
  std::string_view what;          // for people
  std::string_view package = "";  // of a library without which the program can't use it

  /// True if this program uses it.
  bool is_used() const;
};

/// All that are known, sorted by name.
const std::vector<GltfExtension>& gltf_extensions();

/// Looks at the extensions that a file lists and at those that it has. Throws InputError, which
/// names `path`, if it needs one that is not used. Adds one warning about all others that are not.
void check_extensions(const Json& file, const std::string& path, SceneData& scene);

}  // namespace ballotcast::detail
