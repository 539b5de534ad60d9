#include "scene/obj_materials.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>

#include "image/codec.hpp"
#include "scene/mtl_parser.hpp"
#include "support/error.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {
namespace {

namespace fs = std::filesystem;

// The largest material file, in bytes.
constexpr std::uint64_t kLargestLibrary = std::uint64_t{1} << 26;

std::string at_line(const std::string& path, u32 line) {
  return path + ": line " + std::to_string(line) + ": ";
}

/// False for pipes and devices that a material file may name: reading one might go on for ever.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Finds `name` below `directory`, ignoring the case of each component.
std::optional<fs::path> find_ignoring_case(fs::path directory, const fs::path& name) {
  for (const fs::path& part : name) {
    std::error_code error;
    if (fs::exists(directory / part, error)) {
      directory /= part;
      continue;
    }
    // Takes the first in alphabetical order, because directory order differs between machines.
    std::optional<std::string> best;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end;
         entry.increment(error)) {
      std::string candidate = entry->path().filename().string();
      if (lowered(candidate) == lowered(part.string()) && (!best || candidate < *best))
        best = std::move(candidate);
    }
    if (!best) return std::nullopt;
    directory /= *best;
  }
  return is_file(directory) ? std::optional(directory) : std::nullopt;
}

/// Finds the file that a material or object file calls `name`. The name is relative to that file's
/// directory, and backslashes count as slashes. Of an absolute path from another machine, the last
/// component is tried.
std::optional<fs::path> find_file(const fs::path& directory, std::string name) {
  // The operating system would cut the name there.
  if (name.find('\0') != name.npos) return std::nullopt;
  for (char& c : name)
    if (c == '\\') c = '/';
  const fs::path wanted(name);
  if (wanted.empty()) return std::nullopt;
  if (is_file(directory / wanted)) return directory / wanted;
  if (wanted.is_relative())
    if (auto found = find_ignoring_case(directory, wanted)) return found;
  return find_ignoring_case(directory, wanted.filename());
}

float clamped(double value, float high) { return clamp_to(static_cast<float>(value), 0.0f, high); }

vec3 clamped(dvec3 value, float high) {
  return {clamped(value.x, high), clamped(value.y, high), clamped(value.z, high)};
}

/// Moves an opacity mask to the alpha channel, where opacity is read. If the alpha channel is not
/// all opaque, it is the mask already; else the mask is the grey value.
void make_opacity(Image<Rgba8>& image) {
  for (const Rgba8& pixel : image.pixels)
    if (pixel.a != 255) return;
  for (Rgba8& pixel : image.pixels) pixel.a = pixel.r;
}

/// A `map_` line, and the file that contains it.
struct MapLine {
  const fs::path& file;
  const MtlMap& map;

  std::string place() const { return at_line(file.string(), map.line); }
};

/// The textures of a scene while it is loaded. Each file is decoded once.
class TextureShelf {
 public:
  TextureShelf(fs::path obj_directory, SceneData& scene)
      : obj_directory_(std::move(obj_directory)), scene_(scene) {}

  /// The index of the picture that `from` names. It is searched beside the material file and beside
  /// the object file. If the line names no picture, returns kNoTexture; if the picture can't be
  /// found, also adds a warning.
  u32 find(const MapLine& from, bool opacity) {
    const std::string& name = from.map.name;
    if (name.empty()) return kNoTexture;
    auto path = find_file(from.file.parent_path(), name);
    if (!path) path = find_file(obj_directory_, name);
    if (!path) {
      if (missing_.emplace(name, true).second)
        scene_.warnings.push_back(from.place() + "texture " + quoted_name(name) + " not found");
      return kNoTexture;
    }
    const auto [entry, is_new] = index_.try_emplace({path->string(), opacity}, kNoTexture);
    if (is_new) entry->second = load(from, *path, opacity);
    if (entry->second != kNoTexture && !from.map.not_honored.empty())
      scene_.warnings.push_back(from.place() + "texture drawn without its options " +
                                from.map.not_honored);
    return entry->second;
  }

 private:
  u32 load(const MapLine& from, const fs::path& path, bool opacity) {
    Image<Rgba8> image;
    const auto twin = index_.find({path.string(), !opacity});
    if (twin != index_.end()) {
      if (twin->second == kNoTexture) return kNoTexture;
      image = scene_.textures[twin->second];
    } else {
      scene_.files.push_back(path.string());  // even if unusable, so that no output overwrites it
      try {
        image = read_image(path.string());
      } catch (const InputError& error) {
        scene_.warnings.push_back(from.place() + "texture left out: " + error.what());
        return kNoTexture;
      }
    }
    if (opacity) make_opacity(image);
    scene_.textures.push_back(std::move(image));
    scene_.texture_names.push_back(path.filename().string());
    return static_cast<u32>(scene_.textures.size() - 1);
  }

  fs::path obj_directory_;
  SceneData& scene_;
  std::map<std::pair<std::string, bool>, u32> index_;
  std::map<std::string, bool> missing_;
};

/// The names in a list. A backslash before a space makes the space part of the name.
std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  bool begins = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool escaped = list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ' ';
    if (escaped) ++i;
    if (is_blank(list[i]) && !escaped) {
      begins = true;
      continue;
    }
    if (begins) names.emplace_back();
    begins = false;
    names.back() += list[i];
  }
  return names;
}

struct Definition {
  MtlMaterial material;
  fs::path file;
};

/// All materials of all files that the `mtllib` lines name. The first material of a name counts.
class Definitions {
 public:
  Definitions(const fs::path& directory, const std::string& obj, const ObjText& text,
              SceneData& scene) {
    for (const ObjLibrary& library : text.libraries) {
      // The line is either one name that contains spaces, or several names.
      const std::string all(unquoted(library.names));
      if (const auto whole = find_file(directory, all)) {
        add(*whole, scene);
        continue;
      }
      for (const std::string& name : names_in(all)) {
        if (name.starts_with('#')) break;
        if (const auto path = find_file(directory, name))
          add(*path, scene);
        else
          scene.warnings.push_back(at_line(obj, library.line) + "material file " +
                                   quoted_name(name) + " not found");
      }
    }
  }

  const Definition* find(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &found->second;
  }

 private:
  void add(const fs::path& path, SceneData& scene) {
    if (!added_.emplace(path.string(), true).second) return;
    const std::string file = path.string();
    scene.files.push_back(file);  // even if unusable, so that no output overwrites it
    try {
      MtlText text = parse_mtl(read_maybe_gzip(file, kLargestLibrary), file);
      LineTally repeated;
      for (MtlMaterial& material : text.materials) {
        const u32 line = material.line;
        std::string name = material.name;
        if (!by_name_.try_emplace(std::move(name), Definition{std::move(material), path}).second)
          repeated.note(line);
      }
      if (text.says_anything && text.materials.empty())
        scene.warnings.push_back(file + ": material file without a material");
      report(file,
             {{repeated, "materials left out, whose names another defined before has"},
              {text.nowhere, "lines left out that stand before the first newmtl"},
              {text.unusable, "colours and opacities left out, not numbers of at least 0"},
              {text.above_one, "colours and opacities above 1, taken as 1"},
              {text.too_bright, "emissions above 2^20, taken as that"},
              {text.halos, "opacities left out that hold at a halo only (d -halo)"},
              {text.unnamed, "textures left out that have no name"}},
             scene.warnings);
    } catch (const InputError& error) {
      scene.warnings.push_back(std::string("material file left out: ") + error.what());
    }
  }

  std::unordered_map<std::string, Definition> by_name_;
  std::map<std::string, bool> added_;
};

Material made_from(const Definition& definition, TextureShelf& shelf) {
  const MtlMaterial& from = definition.material;
  Material material;
  if (from.has_color) material.color = clamped(from.color, 1.0f);
  material.emission = clamped(from.emission, static_cast<float>(kBrightest));
  material.opacity = clamped(from.opacity, 1.0f);
  material.color_texture = shelf.find({definition.file, from.color_map}, false);
  // Exporters leave Kd at an arbitrary grey or at 0, so the picture alone is the colour.
  if (material.color_texture != kNoTexture) material.color = vec3(1.0f);
  material.opacity_texture = shelf.find({definition.file, from.opacity_map}, true);
  return material;
}

/// The texture placement of a material. Its colour and opacity maps must have the same placement.
TexturePlacement placement_of(const Definition& definition, const Material& material,
                              SceneData& scene) {
  const MtlMaterial& from = definition.material;
  const auto place_of = [](const MtlMap& map) {
    return TexturePlacement{map.scale, map.offset, map.clamps};
  };
  const TexturePlacement color = place_of(from.color_map), opacity = place_of(from.opacity_map);
  if (material.opacity_texture == kNoTexture) return color;
  if (material.color_texture == kNoTexture) return opacity;
  if (color != opacity)
    scene.warnings.push_back(at_line(definition.file.string(), from.opacity_map.line) +
                             "texture placed as map_Kd says: its own -s, -o and -clamp differ");
  return color;
}

}  // namespace

LoadedMaterials load_materials(const std::string& path, const ObjText& obj,
                               const std::vector<bool>& used, SceneData& scene) {
  const fs::path directory = fs::path(path).parent_path();
  const Definitions definitions(directory, path, obj, scene);
  TextureShelf shelf(directory, scene);
  LoadedMaterials loaded;
  loaded.index_of.resize(obj.material_names.size(), 0);
  loaded.placement_of.resize(obj.material_names.size());
  std::optional<u32> grey;
  u64 unknown = 0;
  std::size_t first_unknown = 0;
  const auto add = [&](Material material, std::string name) {
    scene.materials.push_back(material);
    scene.material_names.push_back(std::move(name));
    return static_cast<u32>(scene.materials.size() - 1);
  };
  for (std::size_t i = 0; i < loaded.index_of.size(); ++i) {
    if (!used[i]) continue;
    const std::string& name = obj.material_names[i];
    if (const Definition* definition = name.empty() ? nullptr : definitions.find(name)) {
      const Material material = made_from(*definition, shelf);
      loaded.placement_of[i] = placement_of(*definition, material, scene);
      loaded.index_of[i] = add(material, name);
      continue;
    }
    if (!grey) grey = add(Material{}, "default");
    loaded.index_of[i] = *grey;
    if (!name.empty() && unknown++ == 0) first_unknown = i;
  }
  if (scene.materials.empty()) add(Material{}, "default");
  if (unknown != 0)
    scene.warnings.push_back(
        path + ": materials defined nowhere and drawn grey: " + std::to_string(unknown) +
        " (first: " + quoted_name(obj.material_names[first_unknown]) + ", line " +
        std::to_string(obj.material_lines[first_unknown]) + ")");
  return loaded;
}

}  // namespace ballotcast::detail
