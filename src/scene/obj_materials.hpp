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

/// Reads the material files named in `obj`, which was read from `path`, into `scene`, whose
/// material and texture lists must be empty. Textures are read only for materials with triangles[i]
/// != 0, the number of triangles of material i. Problems become warnings in `scene`: a missing
/// material becomes grey, and a missing texture is left out. Hidden triangles also cause a warning.
LoadedMaterials load_materials(const std::string& path, const ObjText& obj,
                               const std::vector<u64>& triangles, SceneData& scene);

}  // namespace ballotcast::detail
