// Materials whose surfaces are invisible, because they are cut out everywhere.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scene/mtl_parser.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// If all materials of a file have opacity 0, sets their opacity to 1 and returns true. Such files
/// come from programs that write d or Tr with the opposite meaning.
bool make_opaque_if_all_is_hidden(MtlText& text);

/// True if surfaces of `material` are cut out everywhere. Its textures must be in `scene`.
bool is_hidden(const Material& material, const SceneData& scene);

/// Collects warnings: one per material that hides triangles, and one per file whose materials were
/// made opaque.
class HiddenMaterials {
 public:
  explicit HiddenMaterials(std::vector<std::string>& warnings) : warnings_(warnings) {}

  struct Found {
    bool was_made_opaque;
    bool is_hidden;
  };
  /// Notes a material of `file` that is used by `triangles` triangles.
  void note(const std::string& file, const MtlMaterial& material, u64 triangles, Found found);

 private:
  std::vector<std::string>& warnings_;
  std::set<std::string> made_opaque_;  // files about which there is a warning already
};

}  // namespace ballotcast::detail
