#include "scene/formats/gltf/materials.hpp"

#include <algorithm>
#include <cmath>

#include "math/trig.hpp"
#include "scene/formats/textures.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// Returns sections of a material by key or extension. Where one is missing, returns an empty
/// section, so that all its values have their defaults.
struct OrEmpty {
  static const Json& empty() {
    static const Json none = Json::object();
    return none;
  }
  static Section object_of(const GltfFile& file, const Section& in, const char* key) {
    return in.has(key) ? in.object(key) : Section(empty(), file.path(), in.path_of(key));
  }
  static Section extension_of(const GltfFile& file, const Section& in, const char* name) {
    const std::optional<Section> found = extension(in, name);
    return found ? *found : Section(empty(), file.path(), in.path_of("extensions"));
  }
};

double unit(const Section& in, const char* key, double otherwise) {
  return std::clamp(number_or(in, key, otherwise), 0.0, 1.0);
}

/// The first three of the `size` numbers of a colour, clamped to [0, most].
dvec3 color_or(const Section& in, const char* key, std::size_t size, double most) {
  if (!in.has(key)) return dvec3(1.0);
  const std::vector<double> c = in.numbers(key, size);
  return glm::clamp(dvec3(c[0], c[1], c[2]), 0.0, most);
}

constexpr const char* kSpecularGlossiness = "KHR_materials_pbrSpecularGlossiness";

/// The texture infos of a material. That of the base colour comes first.
std::vector<Section> texture_infos(const GltfFile& file, const Section& in) {
  const Section metal = OrEmpty::object_of(file, in, "pbrMetallicRoughness");
  const Section gloss = OrEmpty::extension_of(file, in, kSpecularGlossiness);
  const Section coat = OrEmpty::extension_of(file, in, "KHR_materials_specular");
  const bool is_gloss = extension(in, kSpecularGlossiness).has_value();
  std::vector<Section> all;
  const auto add = [&](const Section& section, const char* key) {
    if (section.has(key)) all.push_back(section.object(key));
  };
  add(gloss, "diffuseTexture");
  add(gloss, "specularGlossinessTexture");
  if (!is_gloss) {
    add(metal, "baseColorTexture");
    add(metal, "metallicRoughnessTexture");
    add(coat, "specularColorTexture");
  }
  add(in, "normalTexture");
  add(in, "emissiveTexture");
  return all;
}

GltfTexcoords texcoords_of_info(const Section& in) {
  constexpr u32 kMostSets = 1000;
  GltfTexcoords t;
  if (in.has("texCoord")) t.set = in.count("texCoord", 0, kMostSets);
  const std::optional<Section> placed = extension(in, "KHR_texture_transform");
  if (!placed) return t;
  if (placed->has("texCoord")) t.set = placed->count("texCoord", 0, kMostSets);
  glm::dvec2 scale(1.0);
  if (placed->has("scale")) {
    const std::vector<double> s = placed->numbers("scale", 2);
    scale = {s[0], s[1]};
  }
  if (placed->has("offset")) {
    const std::vector<double> o = placed->numbers("offset", 2);
    t.offset = {o[0], o[1]};
  }
  const SinCos turn = sincos_turns(number_or(*placed, "rotation", 0.0) / (2.0 * kPi));
  t.along_u = glm::dvec2(turn.cos, -turn.sin) * scale.x;
  t.along_v = glm::dvec2(turn.sin, turn.cos) * scale.y;
  return t;
}

/// The reflectance at normal incidence of a surface with this index of refraction.
double reflectance_of(double refraction) {
  const double root = (refraction - 1.0) / (refraction + 1.0);
  return root * root;
}

/// Converts a material of the file.
class Maker {
 public:
  Maker(GltfFile& file, GltfTextures& textures, const Section& in)
      : file_(file), textures_(textures), in_(in) {}

  Material make() {
    Material m;
    const std::optional<Section> gloss = extension(in_, kSpecularGlossiness);
    const Section metal = OrEmpty::object_of(file_, in_, "pbrMetallicRoughness");
    if (gloss)
      use_color(*gloss, "diffuseFactor", "diffuseTexture", m);
    else
      use_color(metal, "baseColorFactor", "baseColorTexture", m);
    if (extension(in_, "KHR_materials_unlit")) return m;
    if (gloss) {
      use_glossiness(*gloss, m);
    } else {
      use_metal(metal, m);
      use_coat(m);
    }
    m.normal_texture = texture(in_, "normalTexture");
    if (m.normal_texture != kNoTexture)
      m.bumpiness = static_cast<float>(number_or(in_.object("normalTexture"), "scale", 1.0));
    use_emission(m);
    use_transmission(m);
    return m;
  }

 private:
  u32 texture(const Section& in, const char* key) {
    return in.has(key) ? textures_.find(in.object(key)) : kNoTexture;
  }

  void use_color(const Section& in, const char* factor, const char* picture, Material& m) {
    m.color = vec3(color_or(in, factor, 4, 1.0));
    m.color_texture = texture(in, picture);
    use_alpha(in.has(factor) ? in.numbers(factor, 4)[3] : 1.0, m);
  }

  void use_metal(const Section& in, Material& m) {
    m.metallic = static_cast<float>(unit(in, "metallicFactor", 1.0));
    m.roughness = static_cast<float>(unit(in, "roughnessFactor", 1.0));
    m.metallic_texture = m.roughness_texture = texture(in, "metallicRoughnessTexture");
  }

  /// Converts the extension KHR_materials_pbrSpecularGlossiness (Khronos Group): a coat of any
  /// reflectance over a diffuse surface. A Material with a roughness of 1 - glossiness represents
  /// it exactly. (glTF-Transform converts it in the same way, by an index of refraction of 1000 and
  /// KHR_materials_specular.)
  void use_glossiness(const Section& in, Material& m) {
    const char* const picture = "specularGlossinessTexture";
    const double glossiness = unit(in, "glossinessFactor", 1.0);
    m.specular = vec3(color_or(in, "specularFactor", 3, 1.0));
    m.specular_texture = texture(in, picture);
    m.roughness = static_cast<float>(1.0 - glossiness);
    if (m.specular_texture == kNoTexture) return;
    m.roughness = 1.0f;
    m.roughness_texture = textures_.find(in.object(picture), glossiness);
  }

  /// Sets the opacity, which is scaled so that the threshold becomes one half.
  void use_alpha(double alpha, Material& m) const {
    const double threshold = threshold_of_alpha(in_);
    if (!(threshold > 0.0)) return;
    m.opacity = static_cast<float>(std::clamp(alpha, 0.0, 1.0) * (0.5 / threshold));
    m.opacity_texture = m.color_texture;
  }

  void use_emission(Material& m) {
    const Section strength = OrEmpty::extension_of(file_, in_, "KHR_materials_emissive_strength");
    if (!in_.has("emissiveFactor")) return;
    const dvec3 emission = color_or(in_, "emissiveFactor", 3, 1e30) *
                           std::max(0.0, number_or(strength, "emissiveStrength", 1.0));
    m.emission = vec3(glm::min(emission, dvec3(kBrightest)));
    m.emission_texture = texture(in_, "emissiveTexture");
    if (std::max({emission.x, emission.y, emission.z}) > kBrightest)
      file_.warn(in_, "emission above 2^20, reduced to 2^20");
  }

  void use_coat(Material& m) {
    const double ior =
        number_or(OrEmpty::extension_of(file_, in_, "KHR_materials_ior"), "ior", 1.5);
    const bool usable = ior == 0.0 || ior >= 1.0;
    if (!usable) file_.warn(in_, "an ior must be 0 or at least 1; drawn with 1.5");
    // 0 means that the surface reflects all light.
    const double reflectance = ior == 0.0 ? 1.0 : reflectance_of(usable ? ior : 1.5);
    m.refraction = static_cast<float>(ior >= 1.0 ? std::min(ior, 1000.0) : 1.5);
    const Section specular = OrEmpty::extension_of(file_, in_, "KHR_materials_specular");
    const dvec3 tint = color_or(specular, "specularColorFactor", 3, 1e30);
    m.specular =
        vec3(glm::min(tint * reflectance, dvec3(1.0)) * unit(specular, "specularFactor", 1.0));
    m.specular_texture = texture(specular, "specularColorTexture");
    if (specular.has("specularTexture")) file_.warn(specular, "specularTexture left out");
  }

  void use_transmission(Material& m) {
    const Section glass = OrEmpty::extension_of(file_, in_, "KHR_materials_transmission");
    const double share = unit(glass, "transmissionFactor", 0.0);
    if (!(share > 0.0)) return;
    if (glass.has("transmissionTexture")) file_.warn(glass, "transmissionTexture left out");
    if (share < 0.5) {
      file_.warn(glass, "less than half of the light passes, so that it is drawn opaque");
      return;
    }
    const Section volume = OrEmpty::extension_of(file_, in_, "KHR_materials_volume");
    m.transmission =
        number_or(volume, "thicknessFactor", 0.0) > 0.0 ? Transmission::solid : Transmission::thin;
    m.transmitted = m.color;
    if (volume.has("attenuationColor") || volume.has("thicknessTexture"))
      file_.warn(volume, "attenuation and thickness textures left out");
  }

  GltfFile& file_;
  GltfTextures& textures_;
  const Section& in_;
};

/// True if a material is double-sided.
bool is_double_sided(const Section& in) {
  return in.has("doubleSided") && in.at("doubleSided") == Json(true);
}

/// Warns about a material that makes all its triangles invisible.
void report_hidden(GltfFile& file, const Section& in, const Material& material, u64 triangles) {
  if (is_hidden(material, file.scene()))
    file.warn(in, "hides " + counted(triangles, "triangle") +
                      ": its alpha is below the threshold where surfaces are cut out");
}

/// For each of `count` materials: true if a corner of its triangles has alpha below 1.
std::vector<bool> materials_with_clear_corners(const PolygonMesh& mesh,
                                               const std::vector<PolygonTriangle>& pieces,
                                               const SceneData& scene, std::size_t count) {
  std::vector<bool> clear(count, false);
  const auto& opacity = scene.mesh.vertex_opacity;
  if (opacity.empty()) return clear;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const uvec3& t = scene.mesh.triangles[i];
    if (opacity[t.x] < 1.0f || opacity[t.y] < 1.0f || opacity[t.z] < 1.0f)
      clear[mesh.faces[pieces[i].face].material] = true;
  }
  return clear;
}

/// True if a material has the mode BLEND and some alpha between 0 and 1.
bool is_blended(const SceneData& scene, const Section& in, const Material& m,
                bool has_clear_corners) {
  if (!in.has("alphaMode") || in.text("alphaMode") != "BLEND") return false;
  if (m.transmission != Transmission::none) return false;
  const auto between = [](float alpha) { return alpha > 0.0f && alpha < 1.0f; };
  if (between(m.opacity) || has_clear_corners) return true;
  if (m.opacity_texture == kNoTexture) return false;
  const Texture& texture = scene.textures[m.opacity_texture];
  return std::any_of(texture.pixels.begin(), texture.pixels.end(),
                     [](const Rgba8& c) { return c.a > 0 && c.a < 255; });
}

}  // namespace

double threshold_of_alpha(const Section& material) {
  const std::string mode = material.has("alphaMode") ? material.text("alphaMode") : "OPAQUE";
  if (mode == "OPAQUE") return 0.0;
  if (mode == "BLEND") return 0.5;
  if (mode != "MASK") material.fail("alphaMode", "must be OPAQUE, MASK or BLEND");
  return number_or(material, "alphaCutoff", 0.5);
}

std::vector<GltfTexcoords> texcoords_of_materials(const GltfFile& file) {
  std::vector<GltfTexcoords> all(file.size_of("materials") + 1);
  for (u32 i = 0; i + 1 < all.size(); ++i) {
    const std::vector<Section> infos = texture_infos(file, file.item("materials", i));
    if (!infos.empty()) all[i] = texcoords_of_info(infos.front());
  }
  return all;
}

FileMaterials load_gltf_materials(GltfFile& file, const std::vector<GltfTexcoords>& texcoords,
                                  const PolygonMesh& mesh,
                                  const std::vector<PolygonTriangle>& pieces) {
  SceneData& scene = file.scene();
  const std::vector<u64> triangles = triangles_of_materials(mesh, pieces, texcoords.size());
  const std::vector<bool> clear =
      materials_with_clear_corners(mesh, pieces, scene, texcoords.size());
  GltfTextures textures(file);
  FileMaterials loaded{std::vector<u32>(triangles.size(), 0),
                       std::vector<TexturePlacement>(triangles.size())};
  u64 blended = 0;
  for (u32 i = 0; i < triangles.size(); ++i) {
    if (triangles[i] == 0) continue;
    loaded.index_of[i] = static_cast<u32>(scene.materials.size());
    if (i + 1 == triangles.size() || !is_double_sided(file.item("materials", i)))
      ++scene.single_sided;
    if (i + 1 == triangles.size()) {
      scene.materials.push_back(default_material(scene.mesh));
      scene.material_names.emplace_back("default");
      continue;
    }
    const Section in = file.item("materials", i);
    const Material material = Maker(file, textures, in).make();
    report_hidden(file, in, material, triangles[i]);
    if (is_blended(scene, in, material, clear[i])) ++blended;
    for (const Section& info : texture_infos(file, in))
      if (texcoords_of_info(info) != texcoords[i])
        file.warn(info, "placed like the first texture of its material; its own placement differs");
    scene.materials.push_back(material);
    scene.material_names.push_back(one_line(name_in(in, in.name())));
  }
  if (blended != 0)
    scene.warnings.push_back(file.path() +
                             ": materials with alphaMode BLEND and alpha between 0 and 1, cut out "
                             "below one half and opaque above: " +
                             std::to_string(blended));
  textures.list_unread();
  return loaded;
}

}  // namespace ballotcast::detail
