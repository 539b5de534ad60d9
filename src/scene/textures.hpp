// Adds pictures to a scene as textures.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.hpp"

namespace ballotcast::detail {

/// A picture that is not part of a scene yet.
struct DecodedPicture {
  Image<Rgba8> image;
  std::string not_shown;  // what of the file is not in `image`, or ""
  std::string failure;    // why there is no image, or ""
};

/// Reads and decodes a picture file. Throws nothing if it can't be used.
DecodedPicture decode_picture_file(const std::string& path);

/// Decodes a picture and adds it to `scene` under the name `name`. `called` is what the file of the
/// scene calls it, and `place` the beginning of warnings, such as "a.mtl: line 3: ". Returns the
/// index of the texture; if the picture can't be used, adds a warning and returns kNoTexture.
u32 add_texture(const std::vector<u8>& bytes, const std::string& name, const std::string& called,
                const std::string& place, SceneData& scene);

/// As add_texture, for a file. `picture` is what decode_picture_file gave for it. The file is
/// listed in SceneData::files even if it can't be used, so that no output overwrites it.
u32 add_texture_file(const std::filesystem::path& path, DecodedPicture picture,
                     const std::string& called, const std::string& place, SceneData& scene);
u32 add_texture_file(const std::filesystem::path& path, const std::string& called,
                     const std::string& place, SceneData& scene);

}  // namespace ballotcast::detail
