// Loads small scenes from text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ballotcast/error.hpp"
#include "image/codec.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/files/files.hpp"
#include "support/temp_dir.hpp"

namespace ballotcast::detail::testing {

inline const std::string kSquare = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

/// Loads a mesh file with this name and these bytes. Expects that kernels can use the mesh.
inline SceneData load_as(const std::string& name, const std::string& bytes,
                         const LoadOptions& options = {}) {
  const TempDir dir;
  SceneData scene = load_mesh(dir.write(name, bytes), options);
  scene.mesh.require_valid();
  return scene;
}

/// Loads an OBJ file with this text.
inline SceneData load_text(const std::string& text, const LoadOptions& options = {}) {
  return load_as("a.obj", text, options);
}

/// The message with which an OBJ file with this text is refused.
inline std::string refusal_of(const std::string& text) {
  return message_of<InputError>([&] { load_text(text); });
}

/// Corner `k` of triangle `t`, in world coordinates.
inline vec3 corner(const SceneData& scene, u32 t = 0, int k = 0) {
  return scene.mesh.positions[scene.mesh.triangles[t][k]] + vec3(scene.origin);
}

/// True if a warning contains `part`.
inline bool warns(const SceneData& scene, const std::string& part) {
  return std::any_of(scene.warnings.begin(), scene.warnings.end(),
                     [&](const std::string& warning) { return contains(warning, part); });
}

/// All warnings joined to one text, for failure messages.
inline std::string warnings_of(const SceneData& scene) {
  std::string all;
  for (const std::string& warning : scene.warnings) all += warning + "\n";
  return all;
}

/// A PNG file with one pixel of this colour.
inline std::vector<u8> one_pixel(u8 r, u8 g, u8 b) { return encode_png({1, 1, {{r, g, b}}}); }

/// Loads a square with texture coordinates. The material of the square is "a" of a.mtl in `dir`,
/// whose text is `mtl`.
inline SceneData load_square(const TempDir& dir, const std::string& mtl) {
  dir.write("a.mtl", mtl);
  return load_obj(dir.write("a.obj", "mtllib a.mtl\nusemtl a\n" + kSquare +
                                         "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n"));
}

}  // namespace ballotcast::detail::testing
