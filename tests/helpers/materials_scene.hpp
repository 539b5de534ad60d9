// A scene with every kind of material and light.
#pragma once

#include "helpers/meshes.hpp"

namespace ballotcast::detail::testing {

/// A picture of random noise.
inline Image<Rgba8> noise_picture(u32 width, u32 height, u32 seed) {
  Random random(seed);
  Image<Rgba8> image{width, height, {}};
  for (u32 i = 0; i < width * height; ++i) {
    const u32 bits = random.bits();
    image.pixels.push_back({u8(bits), u8(bits >> 8), u8(bits >> 16), 255});
  }
  return image;
}

/// One material of each kind: matt, coated, metal, mirror, a coat like a mirror, glass, a pane, a
/// lamp. Some have a texture for every member that can have a texture.
inline std::vector<Material> every_material() {
  const auto coated = [](float specular, float roughness, float metallic) {
    Material m;
    m.color = {0.7f, 0.3f, 0.2f};
    m.specular = vec3(specular);
    m.roughness = roughness;
    m.metallic = metallic;
    return m;
  };
  std::vector<Material> all = {Material{},
                               coated(0.04f, 0.4f, 0.0f),
                               coated(0.0f, 0.6f, 1.0f),
                               coated(0.0f, 0.0f, 1.0f),
                               coated(0.3f, 0.05f, 0.0f),
                               coated(0.2f, 0.5f, 0.5f)};
  Material glass, pane, lamp;
  glass.transmission = Transmission::solid;
  glass.transmitted = {0.9f, 1.0f, 0.8f};
  pane.transmission = Transmission::thin;
  pane.refraction = 1.3f;
  lamp.emission = {3.0f, 2.0f, 1.0f};
  all.insert(all.end(), {glass, pane, lamp});
  Material textured = coated(0.5f, 0.9f, 0.8f);
  textured.color_texture = textured.specular_texture = 0;
  textured.roughness_texture = textured.metallic_texture = 1;
  textured.normal_texture = 0;
  textured.bumpiness = 0.5f;
  Material screen;
  screen.emission = vec3(2.0f);
  screen.emission_texture = 1;
  all.insert(all.end(), {textured, screen});
  return all;
}

/// A scene of spheres in two rows, one of each material, in front of a picture of the sky with a
/// bright spot.
inline SceneData materials_scene() {
  SceneData scene;
  scene.name = "materials";
  scene.materials = every_material();
  scene.textures = {noise_picture(7, 8, 21), noise_picture(16, 5, 22)};
  scene.textures[0].across = Wrap::mirror;
  scene.textures[0].down = Wrap::clamp;
  scene.texture_names = {"noise", "noise"};
  constexpr u32 kVeiled = 4;  // the sphere whose vertices have opacities
  for (u32 i = 0; i < scene.materials.size(); ++i) {
    scene.material_names.push_back("material " + std::to_string(i));
    const Mesh ball = sphere(
        10, {2.2f * static_cast<float>(i % 6) - 5.5f, 2.2f * static_cast<float>(i / 6), 0.0f});
    const u32 first = static_cast<u32>(scene.mesh.positions.size());
    const vec3 middle(2.2f * static_cast<float>(i % 6) - 5.5f, 2.2f * static_cast<float>(i / 6),
                      0.0f);
    scene.mesh.positions.insert(scene.mesh.positions.end(), ball.positions.begin(),
                                ball.positions.end());
    for (const vec3 p : ball.positions)
      scene.mesh.vertex_opacity.push_back(i == kVeiled ? 0.5f + 0.8f * (p.y - middle.y) : 1.0f);
    for (const uvec3 t : ball.triangles) {
      scene.mesh.triangles.push_back(t + first);
      scene.mesh.material_of.push_back(i);
      for (const u32 corner : {t.x, t.y, t.z}) {
        const vec3 out = ball.positions[corner] - middle;
        scene.mesh.corner_normals.push_back(unit_or(out, {0.0f, 1.0f, 0.0f}));
        scene.mesh.corner_texcoords.push_back({out.x + 0.3f * out.z, out.y - 0.2f * out.z});
      }
    }
  }
  scene.sky_map = {32, 16, std::vector<vec3>(512, vec3(0.5f, 0.6f, 0.8f))};
  scene.sky_map.pixels[5 * 32 + 20] = vec3(200.0f, 180.0f, 150.0f);
  scene.sky.strength = 1.0f;
  scene.sky.turn = 30.0;
  return scene;
}

}  // namespace ballotcast::detail::testing
