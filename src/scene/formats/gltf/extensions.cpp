#include <algorithm>
#include <map>

#include "ballotcast/error.hpp"
#include "image/codec.hpp"
#include "scene/formats/gltf/accessors.hpp"
#include "scene/formats/gltf/gltf_file.hpp"
#include "scene/json/json_section.hpp"
#include "support/json.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::string_view kNothing = "says nothing about the picture";

}  // namespace

const std::vector<GltfExtension>& gltf_extensions() {
  static const std::vector<GltfExtension> all = {
      {"ADOBE_materials_thin_transparency", false, "thin glass of this kind"},
      {"AGI_articulations", true, kNothing},
      {"CESIUM_RTC", false, "where the whole file is in the world"},
      {"EXT_draco_mesh_compression", false, "compressed meshes"},
      {"EXT_instance_features", true, kNothing},
      {"EXT_lights_ies", false, "profiles of lights"},
      {"EXT_lights_image_based", false, "light from pictures of the surroundings"},
      {"EXT_mesh_features", true, kNothing},
      {"EXT_mesh_gpu_instancing", true, "a mesh at many places"},
      {"EXT_mesh_manifold", true, kNothing},
      {"EXT_meshopt_compression", true, "compressed meshes", "libmeshoptimizer-dev"},
      {"EXT_structural_metadata", true, kNothing},
      {"EXT_texture_avif", false,
       "pictures that are AVIF; the other picture is used, if there is one"},
      {"EXT_texture_webp", true, "pictures that are WebP", "libwebp-dev"},
      {"FB_geometry_metadata", true, kNothing},
      {"GODOT_single_root", true, kNothing},
      {"KHR_animation_pointer", false, "animations of other things than nodes"},
      {"KHR_audio_emitter", true, kNothing},
      {"KHR_draco_mesh_compression", true, "compressed meshes", "libdraco-dev"},
      {"KHR_gaussian_splatting", false, "splats"},
      {"KHR_interactivity", true, kNothing},
      {"KHR_lights_punctual", true, "the first directional light is the sun; others are left out"},
      {"KHR_materials_anisotropy", false, "highlights that are longer in one direction"},
      {"KHR_materials_clearcoat", false, "clear coats over materials"},
      {"KHR_materials_diffuse_transmission", false, "light that shines through paper and leaves"},
      {"KHR_materials_dispersion", false, "colours into which glass splits light"},
      {"KHR_materials_emissive_strength", true, "bright lamps"},
      {"KHR_materials_ior", true, "how much a coat mirrors; how glass bends light"},
      {"KHR_materials_iridescence", false, "colours of thin films"},
      {"KHR_materials_pbrSpecularGlossiness", true, "a coat over a surface that is no metal"},
      {"KHR_materials_sheen", false, "the sheen of cloth"},
      {"KHR_materials_specular", true, "coats; `specularTexture` is left out"},
      {"KHR_materials_transmission", true, "glass; its texture is left out"},
      {"KHR_materials_unlit", true, "a matt surface"},
      {"KHR_materials_variants", false, "other sets of materials; the default one is drawn"},
      {"KHR_materials_volume", true, "a body of glass; attenuation is left out"},
      {"KHR_mesh_quantization", true, "small types of numbers"},
      {"KHR_meshopt_compression", true, "compressed meshes", "libmeshoptimizer-dev"},
      {"KHR_node_hoverability", true, kNothing},
      {"KHR_node_selectability", true, kNothing},
      {"KHR_node_visibility", true, "hidden nodes"},
      {"KHR_physics_rigid_bodies", true, kNothing},
      {"KHR_techniques_webgl", false, "materials that are shaders"},
      {"KHR_texture_basisu", false,
       "pictures that are KTX 2; the other picture is used, if there is one"},
      {"KHR_texture_transform", true,
       "places of textures; those of a material are placed like its first"},
      {"KHR_xmp", true, kNothing},
      {"KHR_xmp_json_ld", true, kNothing},
      {"MSFT_lod", true, "the finest level is drawn"},
      {"MSFT_packing_normalRoughnessMetallic", true, kNothing},
      {"MSFT_packing_occlusionRoughnessMetallic", true, kNothing},
      {"MSFT_texture_dds", false,
       "pictures that are DDS; the other picture is used, if there is one"},
      {"VRM", true, kNothing},
      {"VRMC_materials_mtoon", false, "materials of cartoons"},
      {"VRMC_node_constraint", true, kNothing},
      {"VRMC_springBone", true, kNothing},
      {"VRMC_vrm", true, kNothing}};
  return all;
}

bool GltfExtension::is_used() const {
  return used && (package != "libwebp-dev" || has_webp()) &&
         (package != "libdraco-dev" || has_draco()) &&
         (package != "libmeshoptimizer-dev" || has_meshopt());
}

namespace {

const GltfExtension* find(std::string_view name) {
  const std::vector<GltfExtension>& all = gltf_extensions();
  const auto at =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const GltfExtension& e, std::string_view n) { return e.name < n; });
  return at != all.end() && at->name == name ? &*at : nullptr;
}

/// The texts of a list, or no texts if `in` does not have the list.
std::vector<std::string> texts_if(const Section& in, const char* key) {
  if (!in.has(key) || (in.at(key).is_array() && in.at(key).empty())) return {};
  return in.texts(key);
}

/// The names of extensions, and the first object that has each of them; "" if no object has it.
using FirstUses = std::map<std::string, std::string>;

/// Finds the extensions of all objects of a document. The recursion is safe, because parse_json
/// limits the nesting of a document.
void collect(const Json& value, const std::string& place, FirstUses& first_uses) {
  if (value.is_object() && value.contains("extensions") && value["extensions"].is_object())
    for (const auto& [name, content] : value["extensions"].items())
      if (std::string& first = first_uses[name]; first.empty())
        first = place.empty() ? "the file" : place;
  if (value.is_object())
    for (const auto& [key, member] : value.items())
      if (key != "extras" && member.is_structured())
        collect(member, place.empty() ? key : place + "." + key, first_uses);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      if (value[i].is_structured())
        collect(value[i], place + "[" + std::to_string(i) + "]", first_uses);
}

/// The text for an unused extension in messages.
std::string named(const std::string& name, const std::string& place) {
  const GltfExtension* const known = find(name);
  constexpr std::size_t kShown = 60;  // bytes of the text for the place
  std::string what(known           ? std::string(known->what)
                   : place.empty() ? "unknown; nothing has it"
                                   : "unknown; first at " + one_line(place.substr(0, kShown)));
  if (known && known->used)
    what += "; this program was built without " + std::string(known->package);
  return quoted_name(name) + " (" + what + ")";
}

}  // namespace

void check_extensions(const Json& file, const std::string& path, SceneData& scene) {
  const Section root(file, path, "");
  FirstUses first_uses;
  collect(file, "", first_uses);
  for (const std::string& name : texts_if(root, "extensionsRequired")) {
    const GltfExtension* const known = find(name);
    if (!known || !known->is_used())
      throw InputError(path + ": the file needs the extension " + named(name, first_uses[name]) +
                       ", which is not supported; save it without");
  }
  for (const std::string& name : texts_if(root, "extensionsUsed")) first_uses.try_emplace(name);
  constexpr std::size_t kLongest = 2000;  // bytes; needed because names may be long
  std::string list;
  u64 others = 0;
  for (const auto& [name, place] : first_uses) {
    const GltfExtension* const known = find(name);
    if (known && known->is_used()) continue;
    if (list.size() > kLongest)
      ++others;
    else
      list += (list.empty() ? "" : ", ") + named(name, place);
  }
  if (others != 0) list += " and " + std::to_string(others) + " more";
  if (!list.empty()) scene.warnings.push_back(path + ": drawn without the extensions " + list);
}

}  // namespace ballotcast::detail
