// Materials and textures of glTF files.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <vector>

#include "scene/formats/gltf/gltf_file.hpp"
#include "scene/formats/textures.hpp"

namespace ballotcast::detail {

/// Loads the textures of a file. Each picture is decoded once.
class GltfTextures {
 public:
  explicit GltfTextures(GltfFile& file) : file_(file) {}

  /// The index in SceneData::textures of the texture that the texture info `in` refers to. If it
  /// can't be used, adds a warning and returns kNoTexture. With `glossiness`, the green channel
  /// becomes the roughness: 1 - glossiness * alpha.
  u32 find(const Section& in, std::optional<double> glossiness = {});
  /// Adds the files of pictures that were not read to SceneData::unread_files.
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
  std::map<u32, u32> first_of_image_;  // for each picture: a texture that is the unchanged picture
};

/// The set of texture coordinates of a material, and their transform while v still points down: (u,
/// v) becomes along_u * u + along_v * v + offset (KHR_texture_transform).
struct GltfTexcoords {
  u32 set = 0;  // n of TEXCOORD_n
  glm::dvec2 along_u{1.0, 0.0}, along_v{0.0, 1.0}, offset{0.0};

  bool operator==(const GltfTexcoords&) const = default;
};

/// Where alpha is below this threshold, surfaces of a material have a hole: see alphaMode of the
/// format. 0 for opaque materials.
double threshold_of_alpha(const Section& material);

/// The texture coordinates of each material of the file.
std::vector<GltfTexcoords> texcoords_of_materials(const GltfFile& file);

/// Reads the materials and their textures into the scene. The result has an entry for each material
/// of the file and one more for triangles without a material; materials without triangles are left
/// out. `pieces` are the triangles of `mesh`, in the order of the scene's triangles.
FileMaterials load_gltf_materials(GltfFile& file, const std::vector<GltfTexcoords>& texcoords,
                                  const PolygonMesh& mesh,
                                  const std::vector<PolygonTriangle>& pieces);

}  // namespace ballotcast::detail
