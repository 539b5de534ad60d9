// The textures of a glTF file while it is loaded.
#pragma once

#include <map>

#include "scene/formats/gltf/gltf_file.hpp"

namespace ballotcast::detail {

/// Decodes each picture once.
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

}  // namespace ballotcast::detail
