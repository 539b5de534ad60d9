#include "scene/formats/mesh_formats.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "scene/formats/lookalikes.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/error.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kGzip = ".gz";

constexpr std::array kFormats = {
    MeshFormat{".obj", ".mtl", load_obj},     MeshFormat{".ply", "", load_ply},
    MeshFormat{".stl", "", load_stl},         MeshFormat{".off", "", load_off},
    MeshFormat{".gltf", "", load_gltf, true}, MeshFormat{".glb", "", load_gltf, true}};

/// The format of a file with this name in lower case, or null.
const MeshFormat* format_of(std::string_view name) {
  if (name.ends_with(kGzip)) name.remove_suffix(kGzip.size());
  for (const MeshFormat& format : kFormats)
    if (name.ends_with(format.suffix)) return &format;
  return nullptr;
}

}  // namespace

std::span<const MeshFormat> mesh_formats() { return kFormats; }

SceneData load_mesh(const std::string& path, const LoadOptions& options) {
  const std::string given = lowered(path);
  if (const MeshFormat* format = format_of(given)) return format->load(path, options);
  std::string name = given;
  if (name.ends_with(kGzip)) name.resize(name.size() - kGzip.size());
  if (name.ends_with(kSceneFileSuffix))
    throw InputError(path + ": a scene file can't be a mesh of another one");
  if (is_packed_name(path))
    throw InputError(path + ": a packed scene is a whole one and can't be a mesh of another one");
  for (const std::string& suffix : other_suffixes())
    if (given.ends_with(suffix)) return load_other(path, options);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw InputError(path + ": is a folder, not a file");
  std::string more = advice_on_suffix(name);
  if (more.empty())
    more = other_suffixes().empty() ? "a program that was built with assimp knows more"
                                    : "ballotcast info lists more";
  throw InputError(path + ": unknown kind of file; known are " + kinds_of_scenes("and") + "; " +
                   more);
}

bool is_scene_file(const std::string& path) { return lowered(path).ends_with(kSceneFileSuffix); }

bool may_be_animated(const std::string& path) {
  const MeshFormat* format = format_of(lowered(path));
  return format && format->may_be_animated;
}

std::vector<std::string> suffixes_of_inputs() {
  std::vector<std::string> all;
  for (const MeshFormat& format : kFormats)
    for (const std::string_view suffix : {format.suffix, format.companion})
      if (!suffix.empty()) {
        all.emplace_back(suffix);
        all.push_back(all.back() + std::string(kGzip));
      }
  all.insert(all.end(), other_suffixes().begin(), other_suffixes().end());
  all.emplace_back(kSceneFileSuffix);
  all.emplace_back(kPackedSuffix);
  return all;
}

std::string other_mesh_formats() {
  std::string list;
  for (const std::string& suffix : other_suffixes()) {
    const bool is_own =
        suffix == kSceneFileSuffix ||
        std::any_of(kFormats.begin(), kFormats.end(), [&](const MeshFormat& format) {
          return suffix == format.suffix || suffix == format.companion;
        });
    if (!is_own) list += (list.empty() ? "" : " ") + suffix;
  }
  return list;
}

std::string kinds_of_scenes(const std::string& last) {
  std::string list;
  for (const MeshFormat& format : kFormats) list += std::string(format.suffix) + ", ";
  return list + std::string(kSceneFileSuffix) + " " + last + " " + std::string(kPackedSuffix);
}

}  // namespace ballotcast::detail
