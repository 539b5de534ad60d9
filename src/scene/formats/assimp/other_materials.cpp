#include "scene/formats/assimp/other_materials.hpp"

#include <assimp/material.h>
#include <assimp/scene.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "scene/hidden_materials.hpp"
#include "scene/named_files.hpp"
#include "scene/textures.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

/// A number from a file that must be from 0 to `most`.
float within(float value, float most) { return value >= 0.0f ? std::min(value, most) : 0.0f; }

vec3 color_of(const aiColor3D& c, float most) {
  return {within(c.r, most), within(c.g, most), within(c.b, most)};
}

/// Loads the textures of the file, each once.
class Textures {
 public:
  Textures(const std::string& path, const aiScene& from, SceneData& scene)
      : path_(path), from_(from), scene_(scene) {}

  /// The texture of this type, or kNoTexture.
  u32 find(const aiMaterial& material, aiTextureType type) {
    aiString name;
    if (material.GetTexture(type, 0, &name) != aiReturn_SUCCESS) return kNoTexture;
    const auto [entry, is_new] = known_.try_emplace(name.C_Str(), kNoTexture);
    if (is_new) entry->second = load(entry->first);
    return entry->second;
  }

 private:
  u32 load(const std::string& name) {
    const std::string place = path_ + ": ";
    if (const aiTexture* inside = from_.GetEmbeddedTexture(name.c_str())) {
      if (inside->mHeight != 0) {
        scene_.warnings.push_back(place + "texture " + quoted_name(name) +
                                  " left out: pixels that are not a picture file");
        return kNoTexture;
      }
      const u8* bytes = reinterpret_cast<const u8*>(inside->pcData);
      return add_texture({bytes, bytes + inside->mWidth}, one_line(name), quoted_name(name), place,
                         scene_);
    }
    if (const auto file = find_file(std::filesystem::path(path_).parent_path(), name, scene_))
      return add_texture_file(*file, name, place, scene_);
    scene_.warnings.push_back(place + "texture " + quoted_name(name) + " not found");
    return kNoTexture;
  }

  const std::string& path_;
  const aiScene& from_;
  SceneData& scene_;
  std::map<std::string, u32> known_;
};

Material material_from(const aiMaterial& in, Textures& textures) {
  Material m;
  aiColor3D color;
  float number = 0.0f;
  const bool physical = in.Get(AI_MATKEY_BASE_COLOR, color) == aiReturn_SUCCESS;
  m.color_texture = textures.find(in, aiTextureType_BASE_COLOR);
  if (m.color_texture == kNoTexture) m.color_texture = textures.find(in, aiTextureType_DIFFUSE);
  // As for OBJ files, a texture replaces the older kind of colour.
  if (physical)
    m.color = color_of(color, 1.0f);
  else if (m.color_texture != kNoTexture)
    m.color = vec3(1.0f);
  else if (in.Get(AI_MATKEY_COLOR_DIFFUSE, color) == aiReturn_SUCCESS)
    m.color = color_of(color, 1.0f);
  if (in.Get(AI_MATKEY_COLOR_EMISSIVE, color) == aiReturn_SUCCESS)
    m.emission = color_of(color, static_cast<float>(kBrightest));
  m.emission_texture = textures.find(in, aiTextureType_EMISSIVE);
  if (in.Get(AI_MATKEY_OPACITY, number) == aiReturn_SUCCESS) m.opacity = within(number, 1.0f);
  if (in.Get(AI_MATKEY_METALLIC_FACTOR, number) == aiReturn_SUCCESS)
    m.metallic = within(number, 1.0f);
  if (in.Get(AI_MATKEY_ROUGHNESS_FACTOR, number) == aiReturn_SUCCESS)
    m.roughness = within(number, 1.0f);
  m.normal_texture = textures.find(in, aiTextureType_NORMALS);
  return m;
}

}  // namespace

FileMaterials load_other_materials(const std::string& path, const aiScene& from,
                                   const std::vector<u64>& triangles, SceneData& scene) {
  Textures textures(path, from, scene);
  FileMaterials loaded{std::vector<u32>(triangles.size(), 0),
                       std::vector<TexturePlacement>(triangles.size())};
  for (u32 i = 0; i < triangles.size(); ++i) {
    if (triangles[i] == 0) continue;
    loaded.index_of[i] = static_cast<u32>(scene.materials.size());
    if (i == from.mNumMaterials) {
      scene.materials.push_back(default_material(scene.mesh));
      scene.material_names.emplace_back("default");
      continue;
    }
    const aiMaterial& in = *from.mMaterials[i];
    const std::string name = one_line(in.GetName().C_Str());
    scene.materials.push_back(material_from(in, textures));
    scene.material_names.push_back(name.empty() ? "material " + std::to_string(i) : name);
    if (is_hidden(scene.materials.back(), scene))
      scene.warnings.push_back(path + ": material " + quoted_name(name) + " hides " +
                               counted(triangles[i], "triangle") +
                               ": its opacity is below the threshold where surfaces are cut out");
  }
  return loaded;
}

}  // namespace ballotcast::detail
