#include <algorithm>
#include <cmath>
#include <filesystem>

#include "image/codec.hpp"
#include "scene/formats/gltf/materials.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/textures.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr const char* kBasis = "KHR_texture_basisu";

/// The index of the picture of a texture; nothing if it has no picture that can be read.
std::optional<u32> picture_of(const GltfFile& file, const Section& texture) {
  const std::optional<Section> webp = extension(texture, "EXT_texture_webp");
  const std::optional<u32> plain = file.index_if(texture, "source", "images");
  if (!webp || (plain && !has_webp())) return plain;
  return file.index_if(*webp, "source", "images");
}

}  // namespace

/// How a texture is repeated beyond its edges.
Wrap GltfTextures::wrap(const Section& texture, const char* key) const {
  constexpr u32 kRepeat = 10497, kMirror = 33648;
  const auto sampler = file_.index_if(texture, "sampler", "samplers");
  if (!sampler) return Wrap::repeat;
  const Section in = file_.item("samplers", *sampler);
  if (!in.has(key)) return Wrap::repeat;
  const u32 code = in.count(key, 0, 65535);
  return code == kRepeat ? Wrap::repeat : code == kMirror ? Wrap::mirror : Wrap::clamp;
}

u32 GltfTextures::find(const Section& in, std::optional<double> glossiness) {
  const Section texture = file_.item("textures", file_.index(in, "index", "textures"));
  const std::optional<u32> image = picture_of(file_, texture);
  if (!image) {
    file_.warn(texture, extension(texture, kBasis)
                            ? std::string("texture left out: its only picture is of ") + kBasis +
                                  ", which is not read; save it as PNG or JPEG"
                            : "texture left out: its picture is of a kind that is not supported");
    return kNoTexture;
  }
  const Key key{*image, wrap(texture, "wrapS"), wrap(texture, "wrapT"), glossiness};
  const auto [entry, is_new] = textures_.try_emplace(key, kNoTexture);
  if (is_new) entry->second = add(key);
  return entry->second;
}

/// Adds a texture to the scene: the picture itself, or a copy if the picture is already in the
/// scene.
u32 GltfTextures::add(const Key& key) {
  SceneData& scene = file_.scene();
  const auto [first, is_new] = first_of_image_.try_emplace(key.image, kNoTexture);
  if (is_new) first->second = load(key.image);
  u32 index = first->second;
  if (index == kNoTexture) return index;
  if (!is_new || key.glossiness) {
    scene.textures.push_back(Texture(scene.textures[index]));
    scene.texture_names.push_back(std::string(scene.texture_names[index]));
    index = static_cast<u32>(scene.textures.size() - 1);
  }
  Texture& texture = scene.textures[index];
  texture.across = key.across;
  texture.down = key.down;
  if (key.glossiness)
    for (Rgba8& c : texture.pixels)
      c.g = static_cast<u8>(std::floor(255.5 - *key.glossiness * c.a));
  return index;
}

u32 GltfTextures::load(u32 image) {
  const Section in = file_.item("images", image);
  const std::string place = file_.path() + ": ";
  const std::string name = one_line(name_in(in, in.name()));
  // In messages, a picture inside the file is named by its index, because its name may be missing.
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
  const std::filesystem::path folder = std::filesystem::path(file_.path()).parent_path();
  if (const auto path = find_uri(folder, uri))
    return add_texture_file(*path, called, place + in.name() + ": ", file_.scene());
  file_.scene().missed_files.push_back({folder.string(), called});
  file_.warn(in, "texture " + quoted_name(called) + " not found");
  return kNoTexture;
}

void GltfTextures::list_unread() const {
  constexpr u32 kMost = 10000;  // limit on file lookups, because they take time
  for (u32 i = 0; i < std::min(file_.size_of("images"), kMost); ++i) {
    const Section in = file_.item("images", i);
    if (first_of_image_.contains(i) || !in.has("uri")) continue;
    const std::string uri = in.text("uri");
    if (is_data_uri(uri)) continue;
    if (const auto path = find_uri(std::filesystem::path(file_.path()).parent_path(), uri))
      file_.scene().unread_files.push_back(path->string());
  }
}

}  // namespace ballotcast::detail
