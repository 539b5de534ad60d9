// The materials of mesh files that assimp reads.
#pragma once

#include <string>
#include <vector>

#include "scene/file_materials.hpp"

struct aiScene;

namespace ballotcast::detail {

/// Adds the materials that have triangles, with their textures. `triangles` has a number for each
/// material of the file, and one more for faces without a material.
FileMaterials load_other_materials(const std::string& path, const aiScene& from,
                                   const std::vector<u64>& triangles, SceneData& scene);

}  // namespace ballotcast::detail
