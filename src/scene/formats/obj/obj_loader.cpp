// Loads Wavefront OBJ files as scenes, with the materials and textures that they name.
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "ballotcast/error.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "scene/formats/obj/mtl_materials.hpp"
#include "scene/formats/obj/obj_parser.hpp"
#include "scene/formats/textures.hpp"
#include "scene/mesh/fill_mesh.hpp"
#include "support/files/files.hpp"
#include "support/profile.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

namespace fs = std::filesystem;

// The largest material file, in bytes. Larger files are refused: real ones are far smaller.
constexpr std::uint64_t kLargestLibrary = std::uint64_t{1} << 26;

/// The names in a list, which are separated by blanks. A blank after a backslash is part of a name.
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
  bool was_made_opaque = false;  // see make_opaque_if_all_is_hidden
};

/// All materials of all files in `mtllib` lines. If two have the same name, the first one is used.
class Definitions {
 public:
  Definitions(const fs::path& directory, const std::string& obj, const ObjText& text,
              SceneData& scene) {
    for (const ObjLibrary& library : text.libraries) {
      // The rest of the line is either one name that contains blanks, or several names.
      const std::string all(unquoted(library.names));
      if (const auto whole = find_file(directory, all, scene)) {
        add(*whole, scene);
        continue;
      }
      for (const std::string& name : names_in(all)) {
        if (name.starts_with('#')) break;
        if (const auto path = find_file(directory, name, scene))
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

  /// All pictures that the files refer to, each with the file that refers to it.
  const std::set<std::pair<fs::path, std::string>>& pictures() const { return pictures_; }

 private:
  void add(const fs::path& path, SceneData& scene) {
    if (!added_.emplace(path.string(), true).second) return;
    const std::string file = path.string();
    scene.files.push_back(file);  // even if unusable, so that no output overwrites it
    try {
      MtlText text = parse_mtl(read_maybe_gzip(file, kLargestLibrary), file);
      LineTally repeated;
      for (const std::string& picture : pictures_of(text)) pictures_.emplace(path, picture);
      const bool opaque = make_opaque_if_all_is_hidden(text);
      for (MtlMaterial& material : text.materials) {
        const u32 line = material.line;
        std::string name = material.name;
        if (!by_name_.try_emplace(std::move(name), Definition{std::move(material), path, opaque})
                 .second)
          repeated.note(line);
      }
      if (text.says_anything && text.materials.empty())
        scene.warnings.push_back(file + ": material file without a material");
      report(file,
             {{repeated, "materials left out, because an earlier one has the same name"},
              {text.nowhere, "lines before the first newmtl, ignored"},
              {text.unusable, "unusable values (not numbers of at least 0), ignored"},
              {text.above_one, "values above 1, reduced to 1"},
              {text.too_bright, "emissions above 2^20, reduced to 2^20"},
              {text.halos, "opacities with -halo, which is not supported, ignored"},
              {text.unnamed, "texture lines without a file name, ignored"}},
             scene.warnings);
    } catch (const InputError& error) {
      scene.warnings.push_back(std::string("material file left out: ") + error.what());
    }
  }

  std::unordered_map<std::string, Definition> by_name_;
  std::set<std::pair<fs::path, std::string>> pictures_;
  std::map<std::string, bool> added_;
};

/// Adds the pictures that material files refer to but that were not read to scene.unread_files.
void list_unread_pictures(const Definitions& definitions, MtlTextures& textures, SceneData& scene) {
  constexpr std::size_t kMost = 10000;  // limit on file lookups, because they take time
  const std::set<std::string> read(scene.files.begin(), scene.files.end());
  std::size_t looked_for = 0;
  for (const auto& [file, name] : definitions.pictures()) {
    if (++looked_for > kMost) break;
    const auto& path = textures.path_of(file, name);
    if (path && !read.contains(path->string())) scene.unread_files.push_back(path->string());
  }
}

/// Makes a material. `find_texture` has the parameters of MtlTextures::find.
template <class Find>
Material made_from(const Definition& definition, const Find& find_texture) {
  MtlMaterial from = definition.material;
  // A map that can't be used is treated as missing, so that the number of its key is used.
  const auto find = [&](MtlMap MtlMaterial::*map, TextureUse use = TextureUse::as_is,
                        double exponent = 0.0) {
    const u32 texture = find_texture(MapLine{definition.file, from.*map}, use, exponent);
    if (texture == kNoTexture) (from.*map).name.clear();
    return texture;
  };
  const Material wished = surface_of(from);
  Material found;
  found.color_texture = find(&MtlMaterial::color_map);
  if (wished.transmission == Transmission::none)
    found.opacity_texture = find(&MtlMaterial::opacity_map, TextureUse::opacity);
  found.emission_texture = find(&MtlMaterial::emission_map);
  found.normal_texture = find(&MtlMaterial::normal_map);
  if (found.normal_texture == kNoTexture)
    found.normal_texture = find(&MtlMaterial::bump_map, TextureUse::bumps);
  if (largest_magnitude(wished.specular) > 0.0f || wished.metallic > 0.0f) {
    if (!is_measured(from)) found.specular_texture = find(&MtlMaterial::specular_map);
    found.metallic_texture = find(&MtlMaterial::metallic_map);
    found.roughness_texture = find(&MtlMaterial::roughness_map);
    if (found.roughness_texture == kNoTexture && !from.roughness)
      found.roughness_texture =
          find(&MtlMaterial::exponent_map, TextureUse::exponent, from.exponent.value_or(1000.0));
  }
  Material material = surface_of(from);
  for (const TextureMember texture : kTexturesOfMaterial) material.*texture = found.*texture;
  // If there is a texture, many exporters write an arbitrary grey or 0 as Kd or Ke. So only the
  // texture is used.
  if (material.color_texture != kNoTexture) material.color = vec3(1.0f);
  if (material.emission_texture != kNoTexture && !material.emits()) material.emission = vec3(1.0f);
  return material;
}

/// The texture placement of a material, which is that of its first map. Adds a warning about each
/// other map with a different placement.
TexturePlacement placement_of(const Definition& definition, SceneData& scene) {
  const NamedMtlMap* first = nullptr;
  TexturePlacement placement;
  for (const NamedMtlMap& row : kMtlMaps) {
    const MtlMap& map = definition.material.*row.map;
    if (map.name.empty()) continue;
    const TexturePlacement own{map.scale, map.offset};
    if (!first) {
      first = &row;
      placement = own;
    } else if (own != placement) {
      scene.warnings.push_back(at_line(definition.file.string(), map.line) + row.key +
                               " uses the -s and -o of " + first->key + "; its own differ");
    }
  }
  return placement;
}

/// Reads the material files that `obj` names, and their textures, into `scene`, which must not have
/// materials or textures yet. `obj` was read from `path`. triangles[i] is the number of triangles
/// of material i; materials without triangles are left out. Problems become warnings in `scene`: a
/// material without a definition becomes default_material, a missing texture is ignored. A material
/// that makes its triangles invisible also causes a warning.
FileMaterials load_materials(const std::string& path, const ObjText& obj,
                             const std::vector<u64>& triangles, SceneData& scene) {
  const ProfileSpan span("materials");
  const fs::path directory = fs::path(path).parent_path();
  const Definitions definitions(directory, path, obj, scene);
  MtlTextures textures(directory, scene);
  FileMaterials loaded;
  loaded.index_of.resize(obj.materials.names.size(), 0);
  loaded.placement_of.resize(obj.materials.names.size());
  HiddenMaterials hidden(scene.warnings);
  std::optional<u32> grey;
  u64 unknown = 0;
  std::size_t first_unknown = 0;
  const auto add = [&](Material material, std::string name) {
    scene.materials.push_back(material);
    scene.material_names.push_back(std::move(name));
    return static_cast<u32>(scene.materials.size() - 1);
  };
  const auto definition_of = [&](std::size_t i) {
    const std::string& name = obj.materials.names[i];
    return name.empty() ? nullptr : definitions.find(name);
  };
  // Materials are made twice. The first time only finds the pictures that they need, so that all
  // pictures can be decoded in parallel.
  for (std::size_t i = 0; i < triangles.size(); ++i)
    if (const Definition* definition = triangles[i] == 0 ? nullptr : definition_of(i))
      made_from(*definition, [&](const MapLine& from, TextureUse, double) {
        return textures.want(from) ? 0u : kNoTexture;
      });
  textures.read_ahead();
  for (std::size_t i = 0; i < loaded.index_of.size(); ++i) {
    if (triangles[i] == 0) continue;
    const std::string& name = obj.materials.names[i];
    if (const Definition* definition = definition_of(i)) {
      const Material material =
          made_from(*definition, [&](const MapLine& from, TextureUse use, double exponent) {
            return textures.find(from, use, exponent);
          });
      hidden.note(definition->file.string(), definition->material, triangles[i],
                  {definition->was_made_opaque, is_hidden(material, scene)});
      loaded.placement_of[i] = placement_of(*definition, scene);
      loaded.index_of[i] = add(material, name);
      continue;
    }
    if (!grey) grey = add(default_material(scene.mesh), "default");
    loaded.index_of[i] = *grey;
    if (!name.empty() && unknown++ == 0) first_unknown = i;
  }
  if (scene.materials.empty()) add(default_material(scene.mesh), "default");
  list_unread_pictures(definitions, textures, scene);
  if (unknown != 0)
    scene.warnings.push_back(
        path + ": materials without a definition, drawn grey: " + std::to_string(unknown) +
        " (first: " + quoted_name(obj.materials.names[first_unknown]) + ", line " +
        std::to_string(obj.materials.lines[first_unknown]) + ")");
  return loaded;
}

/// Adds warnings about lines that could not be used completely.
void report_lines(const std::string& path, const ObjText& obj, SceneData& scene) {
  const ObjTallies& lines = obj.tallies;
  report(path,
         {{lines.no_numbers,
           "lines with coordinates that are not numbers (decimals need a point, not a comma)"},
          {lines.too_few, "lines with missing coordinates, which are set to 0"},
          {lines.colors, kColorsOutOfRange},
          {lines.weights, "weights of vertices, which only curves have, ignored"},
          {lines.see_through, "vertices with alpha, drawn opaque"},
          {lines.moved_normals, "faces of corners v/vt in a file without vt, taken for v//vn"},
          {lines.lines_and_points, "lines and points left out"},
          {lines.curves, "lines of curves and surfaces left out"},
          {lines.commands, "commands (call, csh), ignored"},
          {lines.unknown, "unknown lines, ignored"}},
         scene.warnings);
}

}  // namespace

SceneData load_obj(const std::string& path, const LoadOptions& options) {
  std::vector<u8> bytes = read_mesh_file(path);
  const std::vector<u8> front(bytes.begin(),
                              bytes.begin() + std::min<std::ptrdiff_t>(std::ssize(bytes), 1024));
  ObjText obj = parse_obj(std::move(bytes), path);
  if (obj.mesh.positions.empty() && obj.tallies.unknown.count != 0)
    refuse_lookalike(path, "an OBJ file", front);
  SceneData scene = scene_of_file(path);
  report_lines(path, obj, scene);
  const std::vector<PolygonTriangle> pieces =
      fill_mesh(path, obj.mesh, options.crease_angle.value_or(kCreaseAngle), scene);
  const FileMaterials materials = load_materials(
      path, obj, triangles_of_materials(obj.mesh, pieces, obj.materials.names.size()), scene);
  use_materials(path, obj.mesh, pieces, materials, scene);
  return scene;
}

}  // namespace ballotcast::detail
