// Scenes of instances for tests.
#pragma once

#include <cmath>

#include "helpers/materials_scene.hpp"
#include "scene/instances.hpp"

namespace ballotcast::detail::testing {

/// The scene's triangles, each once per instance, with transformed corners.
inline Mesh flattened(const Scene& scene) {
  const SceneData& data = *scene.data();
  Mesh flat;
  for (const SceneInstance& instance : data.instances)
    for (u32 i = 0; i < data.parts[instance.mesh].count; ++i) {
      const u32 first = static_cast<u32>(flat.positions.size());
      for (int k = 0; k < 3; ++k)
        flat.positions.push_back(
            transformed_point(
                instance.to_scene,
                data.mesh.positions[data.mesh.triangles[instance.first_triangle + i][k]]) +
            0.0f);
      flat.triangles.push_back({first, first + 1, first + 2});
    }
  return flat;
}

/// A rotation about a random axis, then a scale per axis, and a shift.
inline Transform random_transform(Random& random, float least_scale, float most_scale,
                                  float reach) {
  const vec3 axis = unit_or(random.point(), vec3(0, 0, 1));
  const float angle = random.between(-3.0f, 3.0f), c = std::cos(angle), s = std::sin(angle);
  const vec3 shift = random.point(reach);
  Transform m;
  for (u32 i = 0; i < 3; ++i) {
    vec3 e(0.0f);
    set_component(e, i, 1.0f);
    const float scale =
        random.between(least_scale, most_scale) * (random.below(4) == 0 ? -1.0f : 1.0f);
    const vec3 column = (e * c + cross(axis, e) * s + axis * (dot(axis, e) * (1.0f - c))) * scale;
    for (u32 k = 0; k < 3; ++k) m.rows[k][i] = component(column, k);
  }
  for (u32 k = 0; k < 3; ++k) m.rows[k][3] = component(shift, k);
  return m;
}

/// A scene with every material, lamps, holes, normals, textures, a sky, and a mirrored instance.
inline Scene drawn_scene() {
  const SceneData things = materials_scene();
  Material lamp, hole;
  lamp.emission = vec3(4.0f, 3.0f, 2.0f);
  hole.opacity = 0.0f;
  auto others = std::make_shared<SceneData>(*scene_of(torus(8)));
  others->materials = {Material{}, lamp, hole};
  others->material_names = {"grey", "lamp", "hole"};
  const std::vector<Scene> meshes = {Scene(std::make_shared<SceneData>(things)), Scene(others)};
  const u32 first = static_cast<u32>(things.materials.size());
  const Transform mirrored{{{-1, 0, 0, 0}, {0, 1.5f, 0, 4}, {0, 0.3f, 1, -3}}};
  const std::vector<Instance> instances = {{0},
                                           {0, mirrored},
                                           {1, moved_by(3, 0, 2)},
                                           {1, moved_by(3, 2, 2), first + 1},
                                           {1, moved_by(-3, 3, 2), first + 2}};
  auto data = std::make_shared<SceneData>(*make_scene(meshes, instances).data());
  data->sky_map = things.sky_map;
  data->sky = things.sky;
  return Scene(data);
}

/// Instances of a ball, a ring and random triangles, anyhow turned, scaled, mirrored and moved.
inline Scene random_instances(u32 count, u32 seed) {
  Random random(seed);
  const std::vector<Scene> meshes = {Scene(scene_of(sphere(5))), Scene(scene_of(torus(6))),
                                     Scene(scene_of(soup(60, 9)))};
  std::vector<Instance> instances;
  for (u32 i = 0; i < count; ++i)
    instances.push_back({i % 3, random_transform(random, 0.1f, 3.0f, 8.0f)});
  return make_scene(meshes, instances);
}

}  // namespace ballotcast::detail::testing
