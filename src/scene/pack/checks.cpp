#include "scene/pack/checks.hpp"

#include <algorithm>
#include <cmath>

#include "image/checks.hpp"
#include "image/color.hpp"
#include "scene/light.hpp"
#include "scene/request.hpp"
#include "scene/sky_map.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

/// Tests whole arrays for what kernels rely on. Messages name the array.
class Checker {
 public:
  explicit Checker(const PackedFile& file) : file_(file) {}

  /// `is_good(element)` must hold for all elements.
  template <class T, class IsGood>
  void require_all(const Array<T>& array, const std::string& what, const IsGood& is_good) const {
    require(all_below(array.size(), [&](std::size_t i) { return is_good(array[i]); }), what);
  }

  void require(bool holds, const std::string& what) const {
    if (!holds) file_.refuse("is damaged: " + what);
  }

 private:
  const PackedFile& file_;
};

/// True for numbers; false for infinities and NaN. Without branches, so that arrays are fast.
bool is_number(float f) { return (bits_of(f) & 0x7f800000u) != 0x7f800000u; }
bool are_numbers(vec2 v) { return is_number(v.x) & is_number(v.y); }
bool are_numbers(vec3 v) { return is_number(v.x) & is_number(v.y) & is_number(v.z); }
bool are_numbers(dvec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// True for radiance from black to `most`. A NaN fails every comparison.
bool is_light(vec3 v, float most) {
  return (v.x >= 0.0f) & (v.y >= 0.0f) & (v.z >= 0.0f) & (v.x <= most) & (v.y <= most) &
         (v.z <= most);
}

bool is_usable(const Material& m, std::size_t textures) {
  for (const TextureMember texture : kTexturesOfMaterial)
    if (m.*texture != kNoTexture && m.*texture >= textures) return false;
  return are_numbers(m.color) && is_light(m.emission, static_cast<float>(kBrightest)) &&
         are_numbers(m.specular) && are_numbers(m.transmitted) && is_number(m.opacity) &&
         is_number(m.roughness) && is_number(m.metallic) && is_number(m.bumpiness) &&
         is_number(m.refraction) &&
         static_cast<u32>(m.transmission) <= static_cast<u32>(Transmission::solid);
}

template <class Pixel>
bool has_its_size(const Picture<Pixel>& picture) {
  return picture.pixels.size() == u64{picture.width} * picture.height &&
         picture.pixels.size() <= kMostPixelsRead;
}

void require_mesh(const SceneData& scene, const PackedFile& file, const Checker& check) {
  const Mesh& mesh = scene.mesh;
  try {
    mesh.require_valid();
  } catch (const InputError& error) {
    file.refuse(std::string("is damaged: ") + error.what());
  }
  check.require_all(mesh.corner_normals, "a normal is no number",
                    [](vec3 v) { return are_numbers(v); });
  check.require_all(mesh.corner_texcoords, "a texture coordinate is no number",
                    [](vec2 v) { return are_numbers(v); });
  check.require_all(mesh.vertex_colors, "a colour is no number",
                    [](vec3 v) { return are_numbers(v); });
  const std::size_t materials = scene.materials.size();
  check.require(materials > 0, "it has no material");
  check.require_all(mesh.material_of, "a triangle names a material that does not exist",
                    [materials](u32 id) { return id < materials; });
}

void require_surfaces(const SceneData& scene, const Checker& check) {
  const std::size_t textures = scene.textures.size();
  check.require_all(scene.materials, "a material has unusable values",
                    [&](const Material& m) { return is_usable(m, textures); });
  check.require(scene.material_names.size() == scene.materials.size() &&
                    scene.texture_names.size() == textures,
                "materials and their names differ in number");
  for (const Picture<Rgba8>& texture : scene.textures)
    check.require(has_its_size(texture) && !texture.pixels.empty(),
                  "a texture does not have its size");
}

/// Texts for people are single lines without control characters.
bool is_clear(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<u8>(c) < 0x20 || c == 0x7f;
  });
}

void require_light(const SceneData& scene, const PackedFile& file, const Checker& check) {
  SceneRequest stated;
  stated.sun = scene.sun;
  stated.sky = scene.sky;
  stated.sky.file.reset();  // both a picture and colours may be stated in scenes
  stated.up = scene.up;
  stated.exposure = scene.exposure;
  try {
    require_sensible(stated);
    if (scene.light) require_known("light", {*scene.light}, light_names());
    if (scene.camera) make_view(*scene.camera, scene.origin, 16, 9);
  } catch (const UsageError& error) {
    file.refuse(std::string("is damaged: ") + error.what());
  }
  check.require(!scene.white_balance || white_balance_in(*scene.white_balance),
                "its white balance is unknown");
  const Picture<vec3>& sky = scene.sky_map;
  check.require(has_its_size(sky) && (sky.pixels.empty() || (sky.width > 1 && sky.height > 1)),
                "the picture of the sky does not have its size");
  check.require_all(sky.pixels, "the picture of the sky has unusable values",
                    [](vec3 v) { return is_light(v, kBrightestSky); });
}

}  // namespace

void require_usable(const SceneData& scene, const PackedFile& file) {
  const Checker check(file);
  require_mesh(scene, file, check);
  require_surfaces(scene, check);
  check.require(are_numbers(scene.origin), "its origin is no number");
  check.require(is_clear(scene.name), "its name is no line of text");
  check.require(std::all_of(scene.warnings.begin(), scene.warnings.end(), is_clear),
                "a warning is no line of text");
  require_light(scene, file, check);
}

}  // namespace ballotcast::detail
