// Finds the materials and textures that an OBJ file names.
#pragma once

#include <string>
#include <vector>

#include "scene/file_materials.hpp"
#include "scene/obj_parser.hpp"
#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Reads the material files that `obj` names, and their textures, into `scene`, which must not have
/// materials or textures yet. `obj` was read from `path`. triangles[i] is the number of triangles
/// of material i; materials without triangles are left out. Problems become warnings in `scene`: a
/// material without a definition is default_material, a missing texture is left out. A material
/// that hides its triangles also gives a warning.
FileMaterials load_materials(const std::string& path, const ObjText& obj,
                             const std::vector<u64>& triangles, SceneData& scene);

}  // namespace ballotcast::detail
