// Reads mesh files by assimp. Only this file and other_materials.cpp include it.
#include "scene/formats/assimp/other_formats.hpp"

#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <sstream>

#include "scene/affine.hpp"
#include "scene/fill_mesh.hpp"
#include "scene/formats/assimp/other_materials.hpp"
#include "scene/named_files.hpp"
#include "scene/vertex_color.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

constexpr std::size_t kMostCorners = 0x7fffffff;
/// Not read, although assimp has a format of this name: test results are called so, too.
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

  FileMesh collect() {
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
                                    ? FileCorner{first + i,
                                                 texcoords ? first_texcoord + i : kAbsent,
                                                 normals ? first_normal + i : kAbsent}
                                    : FileCorner{kInvalid, kAbsent, kAbsent});
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
  FileMesh mesh_;
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
  // A file that is not there gets the message that all files get.
  require_readable(path);
  if (files_are_limited())
    throw InputError(path +
                     ": the library that reads it may read other files, too, so it can't be sent");
  Assimp::Importer importer;
  const aiScene* from = importer.ReadFile(path, aiProcess_JoinIdenticalVertices);
  if (!from || !from->mRootNode)
    throw InputError(path + ": assimp can't read it: " + one_line(importer.GetErrorString()));
  SceneData scene;
  scene.name = scene_name_of(path);
  scene.files = {path};
  FileMesh mesh = Collector(path, *from, scene).collect();
  const std::vector<FilePiece> pieces =
      fill_mesh(path, mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  const FileMaterials materials = load_other_materials(
      path, *from, triangles_of_materials(mesh, pieces, from->mNumMaterials + 1), scene);
  use_materials(path, mesh, pieces, materials, scene);
  warn_of_rest(path, *from, scene);
  return scene;
}

}  // namespace ballotcast::detail
