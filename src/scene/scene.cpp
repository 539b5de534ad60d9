#include "scene/scene.hpp"

#include "scene/obj_loader.hpp"
#include "scene/scene_file.hpp"
#include "support/error.hpp"
#include "support/float_environment.hpp"

namespace ballotcast {
namespace {

std::string lowered(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

bool Scene::has_emitters() const {
  if (mesh.material_of.empty())
    return !mesh.triangles.empty() && !materials.empty() && materials[0].emits();
  std::vector<bool> emits(materials.size());
  for (std::size_t i = 0; i < materials.size(); ++i) emits[i] = materials[i].emits();
  for (const u32 material : mesh.material_of)
    if (material < emits.size() && emits[material]) return true;
  return false;
}

Scene load_scene(const std::string& path, const LoadOptions& options) {
  const DefaultFloats floats;
  const std::string name = lowered(path);
  if (name.ends_with(".json")) return load_scene_file(path, options);
  if (name.ends_with(".obj") || name.ends_with(".obj.gz")) {
    Scene scene = load_obj(path, options);
    leave_to_lamps(scene, false, false);
    return scene;
  }
  throw InputError(path + ": not a kind of file that is read; those are .obj, .obj.gz and .json");
}

}  // namespace ballotcast
