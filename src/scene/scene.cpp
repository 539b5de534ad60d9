#include <algorithm>

#include "ballotcast/error.hpp"
#include "scene/assemble.hpp"
#include "scene/instances/heightfields.hpp"
#include "scene/instances/instances.hpp"
#include "scene/instances/shapes.hpp"
#include "scene/mesh/polygon_mesh.hpp"
#include "scene/scene_data.hpp"

namespace ballotcast::detail {

u64 SceneData::triangle_count() const {
  if (instances.empty()) return mesh.triangles.size();
  return u64{instances.back().first_id} + parts[instances.back().mesh].count;
}

u32 SceneData::world_count() const {
  return worlds.empty() ? 1u : *std::max_element(worlds.begin(), worlds.end()) + 1u;
}

Aabb SceneData::bounds() const {
  if (instances.empty()) return mesh.bounds();
  return box_of_instances(*this, boxes_of_parts(*this));
}

bool SceneData::has_emitters() const {
  std::vector<bool> emits(materials.size());
  for (std::size_t i = 0; i < materials.size(); ++i) emits[i] = materials[i].emits();
  if (std::find(emits.begin(), emits.end(), true) == emits.end()) return false;
  const auto any_emits = [&](std::size_t first, std::size_t count) {
    if (mesh.material_of.empty()) return count > 0 && emits[0];
    for (std::size_t i = first; i < first + count; ++i)
      if (mesh.material_of[i] < emits.size() && emits[mesh.material_of[i]]) return true;
    return false;
  };
  if (instances.empty()) return any_emits(0, mesh.triangles.size());
  // Only meshes with instances count, including hidden instances, because they may appear later.
  std::vector<bool> own(parts.size());
  for (const SceneInstance& instance : instances) {
    if (instance.material == kOwnMaterials)
      own[instance.mesh] = true;
    else if (parts[instance.mesh].count > 0 && emits[instance.material])
      return true;
  }
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (own[i] && any_emits(parts[i].first, parts[i].count)) return true;
  return false;
}

std::vector<std::string> SceneData::all_files() const {
  std::vector<std::string> all = files;
  all.insert(all.end(), unread_files.begin(), unread_files.end());
  return all;
}

}  // namespace ballotcast::detail

namespace ballotcast {

using namespace detail;

const std::string& Scene::name() const { return data_->name; }

std::uint32_t Scene::triangle_count() const { return static_cast<u32>(data_->triangle_count()); }

std::vector<std::string> Scene::part_names() const { return part_names_of(*data_); }
const std::vector<std::string>& Scene::material_names() const { return data_->material_names; }

std::vector<Vec3f> Scene::vertices() const {
  const Mesh& mesh = data_->mesh;
  return {mesh.positions.begin(), mesh.positions.end()};
}

Box Scene::bounds() const {
  const Aabb box = data_->bounds();
  if (box.empty()) return {data_->origin, data_->origin};
  return {data_->origin + dvec3(box.low), data_->origin + dvec3(box.high)};
}

Vec3d Scene::origin() const { return data_->origin; }
const std::vector<std::string>& Scene::warnings() const { return data_->warnings; }
const std::vector<std::string>& Scene::files() const { return data_->files; }

Scene load_scene(const SceneRequest& request) {
  return Scene(std::make_shared<const SceneData>(assemble(request)));
}

Scene load_scene(const std::string& file) {
  SceneRequest request;
  request.file = file;
  return load_scene(request);
}

Scene builtin_scene() { return Scene(std::make_shared<const SceneData>(builtin_scene_data())); }

std::uint32_t Scene::instance_count() const { return static_cast<u32>(data_->instances.size()); }
std::uint32_t Scene::world_count() const { return data_->world_count(); }

Scene Scene::world(std::uint32_t number) const {
  if (number >= world_count())
    throw UsageError("no world " + std::to_string(number) + "; the scene has " +
                     std::to_string(world_count()));
  if (world_count() == 1) return *this;
  return Scene(std::make_shared<const SceneData>(scene_of_world(*data_, number)));
}

Location Scene::locate(std::uint32_t id) const {
  if (id >= data_->triangle_count())
    throw UsageError("no triangle has the id " + std::to_string(id) + "; the scene has " +
                     std::to_string(data_->triangle_count()));
  const std::vector<SceneInstance>& all = data_->instances;
  const NamedParts& named = data_->named_parts;
  if (all.empty()) return {0, 0, id, named.part_of(id)};
  const auto next = std::upper_bound(all.begin(), all.end(), id,
                                     [](u32 i, const SceneInstance& s) { return i < s.first_id; });
  const SceneInstance& in = next[-1];
  const u32 triangle = id - in.first_id;
  const u32 instance = static_cast<u32>(next - all.begin()) - 1u;
  return {instance, in.mesh, triangle, named.part_of(in.first_triangle + triangle, instance)};
}

Scene make_scene(Span<const Scene> meshes, Span<const Instance> instances) {
  std::vector<SceneData> parts;
  for (const Scene& mesh : meshes) parts.push_back(*mesh.data());
  std::vector<PlacedPart> placed;
  for (const Instance& instance : instances) {
    const auto column = [&](int k) {
      const auto& r = instance.transform.rows;
      return dvec3(double{r[0][k]}, double{r[1][k]}, double{r[2][k]});
    };
    placed.push_back(
        {instance.mesh, {column(0), column(1), column(2), column(3)}, instance.material});
    placed.back().world = instance.world;
  }
  SceneData scene = scene_of_instances(std::move(parts), placed, dvec3(0.0));
  scene.name = "instances in memory";
  return Scene(std::make_shared<const SceneData>(std::move(scene)));
}

Scene make_scene(const Shape& shape) {
  return Scene(std::make_shared<const SceneData>(scene_of_shape(shape)));
}

Scene make_scene(const Heightfield& field) {
  return Scene(std::make_shared<const SceneData>(scene_of_heightfield(field)));
}

Scene make_scene(Span<const Vec3f> positions, Span<const Triangle> triangles, Vec3d origin) {
  if (!usable_place(dvec3(origin)))
    throw UsageError("the origin of a scene must be finite, and its coordinates at most 2^40");
  require_few(triangles.size(), positions.size());
  SceneData scene;
  scene.origin = dvec3(origin);
  scene.name = "triangles in memory";
  scene.materials.emplace_back();
  scene.material_names.emplace_back("grey");
  scene.mesh.positions.reserve(positions.size());
  for (const Vec3f& p : positions)
    scene.mesh.positions.push_back(vec3(p) + 0.0f);  // adding 0 turns -0 into 0
  scene.mesh.triangles.reserve(triangles.size());
  for (const Triangle& t : triangles) scene.mesh.triangles.emplace_back(t.a, t.b, t.c);
  scene.mesh.require_valid();
  return Scene(std::make_shared<const SceneData>(std::move(scene)));
}

}  // namespace ballotcast
