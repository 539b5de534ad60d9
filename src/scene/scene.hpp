// A scene: what is drawn, before anyone asks how.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "geometry/mesh.hpp"
#include "image/image.hpp"
#include "scene/camera.hpp"
#include "scene/material.hpp"

namespace ballotcast::detail {

/// The most that an exposure and the strength of a sun or a sky may be, wherever it is stated.
inline constexpr u32 kMostLight = 1000000;

/// A scene in memory. `materials` is never empty once loaded.
struct SceneData {
  std::string name;
  Mesh mesh;
  dvec3 origin{0.0};  // world place of the mesh's (0, 0, 0): map coordinates keep their precision
  dvec3 up{0.0, 1.0, 0.0};  // what "up" means for framing and sky
  std::vector<Material> materials;
  std::vector<std::string> material_names;
  std::vector<Image<Rgba8>> textures;
  std::vector<std::string> texture_names;
  SunSettings sun;  // what is stated of the light: light_of (scene/light.hpp) fills in the rest
  SkySettings sky;
  std::optional<Camera> camera;
  std::optional<std::string> shading;  // what the scene file would like to be drawn with
  std::optional<float> exposure;       // multiplies radiance in `lit`; else chosen by the picture
  std::vector<std::string> files;      // that it was read from, as they were opened
  std::vector<std::string> unread_files;  // that those name besides: pictures that nothing shows
  std::vector<std::string> warnings;      // what was left out or mended while loading, a line each

  /// The file that messages name: the first that it was read from, else its name.
  const std::string& place() const { return files.empty() ? name : files.front(); }

  /// Does any triangle emit light?
  bool has_emitters() const;
  /// The files that nothing may be written over: those that were read and those that they name.
  std::vector<std::string> all_files() const;
};

/// The crease angle where nobody states one, in degrees.
inline constexpr double kCreaseAngle = 40.0;

/// How a mesh file is read.
struct LoadOptions {
  std::optional<double> crease_angle;  // degrees: see SceneRequest; else a scene file's
};

}  // namespace ballotcast::detail
