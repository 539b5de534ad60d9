// The pictures that MTL lines name, as textures.
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "scene/mtl_parser.hpp"
#include "scene/scene.hpp"
#include "scene/textures.hpp"

namespace ballotcast::detail {

/// A `map_` line, and the file that contains it.
struct MapLine {
  const std::filesystem::path& file;
  const MtlMap& map;

  std::string place() const { return at_line(file.string(), map.line); }
};

/// What a picture is turned into.
enum class TextureUse { as_is, opacity, bumps, exponent };

/// The textures of a scene while it is loaded. Each file is decoded once for each use.
class MtlTextures {
 public:
  MtlTextures(std::filesystem::path obj_directory, SceneData& scene)
      : obj_directory_(std::move(obj_directory)), scene_(scene) {}

  /// Where the picture is that the material file `file` calls `name`: beside that file, or beside
  /// the object file. Each name is looked up once, because that takes time.
  const std::optional<std::filesystem::path>& path_of(const std::filesystem::path& file,
                                                      const std::string& name);

  /// Notes that the picture of a line will be needed. Returns false if there is no such file.
  bool want(const MapLine& from);
  /// Decodes all wanted pictures, on all threads.
  void read_ahead();

  /// The index of the texture that `from` names, turned into what `use` needs. If the line names
  /// none, returns kNoTexture. If it can't be found or decoded, also adds a warning. `exponent` is
  /// for TextureUse::exponent.
  u32 find(const MapLine& from, TextureUse use, double exponent = 0.0);

 private:
  struct Key {
    std::string path;
    TextureUse use;
    double exponent;
    auto operator<=>(const Key&) const = default;
  };

  u32 load(const MapLine& from, const std::filesystem::path& path, TextureUse use, double exponent);

  std::filesystem::path obj_directory_;
  SceneData& scene_;
  // By folder of the material file, and name.
  std::map<std::pair<std::string, std::string>, std::optional<std::filesystem::path>> paths_;
  std::map<std::string, DecodedPicture> ahead_;  // by path
  std::map<Key, u32> index_;
  std::map<std::string, bool> missing_, refused_;
};

}  // namespace ballotcast::detail
