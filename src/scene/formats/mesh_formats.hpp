// The formats of mesh files: a table with a loader for each format. Also messages about other
// files, and the search for files that mesh files refer to.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/portable.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

/// A row of the table.
struct MeshFormat {
  std::string_view suffix;     // suffix of its files, in lower case: ".obj"
  std::string_view companion;  // suffix of other files that belong to the format, or ""
  SceneData (*load)(const std::string& path, const LoadOptions& options);
  bool may_be_animated = false;
};

/// All formats. Files may be gzipped, with the suffix .gz after that of the format.
std::span<const MeshFormat> mesh_formats();

/// True if the format of this file name can contain animations.
bool may_be_animated(const std::string& path);

/// The suffixes of other formats that the library assimp reads, separated by blanks; "" if the
/// program was built without assimp.
std::string other_mesh_formats();

/// Loads a mesh file; its suffix selects the format. Throws InputError if the suffix is unknown,
/// and otherwise as the functions in the table do.
SceneData load_mesh(const std::string& path, const LoadOptions& options = {});

/// The suffix of JSON scene files, which are not in the table.
inline constexpr std::string_view kSceneFileSuffix = ".json";

/// True if a file with this name is a scene file.
bool is_scene_file(const std::string& path);

/// The suffixes of all files from which a scene may be read, including companion files, each also
/// with .gz.
std::vector<std::string> suffixes_of_inputs();

/// The suffixes of meshes and scene files, for messages and help: ".obj, .ply and .json", where
/// `last` is the word before the last suffix.
std::string kinds_of_scenes(const std::string& last);

// The loaders of the table.

/// Reads an OBJ file, plain or gzipped, with its material files and textures. What can't be drawn
/// is left out with a warning: see fill_mesh. Throws InputError, which names the file, if the file
/// can't be read or no triangle is left.
SceneData load_obj(const std::string& path, const LoadOptions& options = {});

/// Reads a PLY file: text, or binary of either byte order; plain or gzipped. Uses faces of any
/// number of corners, strips of triangles, normals, texture coordinates and colours of vertices,
/// colours of faces, texture coordinates of faces' corners, and the texture that a comment names.
/// What can't be drawn is left out with a warning: see fill_mesh. Throws InputError, which names
/// the file and a line or a byte, if the file can't be read or no triangle is left.
SceneData load_ply(const std::string& path, const LoadOptions& options = {});

/// Reads an STL file, text or binary, plain or gzipped. Equal positions become one vertex, so that
/// normals are smoothed as for an OBJ file without normals. The normals of the file are not used,
/// because they only repeat which way a triangle faces. What can't be drawn is left out with a
/// warning: see fill_mesh. Throws InputError, which names the file and a line or a byte, if the
/// file can't be read or no triangle is left.
SceneData load_stl(const std::string& path, const LoadOptions& options = {});

/// Reads an OFF file, plain or gzipped; binary ones are refused. Uses faces of any number of
/// corners, normals, texture coordinates and colours of vertices, and colours of faces. What can't
/// be drawn is left out with a warning: see fill_mesh. Throws InputError, which names the file and
/// a line, if the file can't be read or no triangle is left.
SceneData load_off(const std::string& path, const LoadOptions& options = {});

/// Reads a .gltf or .glb file, plain or gzipped, with its buffers and textures. Uses meshes at the
/// nodes of its scene, materials, the first camera, and the first directional light as the sun. A
/// mesh without normals is drawn flat, as the specification demands, unless `options` has a
/// crease angle. What can't be drawn is left out with a warning: see fill_mesh. Throws InputError,
/// which names the file and the part of it, if the file can't be read, needs an extension that is
/// not supported, or if no triangle is left.
SceneData load_gltf(const std::string& path, const LoadOptions& options = {});

/// The suffixes of formats that only the library assimp reads, in lower case and sorted: ".3ds",
/// ".dae". Empty unless the program was built with -DBALLOTCAST_ASSIMP=ON.
const std::vector<std::string>& other_suffixes();

/// Reads a file with one of other_suffixes(). Uses base colours with textures, emission, opacity,
/// roughness, metalness and normal maps of its materials. The transforms of nodes are applied. What
/// can't be drawn is left out with a warning: see fill_mesh. Throws InputError, which names the
/// file, if it can't be read or no triangle is left.
SceneData load_other(const std::string& path, const LoadOptions& options);

// Messages about files that no loader reads: files with a wrong suffix, and files of other
// programs.

/// A description of a file by its first bytes, such as "a PNG picture"; "" if the bytes are
/// unknown.
std::string seems_to_be(const std::vector<u8>& bytes);

/// Throws an InputError which says that the file at PATH is not of this `kind`, and what it seems
/// to be or how it begins.
[[noreturn]] void refuse_lookalike(const std::string& path, const std::string& kind,
                                   const std::vector<u8>& bytes);

/// A text that says how to convert a file of a well-known format that is not supported. `name` must
/// be in lower case. Returns "" for other suffixes.
std::string advice_on_suffix(std::string_view name);

// Finds files that other files refer to, even if upper and lower case differ, or if the path is
// from another computer.

/// Finds the file that a material or object file calls `name`. `directory` is the folder of the
/// material or object file. `name` is looked up there, with backslashes as slashes; upper and lower
/// case may differ. If this fails, only its last component is looked up, because the path may be
/// from another computer. Only regular files are found.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               std::string name);

/// As find_file above. If there is no such file, its name is recorded in `scene` as missing.
std::optional<std::filesystem::path> find_file(const std::filesystem::path& directory,
                                               const std::string& name, SceneData& scene);

/// The bytes of a mesh file, after decompression of gzip. Throws InputError if the file is empty,
/// and the errors of read_file.
std::vector<u8> read_mesh_file(const std::string& path);

/// An empty scene whose name is derived from `path`, the file from which it will be read.
SceneData scene_of_file(const std::string& path);

/// The name of a scene that was read from `path`: the file name without directory, .gz and the
/// suffix of the format.
std::string scene_name_of(const std::string& path);

}  // namespace ballotcast::detail
