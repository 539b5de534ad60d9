#include "scene/mtl_textures.hpp"

#include "scene/named_files.hpp"
#include "scene/texture_maps.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

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
    scene_.textures.push_back(Picture<Rgba8>(scene_.textures[same->second]));
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
  Picture<Rgba8>& image = scene_.textures[texture];
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
