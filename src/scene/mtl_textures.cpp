#include "scene/mtl_textures.hpp"

#include "scene/named_files.hpp"
#include "scene/texture_maps.hpp"
#include "scene/textures.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace fs = std::filesystem;

u32 MtlTextures::find(const MapLine& from, TextureUse use, double exponent) {
  const std::string& name = from.map.name;
  if (name.empty()) return kNoTexture;
  auto path = find_file(from.file.parent_path(), name);
  if (!path) path = find_file(obj_directory_, name);
  if (!path) {
    if (missing_.emplace(name, true).second)
      scene_.warnings.push_back(from.place() + "texture " + quoted_name(name) + " not found");
    return kNoTexture;
  }
  const auto [entry, is_new] = index_.try_emplace(Key{path->string(), use, exponent}, kNoTexture);
  if (is_new) entry->second = load(from, *path, use, exponent);
  if (entry->second != kNoTexture && !from.map.not_honored.empty())
    scene_.warnings.push_back(from.place() + "texture drawn without its options " +
                              from.map.not_honored);
  return entry->second;
}

u32 MtlTextures::load(const MapLine& from, const fs::path& path, TextureUse use, double exponent) {
  u32 texture = kNoTexture;
  const auto same = index_.find(Key{path.string(), TextureUse::as_is, 0.0});
  if (same != index_.end() && same->second != kNoTexture) {
    texture = static_cast<u32>(scene_.textures.size());
    scene_.textures.push_back(Image<Rgba8>(scene_.textures[same->second]));
    scene_.texture_names.push_back(path.filename().string());
  } else {
    if (!refused_.emplace(path.string(), true).second) return kNoTexture;
    texture = add_texture_file(path, from.map.name, from.place(), scene_);
    if (texture == kNoTexture) return kNoTexture;
    refused_.erase(path.string());
  }
  Image<Rgba8>& image = scene_.textures[texture];
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

}  // namespace ballotcast::detail
