// What the lines of an MTL material mean: its surface, the pictures that it names as textures, and
// warnings about materials that can't be seen because they are cut out everywhere.
#pragma once

#include <compare>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scene/formats/obj/mtl_parser.hpp"
#include "scene/formats/textures.hpp"
#include "scene/scene.hpp"
#include "scene/surface/material.hpp"

namespace ballotcast::detail {

/// The material without its textures. Its meaning follows `illum` and which lines there are:
///
///   Pr, Pm or their maps   a surface with a coat of 0.04, or a metal
///   illum 0, 1             no coat
///   illum 2                a coat of 0.08 Ks: exporters write Ks 0.5 for plastic
///   illum 4, 6, 7, 9       glass, if Ni is above 1 or d below 1; for illum 4 and 9 a thin pane
///   else                   a coat of Ks: a mirror if Ks is white
///
/// A map replaces the number of its key. Maps that can't be used must be removed from `from`.
Material surface_of(const MtlMaterial& from);

/// True if there are Pr, Pm or their maps.
bool is_measured(const MtlMaterial& m);

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

  /// The path of the picture that the material file `file` calls `name`: beside that file, or
  /// beside the object file. Each name is looked up once, because that takes time.
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
    bool clamps;
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

/// If all materials of a file have opacity 0, sets their opacity to 1 and returns true. Such files
/// come from programs that write d or Tr with the opposite meaning.
bool make_opaque_if_all_is_hidden(MtlText& text);

/// Collects warnings: one per material that hides triangles, and one per file whose materials were
/// made opaque.
class HiddenMaterials {
 public:
  explicit HiddenMaterials(std::vector<std::string>& warnings) : warnings_(warnings) {}

  struct Found {
    bool was_made_opaque;
    bool is_hidden;
  };
  /// Notes a material of `file` that is used by `triangles` triangles.
  void note(const std::string& file, const MtlMaterial& material, u64 triangles, Found found);

 private:
  std::vector<std::string>& warnings_;
  std::set<std::string> made_opaque_;  // files that have been warned about
};

}  // namespace ballotcast::detail
