#include "scene/formats/gltf/materials.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "math/trig.hpp"
#include "scene/formats/named_files.hpp"
#include "scene/formats/textures.hpp"
#include "support/error.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// The textures of a file while it is loaded. Each picture is decoded once.
class GltfTextures {
 public:
  explicit GltfTextures(GltfFile& file) : file_(file) {}

  /// The index in SceneData::textures of the texture that the texture info `in` names. If it can't
  /// be used, adds a warning and returns kNoTexture.
  u32 find(const Section& in);
  /// Adds to SceneData::unread_files the files of pictures that were not read.
  void list_unread() const;

 private:
  u32 load(u32 image);

  GltfFile& file_;
  std::map<u32, u32> texture_of_image_;
};

u32 GltfTextures::find(const Section& in) {
  const Section texture = file_.item("textures", file_.index(in, "index", "textures"));
  const std::optional<u32> image = file_.index_if(texture, "source", "images");
  if (!image) {
    file_.warn(texture, "texture left out: its picture is of a kind that is not supported");
    return kNoTexture;
  }
  const auto [entry, is_new] = texture_of_image_.try_emplace(*image, kNoTexture);
  if (is_new) entry->second = load(*image);
  return entry->second;
}

u32 GltfTextures::load(u32 image) {
  const Section in = file_.item("images", image);
  const std::string place = file_.path() + ": ";
  const std::string name = in.has("name") ? one_line(in.text("name")) : in.name();
  // A picture in the file is called by its place in messages, because its name may be missing.
  if (!in.has("uri")) {
    const std::span<const u8> bytes = file_.view(file_.index(in, "bufferView", "bufferViews"));
    return add_texture({bytes.begin(), bytes.end()}, name, in.name(), place, file_.scene());
  }
  const std::string uri = in.text("uri");
  if (is_data_uri(uri)) {
    if (const auto data = data_of_uri(uri))
      return add_texture(*data, name, in.name(), place, file_.scene());
    file_.warn(in, "texture left out: its data URI is malformed");
    return kNoTexture;
  }
  const std::string called = file_of_uri(uri);
  if (const auto path =
          find_file(std::filesystem::path(file_.path()).parent_path(), called, file_.scene()))
    return add_texture_file(*path, called, place + in.name() + ": ", file_.scene());
  file_.warn(in, "texture " + quoted_name(called) + " not found");
  return kNoTexture;
}

void GltfTextures::list_unread() const {
  constexpr u32 kMost = 10000;  // limit on file lookups, because they take time
  for (u32 i = 0; i < std::min(file_.size_of("images"), kMost); ++i) {
    const Section in = file_.item("images", i);
    if (texture_of_image_.contains(i) || !in.has("uri")) continue;
    const std::string uri = in.text("uri");
    if (is_data_uri(uri)) continue;
    if (const auto path =
            find_file(std::filesystem::path(file_.path()).parent_path(), file_of_uri(uri)))
      file_.scene().unread_files.push_back(path->string());
  }
}

/// The sections of a material that may be missing. A missing one is empty.
struct Parts {
  static const Json& empty() {
    static const Json none = Json::object();
    return none;
  }
  static Section part_of(const GltfFile& file, const Section& in, const char* key) {
    return in.has(key) ? in.part(key) : Section(empty(), file.path(), in.path_of(key));
  }
  static Section extension_of(const GltfFile& file, const Section& in, const char* name) {
    const std::optional<Section> found = extension(in, name);
    return found ? *found : Section(empty(), file.path(), in.path_of("extensions"));
  }
};

double unit(const Section& in, const char* key, double otherwise) {
  return std::clamp(number_or(in, key, otherwise), 0.0, 1.0);
}

/// The first numbers of a colour, from 0 to `most`.
dvec3 color_or(const Section& in, const char* key, std::size_t size, double most) {
  if (!in.has(key)) return dvec3(1.0);
  const std::vector<double> c = in.numbers(key, size);
  return glm::clamp(dvec3(c[0], c[1], c[2]), 0.0, most);
}

/// The texture infos of a material, the one of the base colour first.
std::vector<Section> texture_infos(const GltfFile& file, const Section& in) {
  const Section pbr = Parts::part_of(file, in, "pbrMetallicRoughness");
  std::vector<Section> all;
  for (const auto& [section, key] : {std::pair(&pbr, "baseColorTexture"),
                                     {&pbr, "metallicRoughnessTexture"},
                                     {&in, "normalTexture"},
                                     {&in, "emissiveTexture"}})
    if (section->has(key)) all.push_back(section->part(key));
  return all;
}

GltfTexcoords texcoords_of_info(const GltfFile& file, const Section& in) {
  constexpr u32 kMostSets = 1000;
  constexpr u32 kRepeat = 10497;
  GltfTexcoords t;
  if (in.has("texCoord")) t.set = in.count("texCoord", 0, kMostSets);
  const Section texture = file.item("textures", file.index(in, "index", "textures"));
  if (const auto sampler = file.index_if(texture, "sampler", "samplers")) {
    const Section wrap = file.item("samplers", *sampler);
    for (const char* key : {"wrapS", "wrapT"})
      t.clamps = t.clamps || (wrap.has(key) && wrap.count(key, 0, 65535) != kRepeat);
  }
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

/// Makes one material of the file.
class Maker {
 public:
  Maker(GltfFile& file, GltfTextures& textures, const Section& in)
      : file_(file), textures_(textures), in_(in) {}

  Material make() {
    const Section pbr = Parts::part_of(file_, in_, "pbrMetallicRoughness");
    Material m;
    m.color = vec3(color_or(pbr, "baseColorFactor", 4, 1.0));
    m.color_texture = texture(pbr, "baseColorTexture");
    const double alpha = pbr.has("baseColorFactor") ? pbr.numbers("baseColorFactor", 4)[3] : 1.0;
    use_alpha(alpha, m);
    if (extension(in_, "KHR_materials_unlit")) return m;
    m.metallic = static_cast<float>(unit(pbr, "metallicFactor", 1.0));
    m.roughness = static_cast<float>(unit(pbr, "roughnessFactor", 1.0));
    m.metallic_texture = m.roughness_texture = texture(pbr, "metallicRoughnessTexture");
    m.normal_texture = texture(in_, "normalTexture");
    if (m.normal_texture != kNoTexture)
      m.bumpiness = static_cast<float>(number_or(in_.part("normalTexture"), "scale", 1.0));
    use_emission(m);
    use_coat(m);
    use_transmission(m);
    return m;
  }

 private:
  u32 texture(const Section& in, const char* key) {
    return in.has(key) ? textures_.find(in.part(key)) : kNoTexture;
  }

  /// A surface is cut out where its alpha is below a threshold. Opacity is scaled so that this
  /// threshold becomes one half.
  void use_alpha(double alpha, Material& m) const {
    const std::string mode = in_.has("alphaMode") ? in_.text("alphaMode") : "OPAQUE";
    if (mode == "OPAQUE") return;
    if (mode != "MASK" && mode != "BLEND") in_.fail("alphaMode", "must be OPAQUE, MASK or BLEND");
    const double cutoff = mode == "MASK" ? number_or(in_, "alphaCutoff", 0.5) : 0.5;
    if (!(cutoff > 0.0)) return;
    m.opacity = static_cast<float>(std::clamp(alpha, 0.0, 1.0) * (0.5 / cutoff));
    m.opacity_texture = m.color_texture;
  }

  void use_emission(Material& m) {
    const Section strength = Parts::extension_of(file_, in_, "KHR_materials_emissive_strength");
    if (!in_.has("emissiveFactor")) return;
    const dvec3 emission = color_or(in_, "emissiveFactor", 3, 1e30) *
                           std::max(0.0, number_or(strength, "emissiveStrength", 1.0));
    m.emission = vec3(glm::min(emission, dvec3(kBrightest)));
    m.emission_texture = texture(in_, "emissiveTexture");
    if (std::max({emission.x, emission.y, emission.z}) > kBrightest)
      file_.warn(in_, "emission above 2^20, reduced to 2^20");
  }

  void use_coat(Material& m) {
    const double ior = number_or(Parts::extension_of(file_, in_, "KHR_materials_ior"), "ior", 1.5);
    const bool usable = ior == 0.0 || ior >= 1.0;
    if (!usable) file_.warn(in_, "an ior must be 0 or at least 1; drawn with 1.5");
    // 0 stands for a surface that reflects all light.
    const double reflectance = ior == 0.0 ? 1.0 : reflectance_of(usable ? ior : 1.5);
    m.refraction = static_cast<float>(ior >= 1.0 ? std::min(ior, 1000.0) : 1.5);
    const Section specular = Parts::extension_of(file_, in_, "KHR_materials_specular");
    const dvec3 tint = color_or(specular, "specularColorFactor", 3, 1e30);
    m.specular =
        vec3(glm::min(tint * reflectance, dvec3(1.0)) * unit(specular, "specularFactor", 1.0));
    m.specular_texture = texture(specular, "specularColorTexture");
    if (specular.has("specularTexture")) file_.warn(specular, "specularTexture left out");
  }

  void use_transmission(Material& m) {
    const Section glass = Parts::extension_of(file_, in_, "KHR_materials_transmission");
    const double share = unit(glass, "transmissionFactor", 0.0);
    if (!(share > 0.0)) return;
    if (glass.has("transmissionTexture")) file_.warn(glass, "transmissionTexture left out");
    if (share < 0.5) {
      file_.warn(glass, "less than half of the light passes, so that it is drawn opaque");
      return;
    }
    const Section volume = Parts::extension_of(file_, in_, "KHR_materials_volume");
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

/// Warns about a material that hides its triangles.
void report_hidden(const GltfFile& file, const Section& in, const Material& material,
                   u64 triangles) {
  if (is_hidden(material, file.scene()))
    file.warn(in, "hides " + counted(triangles, "triangle") +
                      ": its alpha is below the threshold where surfaces are cut out");
}

}  // namespace

std::vector<GltfTexcoords> texcoords_of_materials(const GltfFile& file) {
  std::vector<GltfTexcoords> all(file.size_of("materials") + 1);
  for (u32 i = 0; i + 1 < all.size(); ++i) {
    const std::vector<Section> infos = texture_infos(file, file.item("materials", i));
    if (!infos.empty()) all[i] = texcoords_of_info(file, infos.front());
  }
  return all;
}

FileMaterials load_gltf_materials(GltfFile& file, const std::vector<GltfTexcoords>& texcoords,
                                  const std::vector<u64>& triangles) {
  SceneData& scene = file.scene();
  GltfTextures textures(file);
  FileMaterials loaded{std::vector<u32>(triangles.size(), 0),
                       std::vector<TexturePlacement>(triangles.size())};
  for (u32 i = 0; i < triangles.size(); ++i) {
    if (triangles[i] == 0) continue;
    loaded.index_of[i] = static_cast<u32>(scene.materials.size());
    loaded.placement_of[i].clamps = texcoords[i].clamps;
    if (i + 1 == triangles.size()) {
      scene.materials.push_back(default_material(scene.mesh));
      scene.material_names.emplace_back("default");
      continue;
    }
    const Section in = file.item("materials", i);
    const Material material = Maker(file, textures, in).make();
    report_hidden(file, in, material, triangles[i]);
    for (const Section& info : texture_infos(file, in))
      if (texcoords_of_info(file, info) != texcoords[i])
        file.warn(info, "placed like the first texture of its material; its own placement differs");
    scene.materials.push_back(material);
    scene.material_names.push_back(in.has("name") ? one_line(in.text("name")) : in.name());
  }
  textures.list_unread();
  return loaded;
}

}  // namespace ballotcast::detail
