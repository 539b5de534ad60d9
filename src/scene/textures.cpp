#include "scene/textures.hpp"

#include "image/codec.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

/// Decodes the bytes that `read` returns. `file` is their name.
template <class Read>
DecodedPicture decoded(Read read, const std::string& file) {
  DecodedPicture picture;
  try {
    const std::vector<u8>& bytes = read();
    picture.image = decode_image(bytes, file);
    picture.not_shown = not_shown_of(bytes);
  } catch (const InputError& error) {
    picture.failure = error.what();
  }
  return picture;
}

u32 add(DecodedPicture picture, const std::string& name, const std::string& called,
        const std::string& place, SceneData& scene) {
  if (!picture.failure.empty()) {
    scene.warnings.push_back(place + "texture left out: " + picture.failure);
    return kNoTexture;
  }
  if (!picture.not_shown.empty())
    scene.warnings.push_back(place + "texture " + quoted_name(called) + " drawn without " +
                             picture.not_shown);
  scene.textures.push_back(std::move(picture.image));
  scene.texture_names.push_back(name);
  return static_cast<u32>(scene.textures.size() - 1);
}

}  // namespace

DecodedPicture decode_picture_file(const std::string& path) {
  return decoded([&] { return read_picture_file(path); }, path);
}

u32 add_texture(const std::vector<u8>& bytes, const std::string& name, const std::string& called,
                const std::string& place, SceneData& scene) {
  return add(decoded([&]() -> const std::vector<u8>& { return bytes; }, called), name, called,
             place, scene);
}

u32 add_texture_file(const std::filesystem::path& path, DecodedPicture picture,
                     const std::string& called, const std::string& place, SceneData& scene) {
  scene.files.push_back(path.string());
  return add(std::move(picture), path.filename().string(), called, place, scene);
}

u32 add_texture_file(const std::filesystem::path& path, const std::string& called,
                     const std::string& place, SceneData& scene) {
  return add_texture_file(path, decode_picture_file(path.string()), called, place, scene);
}

}  // namespace ballotcast::detail
