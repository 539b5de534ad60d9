#include "scene/formats/obj/mtl_materials.hpp"

#include <algorithm>

#include "scene/formats/mesh_formats.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

/// The reflectance at normal incidence of glass and of most other non-metals.
constexpr float kUsualCoat = 0.04f;
/// The default exponent of materials that have Ks but no Ns.
constexpr double kUsualExponent = 100.0;

float clamped(double value, float high) { return clamp_to(static_cast<float>(value), 0.0f, high); }

vec3 clamped(dvec3 value, float high) {
  return {clamped(value.x, high), clamped(value.y, high), clamped(value.z, high)};
}

bool is_glass(const MtlMaterial& m) {
  const double model = m.illumination.value_or(0.0);
  if (model != 4.0 && model != 6.0 && model != 7.0 && model != 9.0) return false;
  // Maya writes illum 4 with Ni 1 for every material, so these values alone do not mean glass.
  return m.refraction.value_or(1.0) > 1.0 || m.opacity < 1.0;
}

}  // namespace

bool is_measured(const MtlMaterial& m) {
  return m.roughness || m.metallic || !m.roughness_map.name.empty() || !m.metallic_map.name.empty();
}

Material surface_of(const MtlMaterial& from) {
  Material to;
  if (from.has_color) to.color = clamped(from.color, 1.0f);
  to.emission = clamped(from.emission, static_cast<float>(kBrightest));
  to.opacity = clamped(from.opacity, 1.0f);
  to.bumpiness = from.normal_map.name.empty() ? from.bump_map.bumpiness : from.normal_map.bumpiness;
  if (is_glass(from)) {
    const bool thin = from.illumination == 4.0 || from.illumination == 9.0;
    to.transmission = thin ? Transmission::thin : Transmission::solid;
    to.transmitted = clamped(from.transmitted.value_or(dvec3(1.0)), 1.0f);
    to.refraction = clamp_to(static_cast<float>(from.refraction.value_or(1.5)), 1.0f, 1000.0f);
    to.opacity = 1.0f;
    return to;
  }
  if (is_measured(from)) {
    to.specular = vec3(kUsualCoat);
    const double from_exponent = from.exponent ? roughness_of(*from.exponent) : 1.0;
    to.roughness = from.roughness_map.name.empty()
                       ? clamped(from.roughness.value_or(from_exponent), 1.0f)
                       : 1.0f;
    to.metallic =
        from.metallic_map.name.empty() ? clamped(from.metallic.value_or(0.0), 1.0f) : 1.0f;
    return to;
  }
  const double model = from.illumination.value_or(3.0);
  if (model < 2.0 || (!from.specular && from.specular_map.name.empty())) return to;
  // If there is a map, exporters often write an arbitrary Ks, so only the map is used.
  to.specular = from.specular_map.name.empty() ? clamped(*from.specular, 1.0f) : vec3(1.0f);
  if (model == 2.0) to.specular = to.specular * (2.0f * kUsualCoat);
  to.roughness = from.exponent_map.name.empty()
                     ? clamped(roughness_of(from.exponent.value_or(kUsualExponent)), 1.0f)
                     : 1.0f;
  return to;
}

namespace fs = std::filesystem;

const std::optional<fs::path>& MtlTextures::path_of(const fs::path& file, const std::string& name) {
  const auto [entry, is_new] = paths_.try_emplace({file.parent_path().string(), name});
  if (is_new) {
    entry->second = find_file(file.parent_path(), name, scene_);
    if (!entry->second) entry->second = find_file(obj_directory_, name, scene_);
  }
  return entry->second;
}

bool MtlTextures::want(const MapLine& from) {
  if (from.map.name.empty()) return false;
  const auto& path = path_of(from.file, from.map.name);
  if (path) ahead_.try_emplace(path->string());
  return path.has_value();
}

void MtlTextures::read_ahead() {
  std::vector<std::pair<const std::string, DecodedPicture>*> pictures;
  for (auto& picture : ahead_) pictures.push_back(&picture);
  for_each_index(pictures.size(), [&](std::size_t i) {
    pictures[i]->second = decode_picture_file(pictures[i]->first);
  });
}

u32 MtlTextures::find(const MapLine& from, TextureUse use, double exponent) {
  const std::string& name = from.map.name;
  if (name.empty()) return kNoTexture;
  const auto& path = path_of(from.file, name);
  if (!path) {
    if (missing_.emplace(name, true).second)
      scene_.warnings.push_back(from.place() + "texture " + quoted_name(name) + " not found");
    return kNoTexture;
  }
  const auto [entry, is_new] =
      index_.try_emplace(Key{path->string(), use, exponent, from.map.clamps}, kNoTexture);
  if (is_new) entry->second = load(from, *path, use, exponent);
  if (entry->second != kNoTexture && !from.map.not_honored.empty())
    scene_.warnings.push_back(from.place() + "texture drawn without its options " +
                              from.map.not_honored);
  return entry->second;
}

u32 MtlTextures::load(const MapLine& from, const fs::path& path, TextureUse use, double exponent) {
  u32 texture = kNoTexture;
  auto same = index_.end();
  for (const bool clamps : {false, true}) {
    const auto found = index_.find(Key{path.string(), TextureUse::as_is, 0.0, clamps});
    if (found != index_.end() && found->second != kNoTexture) same = found;
  }
  if (same != index_.end()) {
    texture = static_cast<u32>(scene_.textures.size());
    scene_.textures.push_back(Texture(scene_.textures[same->second]));
    scene_.texture_names.push_back(path.filename().string());
  } else {
    if (!refused_.emplace(path.string(), true).second) return kNoTexture;
    const auto ahead = ahead_.extract(path.string());
    texture = add_texture_file(
        path, ahead ? std::move(ahead.mapped()) : decode_picture_file(path.string()), from.map.name,
        from.place(), scene_);
    if (texture == kNoTexture) return kNoTexture;
    refused_.erase(path.string());
  }
  Texture& image = scene_.textures[texture];
  image.across = image.down = from.map.clamps ? Wrap::clamp : Wrap::repeat;
  switch (use) {
    case TextureUse::as_is:
      break;
    case TextureUse::opacity:
      make_opacity(image);
      break;
    case TextureUse::bumps:
      make_normals(image);
      break;
    case TextureUse::exponent:
      make_roughness(image, exponent);
      break;
  }
  return texture;
}

bool make_opaque_if_all_is_hidden(MtlText& text) {
  const auto has_none = [](const MtlMaterial& material) {
    return material.opacity <= 0.0 && surface_of(material).transmission == Transmission::none;
  };
  if (text.materials.empty() || !std::ranges::all_of(text.materials, has_none)) return false;
  for (MtlMaterial& material : text.materials) material.opacity = 1.0;
  return true;
}

void HiddenMaterials::note(const std::string& file, const MtlMaterial& material, u64 triangles,
                           Found found) {
  if (found.was_made_opaque && made_opaque_.insert(file).second)
    warnings_.push_back(at_line(file, material.opacity_line) +
                        "every material of this file has opacity 0 (d 0 or Tr 1), which is taken "
                        "for a mistake: they are drawn with opacity 1");
  if (!found.is_hidden) return;
  const bool by_map = material.opacity >= static_cast<double>(kCutoutThreshold);
  warnings_.push_back(
      at_line(file, by_map ? material.opacity_map.line : material.opacity_line) + "material " +
      quoted_name(material.name) + " hides " + counted(triangles, "triangle") + ": " +
      (by_map ? "all of its opacity texture" : "its opacity, " + fixed(material.opacity, 2) + ",") +
      " is below one half, where surfaces are cut out");
}

}  // namespace ballotcast::detail
