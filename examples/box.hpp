// The box from which the examples build their scenes.
#pragma once

#include <vector>

#include "ballotcast/scene.hpp"

namespace examples {

using namespace ballotcast;

/// A box of width x, height y and depth z that stands on the ground, centred at (0, 0).
inline Scene box(float x, float y, float z) {
  std::vector<Vec3f> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? x / 2 : -x / 2, i & 2 ? y : 0, i & 4 ? z / 2 : -z / 2});
  const std::vector<Triangle> halves_of_sides = {{0, 3, 1}, {0, 2, 3}, {4, 7, 6}, {4, 5, 7},
                                                 {0, 5, 4}, {0, 1, 5}, {2, 7, 3}, {2, 6, 7},
                                                 {0, 6, 2}, {0, 4, 6}, {1, 7, 5}, {1, 3, 7}};
  return make_scene(corners, halves_of_sides);
}

}  // namespace examples
