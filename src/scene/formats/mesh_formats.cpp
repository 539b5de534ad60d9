#include "scene/formats/mesh_formats.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "ballotcast/error.hpp"
#include "scene/formats/readers.hpp"
#include "scene/pack/packed_scene.hpp"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kGzip = ".gz";

constexpr std::array kFormats = {
    MeshFormat{".obj", ".mtl", load_obj},     MeshFormat{".ply", "", load_ply},
    MeshFormat{".stl", "", load_stl},         MeshFormat{".off", "", load_off},
    MeshFormat{".gltf", "", load_gltf, true}, MeshFormat{".glb", "", load_gltf, true}};

/// The format whose suffix this name has, or null. `name` must be in lower case.
const MeshFormat* format_of(std::string_view name) {
  if (name.ends_with(kGzip)) name.remove_suffix(kGzip.size());
  for (const MeshFormat& format : kFormats)
    if (name.ends_with(format.suffix)) return &format;
  return nullptr;
}

}  // namespace

std::span<const MeshFormat> mesh_formats() { return kFormats; }

SceneData load_mesh(const std::string& path, const LoadOptions& options) {
  const std::string lowered_path = lowered(path);
  if (const MeshFormat* format = format_of(lowered_path)) return format->load(path, options);
  std::string name = lowered_path;
  if (name.ends_with(kGzip)) name.resize(name.size() - kGzip.size());
  if (name.ends_with(kSceneFileSuffix))
    throw InputError(path + ": a scene file can't be a mesh of another one");
  if (is_packed_name(path))
    throw InputError(path + ": a packed scene is a whole one and can't be a mesh of another one");
  for (const std::string& suffix : other_suffixes())
    if (lowered_path.ends_with(suffix)) return load_other(path, options);
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

namespace {

struct Signature {
  std::string_view begin;  // the first bytes of the file
  const char* kind;
};

constexpr std::array<Signature, 18> kSignatures = {
    {{"\x89PNG", "a PNG picture"},
     {"\xff\xd8\xff", "a JPEG picture"},
     {"GIF8", "a GIF picture"},
     {"%PDF", "a PDF file"},
     {"glTF", "a binary glTF file (.glb)"},
     {"Kaydara FBX Binary", "an FBX file"},
     {"BLENDER", "a Blender file"},
     {"PXR-USDC", "a USD file"},
     {"#usda", "a USD file"},
     {"PK\x03\x04", "a ZIP archive, as 3MF and USDZ files are"},
     {"ISO-10303-21", "a STEP file"},
     {"version https://git-lfs", "a pointer of Git LFS; \"git lfs pull\" fetches the file itself"},
     {"<!DOCTYPE html", "a web page"},
     {"<!doctype html", "a web page"},
     {"<html", "a web page"},
     {"<?xml", "an XML file"},
     {"{", "JSON, as glTF files and scene files are"},
     {"\x7f"
      "ELF",
      "a program"}}};

/// The first words of text formats for meshes.
constexpr std::array<Signature, 10> kFirstWords = {{{"ply", "a PLY file"},
                                                    {"solid", "a text STL file"},
                                                    {"OFF", "an OFF file"},
                                                    {"COFF", "an OFF file"},
                                                    {"NOFF", "an OFF file"},
                                                    {"v", "an OBJ file"},
                                                    {"vn", "an OBJ file"},
                                                    {"vt", "an OBJ file"},
                                                    {"mtllib", "an OBJ file"},
                                                    {"newmtl", "an MTL file"}}};

/// A format that is not supported, and programs that can convert it.
struct ForeignKind {
  std::string_view suffixes;  // each followed by a blank
  const char* kind;
  const char* converters;
};

constexpr std::array<ForeignKind, 8> kForeign = {
    {{".usd .usda .usdc .usdz ", "USD", "Blender exports .glb"},
     {".blend ", "Blender",
      "Blender exports .glb: blender -b FILE --python-expr \"import bpy; "
      "bpy.ops.export_scene.gltf(filepath='out.glb')\""},
     {".fbx .dae .3ds ", "FBX, Collada and 3DS",
      "a program that was built with assimp reads them; "
      "Blender, or assimp export FILE out.glb"},
     {".step .stp .iges .igs .brep ", "CAD", "FreeCAD or gmsh -2 FILE -o out.stl"},
     {".3mf ", "3MF", "PrusaSlicer --export-stl FILE, or MeshLab"},
     {".x3d .wrl .vrml ", "X3D and VRML", "MeshLab or Blender export .ply"},
     {".max .ma .mb .c4d .skp ", "3ds Max, Maya, Cinema 4D and SketchUp",
      "these programs export .obj or .glb"},
     {".vtk .vtp .vtu ", "VTK", "ParaView saves .ply"}}};

std::string_view text_of(const std::vector<u8>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::string seems_to_be(const std::vector<u8>& bytes) {
  std::string_view front = trimmed(without_mark(text_of(bytes).substr(0, 1024)));
  for (const Signature& row : kSignatures)
    if (front.starts_with(row.begin)) return row.kind;
  while (front.starts_with('#')) {  // skips comments
    front.remove_prefix(std::min(front.find_first_of("\r\n"), front.size()));
    front = trimmed(front);
  }
  const std::string_view word = next_word(front);
  for (const Signature& row : kFirstWords)
    if (word == row.begin) return row.kind;
  return {};
}

void refuse_lookalike(const std::string& path, const std::string& kind,
                      const std::vector<u8>& bytes) {
  const std::string other = seems_to_be(bytes);
  constexpr std::size_t kShown = 16;  // number of characters
  throw InputError(path + ": not " + kind + ": " +
                   (other.empty()
                        ? "it begins with " + quoted_name(text_of(bytes).substr(0, kShown))
                        : "it seems to be " + other));
}

std::string advice_on_suffix(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return {};
  const std::string wanted = std::string(name.substr(dot)) + " ";
  for (const ForeignKind& row : kForeign) {
    const std::size_t found = row.suffixes.find(wanted);
    if (found != row.suffixes.npos)
      return std::string("to convert files of ") + row.kind + ": " + row.converters;
  }
  return {};
}

namespace {

namespace fs = std::filesystem;

/// Finds `name` below `directory`. If a component of the name does not exist, a component that
/// differs only in upper and lower case is used.
std::optional<fs::path> find_ignoring_case(fs::path directory, const fs::path& name) {
  for (const fs::path& component : name) {
    std::error_code error;
    if (fs::exists(directory / component, error)) {
      directory /= component;
      continue;
    }
    // Of several candidates the first in alphabetical order is used, because the order of entries
    // in a directory differs between computers.
    std::optional<std::string> best;
    // A file name without a folder refers to the working folder.
    const fs::path folder = directory.empty() ? "." : directory;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      std::string candidate = entry->path().filename().string();
      if (lowered(candidate) == lowered(component.string()) && (!best || candidate < *best))
        best = std::move(candidate);
    }
    if (!best) return std::nullopt;
    directory /= *best;
  }
  return is_file(directory) ? std::optional(directory) : std::nullopt;
}

}  // namespace

std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               std::string name) {
  // The operating system would end the name at a null character.
  if (name.find('\0') != name.npos) return std::nullopt;
  for (char& c : name)
    if (c == '\\') c = '/';
  const std::filesystem::path wanted(name);
  if (wanted.empty()) return std::nullopt;
  // Never a pipe or a device, which a material file may also name: reading one might never end.
  if (is_file(directory / wanted)) return directory / wanted;
  if (wanted.is_relative())
    if (auto found = find_ignoring_case(directory, wanted)) return found;
  return find_ignoring_case(directory, wanted.filename());
}

std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               const std::string& name, SceneData& scene) {
  std::optional<std::filesystem::path> found = find_file(directory, name);
  if (!found) scene.missed_files.push_back({directory.string(), name});
  return found;
}

std::vector<u8> read_mesh_file(const std::string& path) {
  std::vector<u8> bytes = read_maybe_gzip(path);
  if (bytes.empty()) throw InputError(path + ": empty file");
  return bytes;
}

SceneData scene_of_file(const std::string& path) {
  SceneData scene;
  scene.name = scene_name_of(path);
  scene.files = {path};
  return scene;
}

std::string scene_name_of(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz" || name.extension() == ".GZ") name = name.stem();
  return one_line(name.stem().string());
}

}  // namespace ballotcast::detail
