// Materials and textures of glTF files.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <vector>

#include "scene/formats/gltf/gltf_file.hpp"
#include "scene/formats/textures.hpp"

namespace ballotcast::detail {

/// The textures of a file while it is loaded. Each picture is decoded once.
class GltfTextures {
 public:
  explicit GltfTextures(GltfFile& file) : file_(file) {}

  /// The index in SceneData::textures of the texture that the texture info `in` names. If it can't
  /// be used, adds a warning and returns kNoTexture. With `glossiness`, the green channel becomes
  /// the roughness: 1 - glossiness * alpha.
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

/// Which texture coordinates a material uses, and how they are transformed while v still points
/// down: (u, v) becomes along_u * u + along_v * v + offset (KHR_texture_transform).
struct GltfTexcoords {
  u32 set = 0;  // the n of TEXCOORD_n
  glm::dvec2 along_u{1.0, 0.0}, along_v{0.0, 1.0}, offset{0.0};

  bool operator==(const GltfTexcoords&) const = default;
};

/// The alpha below which surfaces of a material are cut out: see alphaMode of the format. 0 for
/// opaque materials.
double threshold_of_alpha(const Section& material);

/// The texture coordinates of each material of the file.
std::vector<GltfTexcoords> texcoords_of_materials(const GltfFile& file);

/// Reads the materials and their textures into the scene. The result has an entry for each material
/// of the file and one more for triangles without a material; materials without triangles are left
/// out. `pieces` are the triangles of `mesh`, in the order of the scene's.
FileMaterials load_gltf_materials(GltfFile& file, const std::vector<GltfTexcoords>& texcoords,
                                  const PolygonMesh& mesh,
                                  const std::vector<PolygonTriangle>& pieces);

}  // namespace ballotcast::detail
