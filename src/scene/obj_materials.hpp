// Finds the materials and textures that an OBJ file names.
#pragma once

#include <string>
#include <vector>

#include "scene/obj_parser.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// The placement of a texture, which is sampled at texture coordinate * scale + offset.
struct TexturePlacement {
  vec2 scale{1.0f};
  vec2 offset{0.0f};
  bool clamps = false;  // true: the file asks for clamping instead of repeating

  bool operator==(const TexturePlacement&) const = default;
  /// True if the placement differs from the default.
  bool is_special() const { return *this != TexturePlacement{}; }
};

/// The result for each entry of ObjText::material_names.
struct LoadedMaterials {
  std::vector<u32> index_of;  // index in SceneData::materials; 0 for unused names
  std::vector<TexturePlacement> placement_of;
};

/// Reads the material files that `obj` (read from `path`) names into the empty lists of materials
/// and textures of `scene`. It loads the textures of the materials with used[i]. Anything missing
/// or unreadable gives a warning in `scene`: a missing material becomes grey, a missing texture is
/// left out.
LoadedMaterials load_materials(const std::string& path, const ObjText& obj,
                               const std::vector<bool>& used, SceneData& scene);

}  // namespace ballotcast::detail
