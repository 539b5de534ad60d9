// From the names in an OBJ file to materials and textures.
#pragma once

#include <string>
#include <vector>

#include "scene/obj_parser.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Where a texture lies: at texture coordinates * scale + offset.
struct TexturePlacement {
  vec2 scale{1.0f};
  vec2 offset{0.0f};
  bool clamps = false;  // is it asked not to repeat?

  bool operator==(const TexturePlacement&) const = default;
  /// Is it anything but what texture coordinates say?
  bool is_special() const { return *this != TexturePlacement{}; }
};

/// What became of each of ObjText::material_names.
struct LoadedMaterials {
  std::vector<u32> index_of;  // in SceneData::materials; 0 for the unused
  std::vector<TexturePlacement> placement_of;
};

/// Reads the material files that `obj` (read from `path`) names, and the textures of those
/// materials that cover triangles[i] != 0 of them, into the empty material and texture lists of
/// `scene`. Whatever is missing or unreadable is a warning in `scene`: a material becomes a grey
/// one, a texture is left out. So is what hides triangles.
LoadedMaterials load_materials(const std::string& path, const ObjText& obj,
                               const std::vector<u64>& triangles, SceneData& scene);

}  // namespace ballotcast::detail
