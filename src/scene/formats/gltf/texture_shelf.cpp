#include "scene/formats/gltf/texture_shelf.hpp"

#include <filesystem>

#include "scene/formats/gltf/uri.hpp"
#include "scene/named_files.hpp"
#include "scene/textures.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

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

}  // namespace ballotcast::detail
