// Merges several meshes, each at its own place, into one scene.
#pragma once

#include <vector>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A scene, and the placement of its mesh in another scene.
struct PlacedScene {
  SceneData scene;
  Placement placement;
  bool moves = false;  // true: the placement is that of one frame among others
};

/// Merges the meshes, materials, textures and warnings of `parts` (at least one), in their order,
/// around a common origin. A single part that stays in its place is returned as it is. If only some
/// parts have normals, the others get flat normals; if only some have texture coordinates, the
/// others get (0, 0); if only some have colours at vertices, the others get white. Throws
/// InputError if there are more triangles or vertices than a mesh may have, if a part is placed
/// beyond the largest coordinate, or if one that does not stay as it is has instances.
SceneData merged(std::vector<PlacedScene> parts);

/// Puts meshes one behind the other, each in its own coordinates: SceneData::parts says which is
/// where. Otherwise as `merged`.
SceneData side_by_side(std::vector<SceneData> parts);

}  // namespace ballotcast::detail
