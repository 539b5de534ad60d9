#include "scene/textures.hpp"

#include "image/codec.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

/// Calls `read` for the bytes of the picture `file`, and decodes them.
template <class Read>
u32 add(Read read, const std::string& file, const std::string& name, const std::string& called,
        const std::string& place, SceneData& scene) {
  try {
    const std::vector<u8>& bytes = read();
    Image<Rgba8> image = decode_image(bytes, file);
    if (const std::string rest = not_shown_of(bytes); !rest.empty())
      scene.warnings.push_back(place + "texture " + quoted_name(called) + " drawn without " + rest);
    scene.textures.push_back(std::move(image));
    scene.texture_names.push_back(name);
    return static_cast<u32>(scene.textures.size() - 1);
  } catch (const InputError& error) {
    scene.warnings.push_back(place + "texture left out: " + error.what());
    return kNoTexture;
  }
}

}  // namespace

u32 add_texture(const std::vector<u8>& bytes, const std::string& name, const std::string& called,
                const std::string& place, SceneData& scene) {
  return add([&]() -> const std::vector<u8>& { return bytes; }, called, name, called, place, scene);
}

u32 add_texture_file(const std::filesystem::path& path, const std::string& called,
                     const std::string& place, SceneData& scene) {
  const std::string file = path.string();
  scene.files.push_back(file);
  return add([&] { return read_picture_file(file); }, file, path.filename().string(), called, place,
             scene);
}

}  // namespace ballotcast::detail
