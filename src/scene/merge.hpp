// Several meshes, each in its place, as one scene.
#pragma once

#include <vector>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A scene, and where its mesh goes in another.
struct PlacedScene {
  SceneData scene;
  Placement placement;
};

/// The meshes, materials, textures and warnings of `parts` (at least one) in their order, around a
/// common origin. Where only some parts have normals or texture coordinates, the others get flat
/// normals and (0, 0). Throws InputError when there are more triangles than a mesh may have, or one
/// is placed where coordinates can't be.
SceneData merged(std::vector<PlacedScene> parts);

}  // namespace ballotcast::detail
