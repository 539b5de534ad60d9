// Scenes of instances for tests.
#pragma once

#include <cmath>

#include "helpers/materials_scene.hpp"
#include "scene/instances/instances.hpp"

namespace ballotcast::detail::testing {

/// A mesh of the triangles of all instances, with transformed corners.
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

/// A random transform: a rotation about a random axis, then a scale per axis, and a translation.
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

/// Three meshes: a sphere, a torus and random triangles.
inline std::vector<Scene> round_and_loose_meshes() {
  return {Scene(scene_of(sphere(5))), Scene(scene_of(torus(6))), Scene(scene_of(soup(60, 9)))};
}

/// A scene with instances of a sphere, a torus and random triangles, with random transforms, some
/// of them mirroring.
inline Scene random_instances(u32 count, u32 seed) {
  Random random(seed);
  std::vector<Instance> instances;
  for (u32 i = 0; i < count; ++i)
    instances.push_back({i % 3, random_transform(random, 0.1f, 3.0f, 8.0f)});
  return make_scene(round_and_loose_meshes(), instances);
}

/// A scene with instances in worlds that differ in size. Each instance is rotated, stretched, and
/// perhaps mirrored.
inline Scene many_worlds(u32 count, u32 worlds, u32 seed) {
  Random random(seed);
  std::vector<Instance> instances;
  for (u32 i = 0; i < count; ++i) {
    const u32 world = random.below(worlds);
    const float size = world % 3 == 2 ? 0.01f : static_cast<float>(1 + world);
    instances.push_back({i % 3, random_transform(random, 0.1f * size, 3.0f * size,
                                                 world % 4 == 1 ? 300.0f : 6.0f * size)});
    instances.back().world = world;
    if (random.below(9) == 0) instances.back().transform = kHidden;
  }
  instances[0].world = worlds - 1;
  return make_scene(round_and_loose_meshes(), instances);
}

/// Scenes of instances, each with one property at its limit, with their names.
inline std::vector<std::pair<const char*, Scene>> odd_scenes() {
  const auto scene_with = [](std::vector<Transform> transforms) {
    std::vector<Instance> instances;
    for (const Transform& m : transforms)
      instances.push_back({static_cast<u32>(instances.size()) % 3, m});
    return make_scene(round_and_loose_meshes(), instances);
  };
  return {{"far away", scene_with({moved_by(1e6f, 0, 0), moved_by(1e6f, 3, 0), moved_by(0, 0, 0)})},
          {"distorted", scene_with({{{{1000, 0, 0, 0}, {0, 0.5f, 0.5f, 1}, {0, -0.5f, 0.5f, 0}}},
                                    {{{1, 50, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}})},
          {"large", scene_with({{{{5e5f, 0, 0, 0}, {0, 5e5f, 0, 0}, {0, 0, 5e5f, 0}}}})},
          {"tiny", scene_with({{{{2e-6f, 0, 0, 0}, {0, 2e-6f, 0, 0}, {0, 0, -2e-6f, 0}}}})},
          {"stacked", scene_with(std::vector<Transform>(20))},
          {"hidden", scene_with({kHidden, moved_by(1, 2, 3), kHidden})},
          {"all hidden", scene_with({kHidden, kHidden})},
          {"one triangle hidden", make_scene(std::vector<Scene>{Scene(scene_of(soup(1, 33)))},
                                             std::vector<Instance>{{0, kHidden}, {0}, {0}})}};
}

/// All triangles of a world, and their ids in the scene.
struct World {
  Mesh mesh;
  std::vector<u32> ids;
};

inline World world_of(const Scene& scene, u32 world) {
  const SceneData& data = *scene.data();
  World out;
  const Mesh all = flattened(scene);
  out.mesh.positions = all.positions;
  for (std::size_t i = 0; i < data.instances.size(); ++i) {
    const SceneInstance& instance = data.instances[i];
    if ((data.worlds.empty() ? 0u : data.worlds[i]) != world || hides(instance.to_scene)) continue;
    for (u32 k = 0; k < data.parts[instance.mesh].count; ++k) {
      out.ids.push_back(instance.first_id + k);
      out.mesh.triangles.push_back(all.triangles[out.ids.back()]);
    }
  }
  return out;
}

/// A scene of shapes of all kinds beside a mesh: `count` instances, some of them mirrored.
inline Scene shapes_and_meshes(u32 count, u32 seed) {
  Random random(seed);
  const Shape shapes[] = {
      {ShapeKind::sphere, {1.0f, 0, 0}},      {ShapeKind::ellipsoid, {0.5f, 1.0f, 1.5f}},
      {ShapeKind::box, {0.7f, 0.3f, 1.0f}},   {ShapeKind::capsule, {0.5f, 0.8f, 0}},
      {ShapeKind::cylinder, {0.6f, 0.9f, 0}}, {ShapeKind::cone, {0.8f, 0.7f, 0}},
      {ShapeKind::disc, {1.2f, 0, 0}},        {ShapeKind::plane, {2.0f, 1.0f, 0}},
      {ShapeKind::floor, {1.0f, 2.0f, 0}}};
  std::vector<Scene> meshes = {Scene(scene_of(sphere(4)))};
  for (const Shape& shape : shapes) meshes.push_back(make_scene(shape));
  std::vector<Instance> instances;
  for (u32 i = 0; i < count; ++i)
    instances.push_back(
        {i % static_cast<u32>(meshes.size()), random_transform(random, 0.3f, 1.5f, 3.0f)});
  return make_scene(meshes, instances);
}

}  // namespace ballotcast::detail::testing
