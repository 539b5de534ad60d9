#include <cmath>

#include "backends/scene/prepare.hpp"
#include "image/color.hpp"
#include "math/trig.hpp"
#include "scene/light/light.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

vec3 unit_of(dvec3 v, vec3 fallback) {
  const double length = std::sqrt(glm::dot(v, v));
  return length > 0.0 && std::isfinite(length) ? vec3(v / length) : fallback;
}

double length_of(dvec3 v) { return std::sqrt(glm::dot(v, v)); }

/// The mean luminance of the emission of a material.
double mean_emission(const SceneData& scene, const Material& material) {
  if (!material.emits()) return 0.0;
  if (material.emission_texture == kNoTexture) return luminance_of(material.emission);
  const auto& linear = srgb_to_linear_table();
  const Picture<Rgba8>& image = scene.textures[material.emission_texture];
  double sum = 0.0;
  for (const Rgba8 c : image.pixels)
    sum += double{luminance_of(material.emission * vec3(linear[c.r], linear[c.g], linear[c.b]))};
  return sum / static_cast<double>(image.pixels.size());
}

void find_emitters(const SceneData& scene, LightTables& out) {
  if (!scene.has_emitters()) return;
  std::vector<double> emission;
  for (const Material& material : scene.materials)
    emission.push_back(mean_emission(scene, material));
  std::vector<double> cumulative;
  double power = 0.0;
  const auto add = [&](u32 id, u32 material, dvec3 normal) {
    const double more = emission[material] * 0.5 * length_of(normal);
    if (!(more > 0.0)) return;
    out.emitters.push_back(id);
    cumulative.push_back(power += more);
  };
  const Mesh& mesh = scene.mesh;
  if (scene.instances.empty()) {
    for (u32 i = 0; i < mesh.triangles.size(); ++i) {
      const u32 material = mesh.material_index(i);
      if (emission[material] > 0.0) add(i, material, mesh.normal_of(i));
    }
  }
  for (const SceneInstance& instance : scene.instances) {
    const Cofactors turn = cofactors_of(instance.to_scene);
    const MeshPart& part = scene.parts[instance.mesh];
    for (u32 i = 0; i < part.count; ++i) {
      const u32 triangle = part.first + i;
      const u32 material =
          instance.material == kOwnMaterials ? mesh.material_index(triangle) : instance.material;
      if (!(emission[material] > 0.0)) continue;
      const dvec3 n = mesh.normal_of(triangle);
      add(instance.first_id + i, material, turn.x * n.x + turn.y * n.y + turn.z * n.z);
    }
  }
  for (const double sum : cumulative)
    out.emitters_cumulative.push_back(static_cast<float>(sum / power));
}

/// Writes the cumulative sums of `weights`, divided by their total, to `to`, and returns the total.
/// If the total is 0, all weights count equally.
double append_cumulative(const std::vector<double>& weights, float* to) {
  double whole = 0.0;
  for (const double weight : weights) whole += weight;
  double sum = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum += whole > 0.0 ? weights[i] / whole : 1.0 / static_cast<double>(weights.size());
    to[i] = static_cast<float>(sum);
  }
  to[weights.size() - 1] = 1.0f;
  return whole;
}

/// Adds half of the light of its neighbours to the weight of each pixel, because interpolation
/// makes a pixel bright near its border if its neighbour is bright. With these weights, the
/// radiance of a direction is at most four times as large as its sampling density implies.
void share_out_sky(const Picture<vec3>& map, LightTables& out) {
  const u32 width = map.width, height = map.height;
  for (u32 y = 0; y <= height; ++y)
    out.sky_heights.push_back(static_cast<float>(sincos_turns(0.5 * y / height).cos));
  const auto luminance = [&](u32 x, u32 y) {
    return double{luminance_of(map.pixels[u64{y} * width + x])};
  };
  const auto smoothed_row = [&](u32 x, u32 y) {
    const u32 left = x == 0 ? width - 1 : x - 1, right = x + 1 == width ? 0 : x + 1;
    return 0.25 * luminance(left, y) + 0.5 * luminance(x, y) + 0.25 * luminance(right, y);
  };
  out.sky_columns.resize(u64{width} * height);
  std::vector<double> rows(height);
  for_each_index(height, [&](u32 y) {
    const u32 above = y == 0 ? y : y - 1, below = y + 1 == height ? y : y + 1;
    std::vector<double> weights(width);
    for (u32 x = 0; x < width; ++x)
      weights[x] =
          0.25 * smoothed_row(x, above) + 0.5 * smoothed_row(x, y) + 0.25 * smoothed_row(x, below);
    const double solid_angle = double{out.sky_heights[y]} - double{out.sky_heights[y + 1]};
    rows[y] = append_cumulative(weights, out.sky_columns.data() + u64{y} * width) * solid_angle;
  });
  out.sky_rows.resize(height);
  append_cumulative(rows, out.sky_rows.data());
}

/// Sets the axes of the sky's picture. With up = +y its middle is towards -z, and +x is on the
/// right. For another up, the axes are rotated by the shortest rotation; then they are rotated by
/// `turn` degrees about up.
void set_frame(SkyMapView& map, dvec3 up, double turn) {
  const dvec3 y(0.0, 1.0, 0.0), axis = glm::cross(y, up);
  const double cosine = glm::dot(y, up);
  const auto turned = [&](dvec3 v) {
    if (cosine < -1.0 + 1e-12) return dvec3(v.x, -v.y, -v.z);  // rotation by 180 degrees about x
    return v * cosine + glm::cross(axis, v) + axis * (glm::dot(axis, v) / (1.0 + cosine));
  };
  const dvec3 right = turned({1.0, 0.0, 0.0}), ahead = turned({0.0, 0.0, -1.0});
  const SinCos angle = sincos_degrees(turn);
  map.right = vec3(right * angle.cos + ahead * angle.sin);
  map.ahead = vec3(ahead * angle.cos - right * angle.sin);
  map.up = vec3(up);
}

}  // namespace

void recompute_lamps(const SceneData& scene, LightTables& tables) {
  tables.emitters.clear();
  tables.emitters_cumulative.clear();
  find_emitters(scene, tables);
}

LightTables light_tables_of(const SceneData& scene) {
  LightTables tables;
  find_emitters(scene, tables);
  if (!scene.sky_map.pixels.empty()) share_out_sky(scene.sky_map, tables);
  return tables;
}

void set_lights(const SceneData& scene, const LightTables& tables, SceneView& view) {
  const vec3 up = unit_of(up_of(scene), {0.0f, 1.0f, 0.0f});
  const auto [sun, sky] = light_of(scene);
  view.sun = {unit_of(sun.direction, up), sun.color * sun.strength};
  view.sky.up = up;
  view.sky.zenith = sky.zenith * sky.strength;
  view.sky.horizon = sky.horizon * sky.strength;
  view.sky.ground = sky.ground * sky.strength;
  view.sky.map.width = scene.sky_map.width;
  view.sky.map.height = scene.sky_map.height;
  view.sky.map.strength = sky.strength;
  set_frame(view.sky.map, dvec3(up), sky.turn);
  view.emitters.count = static_cast<u32>(tables.emitters.size());
}

}  // namespace ballotcast::detail
