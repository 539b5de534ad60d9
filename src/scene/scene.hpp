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

/// The sun: parallel light.
struct Sun {
  dvec3 direction{0.4, 0.8, 0.45};  // towards the sun; any length but 0
  vec3 color{1.0f, 0.94f, 0.84f};   // linear
  float strength = 5.0f;            // irradiance on a surface that faces it; 0 is night
};

/// The sky: a gradient from the horizon to the zenith, and the ground's colour below it.
struct Sky {
  vec3 zenith{0.32f, 0.52f, 0.95f};  // linear
  vec3 horizon{0.85f, 0.9f, 1.0f};   // linear
  vec3 ground{0.32f, 0.3f, 0.28f};   // linear
  float strength = 1.0f;             // 0 is black
};

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
  Sun sun;
  Sky sky;
  bool sun_stated = false;  // else lamps put it out: see leave_to_lamps
  bool sky_stated = false;
  std::optional<Camera> camera;
  std::optional<std::string> shading;  // what the scene file would like to be drawn with
  std::optional<float> exposure;       // multiplies radiance in `lit`; else chosen by the picture
  std::vector<std::string> files;      // that it was read from, as they were opened
  std::vector<std::string> warnings;   // what was left out or mended while loading, a line each

  /// Does any triangle emit light?
  bool has_emitters() const;
};

/// The crease angle where nobody states one, in degrees.
inline constexpr double kCreaseAngle = 40.0;

/// How a mesh file is read.
struct LoadOptions {
  std::optional<double> crease_angle;  // degrees; else a scene file's, else kCreaseAngle.
                                       // Edges sharper than this stay sharp where the file has no
                                       // normals; 0 is all flat, 180 all smooth
};

/// Reads a scene: .obj, .obj.gz, or a .json scene file. Throws InputError naming the file (and the
/// line where known) when nothing can be drawn from it; whatever was left out of a scene that can
/// be drawn is in SceneData::warnings.
SceneData load_scene(const std::string& path, const LoadOptions& options = {});

/// As load_scene, for a scene to be placed in another: its size isn't final.
SceneData load_part(const std::string& path, const LoadOptions& options = {});

/// Adds a warning where the whole mesh is so small that rays may miss it by rounding.
void warn_of_size(SceneData& scene);

/// The scene that is drawn when no file is named: a few shapes on a floor, made in memory.
SceneData builtin_scene();

}  // namespace ballotcast::detail
