#include "backends/prepare.hpp"

#include <cmath>

#include "bvh/builders/builder.hpp"
#include "image/srgb.hpp"
#include "support/float_environment.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

vec3 unit_of(dvec3 v, vec3 fallback) {
  const double length = std::sqrt(glm::dot(v, v));
  return length > 0.0 && std::isfinite(length) ? vec3(v / length) : fallback;
}

DaylightView daylight_of(const SceneData& scene) {
  DaylightView d;
  const vec3 up = unit_of(scene.up, {0.0f, 1.0f, 0.0f});
  d.to_sun = unit_of(scene.sun.direction, up);
  d.sun_irradiance = scene.sun.color * scene.sun.strength;
  d.up = up;
  d.zenith = scene.sky.zenith * scene.sky.strength;
  d.horizon = scene.sky.horizon * scene.sky.strength;
  d.ground = scene.sky.ground * scene.sky.strength;
  return d;
}

double area_of(const Mesh& mesh, u32 triangle) {
  const dvec3 n = mesh.normal_of(triangle);
  return 0.5 * std::sqrt(glm::dot(n, n));
}

void find_emitters(const SceneData& scene, PreparedScene& out) {
  if (!scene.has_emitters()) return;
  const Mesh& mesh = scene.mesh;
  std::vector<double> cumulative;
  double area = 0.0;
  for (u32 i = 0; i < mesh.triangles.size(); ++i) {
    const Material& material = scene.materials[mesh.material_of.empty() ? 0 : mesh.material_of[i]];
    if (!material.emits()) continue;
    const double own = area_of(mesh, i);
    if (!(own > 0.0)) continue;
    out.emitters.push_back(i);
    cumulative.push_back(area += own);
  }
  for (const double sum : cumulative)
    out.emitters_cumulative.push_back(static_cast<float>(sum / area));
  out.view.emitters.area = static_cast<float>(area);
}

}  // namespace

std::shared_ptr<const PreparedScene> prepare(std::shared_ptr<const SceneData> scene_pointer,
                                             std::string_view builder, std::string_view layout,
                                             const BuildProgress& report) {
  const DefaultFloats floats;
  auto out = std::make_shared<PreparedScene>();
  const SceneData& scene = *scene_pointer;
  out->scene = scene_pointer;
  if (scene.materials.empty()) throw InputError(scene.name + ": scene has no material");
  for (const u32 material : scene.mesh.material_of)
    if (material >= scene.materials.size())
      throw InputError(scene.name + ": a triangle names a material that does not exist");
  for (const Material& material : scene.materials)
    for (const u32 texture : {material.color_texture, material.opacity_texture})
      if (texture != kNoTexture && texture >= scene.textures.size())
        throw InputError(scene.name + ": a material names a texture that does not exist");

  scene.mesh.require_valid();
  out->copies = find_copies(scene.mesh, [&scene](u32 id) {
    return !scene.materials[scene.mesh.material_of.empty() ? 0 : scene.mesh.material_of[id]]
                .may_cut_out();
  });
  out->tree = builder_called(builder).build(scene.mesh, out->copies, report);
  out->encoded = encode(layout, out->tree, scene.mesh);
  out->bounds = scene.mesh.bounds();

  SceneView& view = out->view;
  view = {};
  const auto or_null = [](const auto& v) { return v.empty() ? nullptr : v.data(); };
  view.mesh = {scene.mesh.positions.data(), scene.mesh.triangles.data(),
               or_null(scene.mesh.corner_normals), or_null(scene.mesh.corner_texcoords),
               or_null(scene.mesh.material_of)};
  for (const auto& image : scene.textures)
    out->textures.push_back({image.pixels.data(), image.width, image.height});
  find_emitters(scene, *out);
  view.copies = out->copies.view();
  view.materials = scene.materials.data();
  view.textures = out->textures.data();
  view.srgb_to_linear = srgb_to_linear_table().data();
  view.srgb_thresholds = srgb_threshold_table().data();
  view.daylight = daylight_of(scene);
  view.emitters.triangles = out->emitters.data();
  view.emitters.cumulative = out->emitters_cumulative.data();
  view.emitters.count = static_cast<u32>(out->emitters.size());
  view.magnitude = scene.mesh.magnitude();
  const dvec3 extent = out->bounds.empty() ? dvec3(0.0) : dvec3(out->bounds.extent());
  view.diagonal = static_cast<float>(std::sqrt(glm::dot(extent, extent)));
  // Rays start clear of the error a hit's place can have; half of box_slack is ample for that.
  view.offset = 0.5f * box_slack(view.magnitude);
  for (const Material& material : scene.materials)
    if (material.may_cut_out()) view.has_cutouts = 1;
  return out;
}

}  // namespace ballotcast::detail
