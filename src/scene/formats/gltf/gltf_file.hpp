// A glTF 2.0 file (Khronos Group, glTF 2.0 Specification, 2021): its JSON and its bytes,
// and the extensions that are known here (Khronos Group, glTF Extension Registry).
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
#include "scene/scene.hpp"
#include "support/json.hpp"
#include "support/json_fwd.hpp"

namespace ballotcast::detail {

// URIs in a file are data URIs, which contain their data, or names of files.

/// True for a URI that begins with "data:".
bool is_data_uri(std::string_view uri);

/// The data of a data URI (RFC 2397) with base64 or percent-encoding; nothing if it is malformed.
std::optional<std::vector<u8>> data_of_uri(std::string_view uri);

/// The name of the file that a URI means: %20 and the like become single characters.
std::string file_of_uri(std::string_view uri);

/// Finds the file that a URI names, starting at `directory`, as find_file does. If there is none,
/// looks for a file with the URI itself as its name.
std::optional<std::filesystem::path> find_uri(const std::filesystem::path& directory,
                                              const std::string& uri);

/// An opened glTF file. Messages name its path. The files that it reads are listed in the scene.
class GltfFile {
 public:
  /// Opens a .gltf or .glb file; the bytes decide which it is. Throws InputError if it is neither,
  /// if it is no glTF 2, or if it needs an extension that is not supported. `scene` gets warnings
  /// and the names of files; it must outlive this object.
  GltfFile(const std::string& path, SceneData& scene);
  GltfFile(const GltfFile&) = delete;
  GltfFile& operator=(const GltfFile&) = delete;

  const std::string& path() const { return path_; }
  SceneData& scene() const { return scene_; }
  Section root() const { return {json_, path_, ""}; }

  /// The number of elements of a list at the top of the file, such as "nodes".
  u32 size_of(const char* list) const;
  /// An element of it, which must exist.
  Section item(const char* list, u32 index) const;
  /// The index of an element of `list` that `in` has under `key`. Throws InputError if there is no
  /// such element.
  u32 index(const Section& in, const char* key, const char* list) const;
  /// As `index`, for a key that may be missing.
  std::optional<u32> index_if(const Section& in, const char* key, const char* list) const;
  /// A list of such indices; empty if the key is missing.
  std::vector<u32> indices(const Section& in, const char* key, const char* list) const;

  /// The bytes of a buffer view. They stay valid as long as this object. Throws InputError if they
  /// don't exist.
  std::span<const u8> view(u32 buffer_view);
  /// Frees the bytes of buffers, unless a picture lies in them. Afterwards only pictures may be
  /// read, and bytes that `view` returned are no longer valid.
  void free_buffers();
  /// The bytes that were read so far.
  u64 bytes_read() const { return bytes_read_; }

  /// Notes a warning about a part of the file: PATH: "WHERE" `what`.
  void warn(const Section& where, const std::string& what);
  /// Adds the noted warnings to those of the scene. Of several with the same text, it adds the
  /// first one and the number of the others.
  void report_warnings();

 private:
  void open_binary();
  void require_json() const;
  void require_version() const;
  std::span<const u8> buffer(u32 index);
  std::span<const u8> bytes_of(const Section& in);

  std::string path_;
  SceneData& scene_;
  std::vector<u8> bytes_;       // of the file, if it is a .glb
  std::span<const u8> binary_;  // the binary chunk in it
  bool has_binary_ = false;
  Json json_;
  std::map<u32, std::vector<u8>> buffers_;  // those that were read
  std::map<u32, std::vector<u8>> views_;    // those that were compressed
  u64 bytes_read_ = 0;
  struct Noted {
    std::string where, what;
    u64 others;
  };
  std::vector<Noted> noted_;                     // in the order in which they were first noted
  std::map<std::string, std::size_t> noted_at_;  // by `what`
};

/// The extension of `in` called `name`, if it has one.
std::optional<Section> extension(const Section& in, const char* name);

/// The name of a part of a file, or `otherwise` if it has none that is a text.
std::string name_in(const Section& in, const std::string& otherwise);

/// The number under `key`, or `otherwise` if the key is missing.
double number_or(const Section& in, const char* key, double otherwise);

/// An extension. docs/scenes.md has the same table.
struct GltfExtension {
  std::string_view name;
  bool used;                      // false: the picture is drawn without `what`
  std::string_view what;          // in words
  std::string_view package = "";  // of a library without which the program can't use it

  /// True if this program uses it.
  bool is_used() const;
};

/// All that are known, sorted by name.
const std::vector<GltfExtension>& gltf_extensions();

/// Checks the extensions that a file lists, and those that its objects have. Throws InputError,
/// which names `path`, if the file requires one that this program does not use. Adds one warning
/// about all others that it does not use.
void check_extensions(const Json& file, const std::string& path, SceneData& scene);

}  // namespace ballotcast::detail
