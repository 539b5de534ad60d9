// Materials whose surfaces no ray sees: those that are cut out wherever they are.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "scene/mtl_parser.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Gives the materials of a file opacity 1 where every one of them has none, and says whether: such
/// a file was written by a program that takes d or Tr for the opposite.
bool make_opaque_if_all_is_hidden(MtlText& text);

/// Is a surface of `material` cut out everywhere? Its textures are among those of `scene`.
bool is_hidden(const Material& material, const SceneData& scene);

/// Warns of materials that hide triangles, and once a file of those that were made opaque.
class HiddenMaterials {
 public:
  explicit HiddenMaterials(std::vector<std::string>& warnings) : warnings_(warnings) {}

  struct Found {
    bool was_made_opaque;
    bool is_hidden;
  };
  /// A material of `file` on so many triangles.
  void note(const std::string& file, const MtlMaterial& material, u64 triangles, Found found);

 private:
  std::vector<std::string>& warnings_;
  std::set<std::string> made_opaque_;  // files
};

}  // namespace ballotcast::detail
