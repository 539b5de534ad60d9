// Finds the materials and textures that an OBJ file names.
#pragma once

#include <string>
#include <vector>

#include "scene/obj_parser.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// How a texture is placed: it is sampled at texture coordinate * scale + offset.
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

/// Reads the material files that `obj` names, and their textures, into `scene`, which must not have
/// materials or textures yet. `obj` was read from `path`. triangles[i] is the number of triangles
/// of material i; materials without triangles are left out. Problems become warnings in `scene`: a
/// material without a definition is grey, a missing texture is left out. A material that hides its
/// triangles also gives a warning.
LoadedMaterials load_materials(const std::string& path, const ObjText& obj,
                               const std::vector<u64>& triangles, SceneData& scene);

}  // namespace ballotcast::detail
