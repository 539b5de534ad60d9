// The textures of glTF files: pictures, and what is beyond their edges.
#pragma once

#include <compare>
#include <map>
#include <optional>

#include "scene/formats/gltf/gltf_file.hpp"

namespace ballotcast::detail {

/// The textures of a file while it is loaded. Each picture is decoded once.
class GltfTextures {
 public:
  explicit GltfTextures(GltfFile& file) : file_(file) {}

  /// The index in SceneData::textures of the texture that the texture info `in` names. If it can't
  /// be used, adds a warning and returns kNoTexture. With `glossiness`, its alpha channel times
  /// this number becomes roughness, in the green channel.
  u32 find(const Section& in, std::optional<double> glossiness = {});
  /// Adds to SceneData::unread_files the files of pictures that were not read.
  void list_unread() const;

 private:
  struct Key {
    u32 image;
    Wrap across, down;
    std::optional<double> glossiness;
    auto operator<=>(const Key&) const = default;
  };

  Wrap wrap(const Section& texture, const char* key) const;
  u32 add(const Key& key);
  u32 load(u32 image);

  GltfFile& file_;
  std::map<Key, u32> textures_;
  std::map<u32, u32> first_of_image_;  // a texture that is the picture as it is
};

}  // namespace ballotcast::detail
