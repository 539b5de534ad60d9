#include "scene/scene.hpp"

#include <algorithm>

#include "scene/assemble.hpp"

namespace ballotcast::detail {

bool SceneData::has_emitters() const {
  if (mesh.material_of.empty())
    return !mesh.triangles.empty() && !materials.empty() && materials[0].emits();
  std::vector<bool> emits(materials.size());
  for (std::size_t i = 0; i < materials.size(); ++i) emits[i] = materials[i].emits();
  if (std::find(emits.begin(), emits.end(), true) == emits.end()) return false;
  for (const u32 material : mesh.material_of)
    if (material < emits.size() && emits[material]) return true;
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

std::uint32_t Scene::triangle_count() const {
  return static_cast<u32>(data_->mesh.triangles.size());
}

std::vector<Vec3f> Scene::vertices() const {
  const Mesh& mesh = data_->mesh;
  return {mesh.positions.begin(), mesh.positions.end()};
}

Box Scene::bounds() const {
  const Aabb box = data_->mesh.bounds();
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

Scene make_scene(Span<const Vec3f> positions, Span<const Triangle> triangles) {
  SceneData scene;
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
