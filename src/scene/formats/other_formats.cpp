// Reads mesh files with assimp. Only this file includes the library.
#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "ballotcast/error.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/textures.hpp"
#include "scene/instances/mesh_placement.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"
#ifdef BALLOTCAST_HAS_ASSIMP
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#endif

namespace ballotcast::detail {

#ifdef BALLOTCAST_HAS_ASSIMP

namespace {

/// Clamps a number from a file to [0, most]; NaN becomes 0.
float within(float value, float most) { return value >= 0.0f ? std::min(value, most) : 0.0f; }

vec3 color_of(const aiColor3D& c, float most) {
  return {within(c.r, most), within(c.g, most), within(c.b, most)};
}

/// Loads the textures of the file. Each is loaded once.
class Textures {
 public:
  Textures(const std::string& path, const aiScene& from, SceneData& scene)
      : path_(path), from_(from), scene_(scene) {}

  /// The index of the texture of this type, or kNoTexture.
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
  // As in OBJ files, a texture replaces the diffuse colour.
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

/// Adds the materials that have triangles, with their textures. `triangles` has the number of
/// triangles of each material of the file, and one more element for faces without a material.
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

constexpr std::size_t kMostCorners = 0x7fffffff;
/// assimp has a format with this suffix, which is not supported here, because files with test
/// results have the same suffix.
constexpr std::string_view kAnyXml = "*.xml";

Affine affine_of(const aiMatrix4x4& m) {
  return {dvec3(vec3(m.a1, m.b1, m.c1)), dvec3(vec3(m.a2, m.b2, m.c2)),
          dvec3(vec3(m.a3, m.b3, m.c3)), dvec3(vec3(m.a4, m.b4, m.c4))};
}

dvec3 vector_of(const aiVector3D& v) { return dvec3(vec3(v.x, v.y, v.z)); }

/// Collects the faces of the meshes at all nodes.
class Collector {
 public:
  Collector(const std::string& path, const aiScene& from, SceneData& scene)
      : path_(path), from_(from), scene_(scene) {
    for (u32 i = 0; i < from.mNumMeshes; ++i) {
      const std::string name = one_line(from.mMeshes[i]->mName.C_Str());
      mesh_.place_names.push_back("mesh " + std::to_string(i) +
                                  (name.empty() ? "" : " " + quoted_name(name)));
    }
  }

  PolygonMesh collect() {
    struct Open {
      const aiNode* node;
      Affine to_world;
    };
    std::vector<Open> open = {{from_.mRootNode, {}}};
    while (!open.empty()) {
      const auto [node, outer] = open.back();
      open.pop_back();
      if (!node) continue;
      const Affine to_world = composed(outer, affine_of(node->mTransformation));
      for (u32 i = 0; i < node->mNumMeshes; ++i)
        if (node->mMeshes[i] < from_.mNumMeshes) add(node->mMeshes[i], to_world);
      for (u32 i = node->mNumChildren; i-- > 0;) open.push_back({node->mChildren[i], to_world});
    }
    if (!mesh_.colors.empty()) mesh_.colors.resize(mesh_.positions.size(), vec3(1.0f));
    if (skinned_)
      scene_.warnings.push_back(path_ +
                                ": drawn without their bones: " + counted(skinned_, "mesh"));
    if (bad_colors_)
      scene_.warnings.push_back(path_ + ": " + kColorsOutOfRange + ", in " +
                                counted(bad_colors_, "mesh"));
    return std::move(mesh_);
  }

 private:
  void add(u32 index, const Affine& to_world) {
    const aiMesh& in = *from_.mMeshes[index];
    if (mesh_.positions.size() + in.mNumVertices > kMostCorners)
      throw InputError(path_ + ": more than 2^31 vertices");
    const i32 first = static_cast<i32>(mesh_.positions.size());
    const i32 first_normal = static_cast<i32>(mesh_.normals.size());
    const i32 first_texcoord = static_cast<i32>(mesh_.texcoords.size());
    const bool normals = in.HasNormals(), texcoords = in.HasTextureCoords(0);
    for (u32 i = 0; i < in.mNumVertices; ++i) {
      mesh_.positions.push_back(to_world.point(vector_of(in.mVertices[i])));
      if (normals) mesh_.normals.push_back(to_world.normal(vector_of(in.mNormals[i])));
      if (texcoords)
        mesh_.texcoords.emplace_back(in.mTextureCoords[0][i].x, in.mTextureCoords[0][i].y);
    }
    add_colors(in, static_cast<std::size_t>(first));
    if (in.HasBones()) ++skinned_;
    const bool turned = to_world.mirrors();
    for (u32 f = 0; f < in.mNumFaces; ++f) {
      const aiFace& face = in.mFaces[f];
      if (face.mNumIndices < 3) {
        mesh_.has_lines_or_points = true;
        continue;
      }
      if (mesh_.corners.size() + face.mNumIndices > kMostCorners)
        throw InputError(path_ + ": more than 2^31 corners");
      const u32 begin = static_cast<u32>(mesh_.corners.size());
      for (u32 k = 0; k < face.mNumIndices; ++k) {
        const u32 vertex = face.mIndices[turned ? face.mNumIndices - 1 - k : k];
        const i32 i = static_cast<i32>(vertex);
        mesh_.corners.push_back(vertex < in.mNumVertices
                                    ? PolygonCorner{first + i,
                                                    texcoords ? first_texcoord + i : kAbsent,
                                                    normals ? first_normal + i : kAbsent}
                                    : PolygonCorner{kInvalid, kAbsent, kAbsent});
      }
      const u32 material = std::min(in.mMaterialIndex, from_.mNumMaterials);
      mesh_.faces.push_back({begin, face.mNumIndices, material, index});
    }
  }

  void add_colors(const aiMesh& in, std::size_t first) {
    if (!in.HasVertexColors(0)) return;
    bool fits = true;
    mesh_.colors.resize(first, vec3(1.0f));
    for (u32 i = 0; i < in.mNumVertices; ++i) {
      const aiColor4D& c = in.mColors[0][i];
      mesh_.colors.push_back(linear_vertex_color(dvec3(vec3(c.r, c.g, c.b)), fits));
    }
    if (!fits) ++bad_colors_;
  }

  const std::string& path_;
  const aiScene& from_;
  SceneData& scene_;
  PolygonMesh mesh_;
  u64 skinned_ = 0, bad_colors_ = 0;
};

void warn_of_rest(const std::string& path, const aiScene& from, SceneData& scene) {
  const auto left_out = [&](u32 count, const char* what) {
    if (count != 0) scene.warnings.push_back(path + ": left out: " + counted(count, what));
  };
  left_out(from.mNumCameras, "camera");
  left_out(from.mNumLights, "light");
  left_out(from.mNumAnimations, "animation");
}

}  // namespace

const std::vector<std::string>& other_suffixes() {
  static const std::vector<std::string> all = [] {
    Assimp::Importer importer;
    std::string list;
    importer.GetExtensionList(list);  // "*.3ds;*.dae"
    std::vector<std::string> found;
    std::istringstream in(list);
    for (std::string entry; std::getline(in, entry, ';');)
      if (entry.starts_with("*.") && entry != kAnyXml) found.push_back(lowered(entry.substr(1)));
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }();
  return all;
}

SceneData load_other(const std::string& path, const LoadOptions& options) {
  // With this check, a missing file gives the same message as in other formats.
  require_readable(path);
  if (files_are_limited())
    throw InputError(path +
                     ": the library that reads it may read other files, too, so it can't be sent");
  Assimp::Importer importer;
  const aiScene* from = importer.ReadFile(path, aiProcess_JoinIdenticalVertices);
  if (!from || !from->mRootNode)
    throw InputError(path + ": assimp can't read it: " + one_line(importer.GetErrorString()));
  SceneData scene = scene_of_file(path);
  PolygonMesh mesh = Collector(path, *from, scene).collect();
  const std::vector<PolygonTriangle> pieces =
      fill_mesh(path, mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  const FileMaterials materials = load_other_materials(
      path, *from, triangles_of_materials(mesh, pieces, from->mNumMaterials + 1), scene);
  use_materials(path, mesh, pieces, materials, scene);
  warn_of_rest(path, *from, scene);
  return scene;
}

#else

const std::vector<std::string>& other_suffixes() {
  static const std::vector<std::string> none;
  return none;
}

SceneData load_other(const std::string& path, const LoadOptions&) {
  throw InputError(path + ": this program was built without assimp");
}

#endif

}  // namespace ballotcast::detail
