// Several meshes, each in its place, as one scene.
#pragma once

#include <vector>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// Where a mesh goes: scaled, then turned about the y axis, then moved.
struct Placement {
  double scale = 1.0;     // above 0
  double rotate_y = 0.0;  // degrees, from z towards x
  dvec3 translate{0.0};

  bool moves() const {
    return scale != 1.0 || rotate_y != 0.0 || translate.x != 0.0 || translate.y != 0.0 ||
           translate.z != 0.0;
  }
};

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
