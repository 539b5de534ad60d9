// From the names in an OBJ file to materials and textures.
#pragma once

#include <string>
#include <vector>

#include "scene/obj_parser.hpp"
#include "scene/scene.hpp"

namespace ballotcast {

/// Reads the material files that `obj` (read from `path`) names, and the textures of those
/// materials with used[i], into the empty material and texture lists of `scene`. Returns, for each
/// of obj.material_names, its index in scene.materials (0 for the unused). Whatever is missing or
/// unreadable is a warning in `scene`: a material becomes a grey one, a texture is left out.
std::vector<u32> load_materials(const std::string& path, const ObjText& obj,
                                const std::vector<bool>& used, Scene& scene);

}  // namespace ballotcast
