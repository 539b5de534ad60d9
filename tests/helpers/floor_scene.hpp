// Simple scenes of a floor, whose light can be computed by hand.
#pragma once

#include "scene/scene_data.hpp"

namespace ballotcast::detail::testing {

/// A scene: a square floor of side 20 at y = 0, seen from above, under a white sun straight above.
/// There is no sky.
inline SceneData floor_scene(vec3 color, float sun) {
  SceneData scene;
  scene.name = "floor";
  scene.mesh.positions = {{-10, 0, -10}, {10, 0, -10}, {10, 0, 10}, {-10, 0, 10}};
  scene.mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
  scene.materials.push_back({});
  scene.materials[0].color = color;
  scene.exposure = 1.0f;
  scene.camera = Camera{{0, 5, 0.01}, {0, 0, 0}, {0, 1, 0}, 30.0};
  scene.sun.direction = Vec3d(0, 1, 0);
  scene.sun.color = Vec3f(1, 1, 1);
  scene.sun.strength = sun;
  scene.sky.strength = 0.0f;
  return scene;
}

/// A scene: a light grey floor under a square lamp of side 2 at y = 4, without a sun.
inline SceneData lamp_scene(vec3 emission) {
  SceneData scene = floor_scene(vec3(0.7f), 0.0f);
  scene.camera->eye = {0, 1, 2};
  for (const vec3 p : {vec3(-1, 4, -1), vec3(1, 4, -1), vec3(1, 4, 1), vec3(-1, 4, 1)})
    scene.mesh.positions.push_back(p);
  scene.mesh.triangles.push_back({4, 5, 6});
  scene.mesh.triangles.push_back({4, 6, 7});
  scene.mesh.material_of = {0, 0, 1, 1};
  scene.materials.push_back({});
  scene.materials[1].emission = emission;
  return scene;
}

}  // namespace ballotcast::detail::testing
