#include "scene/hidden_materials.hpp"

#include <algorithm>

#include "scene/mtl_surface.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

bool make_opaque_if_all_is_hidden(MtlText& text) {
  const auto has_none = [](const MtlMaterial& material) {
    return material.opacity <= 0.0 && surface_of(material).transmission == Transmission::none;
  };
  if (text.materials.empty() || !std::ranges::all_of(text.materials, has_none)) return false;
  for (MtlMaterial& material : text.materials) material.opacity = 1.0;
  return true;
}

bool is_hidden(const Material& material, const SceneData& scene) {
  float most = material.opacity;
  if (material.opacity_texture != kNoTexture) {
    u8 alpha = 0;
    for (const Rgba8& texel : scene.textures[material.opacity_texture].pixels)
      alpha = std::max(alpha, texel.a);
    most *= static_cast<float>(alpha) / 255.0f;
  }
  return most < kCutoutThreshold;
}

void HiddenMaterials::note(const std::string& file, const MtlMaterial& material, u64 triangles,
                           Found found) {
  if (found.was_made_opaque && made_opaque_.insert(file).second)
    warnings_.push_back(at_line(file, material.opacity_line) +
                        "every material of this file has opacity 0 (d 0 or Tr 1), which is taken "
                        "for a mistake: they are drawn with opacity 1");
  if (!found.is_hidden) return;
  const bool by_map = material.opacity >= static_cast<double>(kCutoutThreshold);
  warnings_.push_back(
      at_line(file, by_map ? material.opacity_map.line : material.opacity_line) + "material " +
      quoted_name(material.name) + " hides " + counted(triangles, "triangle") + ": " +
      (by_map ? "all of its opacity texture" : "its opacity, " + fixed(material.opacity, 2) + ",") +
      " is below one half, where surfaces are cut out");
}

}  // namespace ballotcast::detail
