// A glTF 2.0 file (Khronos Group, glTF 2.0 Specification, 2021): its JSON and its bytes, and the
// extensions that are known to this program (Khronos Group, glTF Extension Registry).
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "math/portable.hpp"
#include "scene/json/json_section.hpp"
#include "scene/scene_data.hpp"
#include "support/json.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

// Functions for URIs. A URI is a data URI, which contains the data, or the name of a file.

/// True for a URI that begins with "data:".
bool is_data_uri(std::string_view uri);

/// The data of a data URI (RFC 2397) with base64 or percent-encoding; nothing if it is malformed.
std::optional<std::vector<u8>> data_of_uri(std::string_view uri);

/// The file name that a URI stands for: %20 and the like are replaced by single characters.
std::string file_of_uri(std::string_view uri);

/// Finds the file that a URI names, starting at `directory`, as find_file does. If there is none,
/// looks for a file with the URI itself as its name.
std::optional<std::filesystem::path> find_uri(const std::filesystem::path& directory,
                                              const std::string& uri);

/// An opened glTF file. Messages contain its path. The files that it reads are listed in the scene.
class GltfFile {
 public:
  /// Opens a .gltf or .glb file; the bytes decide which of the two it is. Throws InputError if the
  /// file is neither of them, if it is not glTF 2, or if it requires an extension that is not
  /// supported. Warnings and file names are added to `scene`, which must outlive this object.
  GltfFile(const std::string& path, SceneData& scene);
  GltfFile(const GltfFile&) = delete;
  GltfFile& operator=(const GltfFile&) = delete;

  const std::string& path() const { return path_; }
  SceneData& scene() const { return scene_; }
  Section root() const { return {json_, path_, ""}; }

  /// The number of elements of a list at the top level of the file, such as "nodes".
  u32 size_of(const char* list) const;
  /// An element of such a list, which must exist.
  Section item(const char* list, u32 index) const;
  /// The index of an element of `list` that is stored in `in` under `key`. Throws InputError if
  /// there is no such element.
  u32 index(const Section& in, const char* key, const char* list) const;
  /// As `index`, for a key that may be missing.
  std::optional<u32> index_if(const Section& in, const char* key, const char* list) const;
  /// A list of indices, each as `index`; empty if the key is missing.
  std::vector<u32> indices(const Section& in, const char* key, const char* list) const;

  /// The bytes of a buffer view, valid as long as this object exists or until free_buffers().
  /// Throws InputError if its buffer is missing, can't be read or decoded, or is too short.
  std::span<const u8> view(u32 buffer_view);
  /// Frees the bytes of all buffers, unless a buffer contains a picture. Afterwards only pictures
  /// may be read, and bytes that `view` returned are no longer valid.
  void free_buffers();
  /// The number of bytes that were read so far.
  u64 bytes_read() const { return bytes_read_; }

  /// Records a warning about a part of the file: PATH: "WHERE" `what`.
  void warn(const Section& where, const std::string& what);
  /// Adds the recorded warnings to those of the scene. Of several warnings with the same text, it
  /// adds the first one and the number of the others.
  void report_warnings();

 private:
  void open_binary();
  void require_json() const;
  void require_version() const;
  std::span<const u8> buffer(u32 index);
  std::span<const u8> bytes_of(const Section& in);

  std::string path_;
  SceneData& scene_;
  std::vector<u8> bytes_;       // bytes of the file, if it is a .glb
  std::span<const u8> binary_;  // the binary chunk in it
  bool has_binary_ = false;
  Json json_;
  std::map<u32, std::vector<u8>> buffers_;  // buffers that were read, by index
  std::map<u32, std::vector<u8>> views_;    // compressed views that were decoded, by index
  u64 bytes_read_ = 0;
  struct Noted {
    std::string where, what;
    u64 others;
  };
  std::vector<Noted> noted_;                     // in the order in which they were first recorded
  std::map<std::string, std::size_t> noted_at_;  // index in noted_, by `what`
};

/// The extension of `in` called `name`, if it has one.
std::optional<Section> extension(const Section& in, const char* name);

/// The name of a part of a file, or `otherwise` if the part has no name or the name is not a text.
std::string name_in(const Section& in, const std::string& otherwise);

/// The number under `key`, or `otherwise` if the key is missing.
double number_or(const Section& in, const char* key, double otherwise);

/// An extension. docs/scenes.md has the same table.
struct GltfExtension {
  std::string_view name;
  bool used;              // false: the picture is drawn without this effect
  std::string_view what;  // a description of the effect
  // The package with the library that the program needs for this extension
  std::string_view package = "";

  /// True if this program uses the extension.
  bool is_used() const;
};

/// All known extensions, sorted by name.
const std::vector<GltfExtension>& gltf_extensions();

/// Checks the extensions that a file lists, and the extensions of its objects. Throws InputError,
/// which names `path`, if the file requires an extension that this program does not use. Adds one
/// warning about all other extensions that it does not use.
void check_extensions(const Json& file, const std::string& path, SceneData& scene);

}  // namespace ballotcast::detail
