#include "scene/scene.hpp"

#include "scene/obj_loader.hpp"
#include "scene/scene_file.hpp"
#include "scene/text.hpp"
#include "support/error.hpp"
#include "support/float_environment.hpp"

namespace ballotcast::detail {

bool SceneData::has_emitters() const {
  if (mesh.material_of.empty())
    return !mesh.triangles.empty() && !materials.empty() && materials[0].emits();
  std::vector<bool> emits(materials.size());
  for (std::size_t i = 0; i < materials.size(); ++i) emits[i] = materials[i].emits();
  for (const u32 material : mesh.material_of)
    if (material < emits.size() && emits[material]) return true;
  return false;
}

void warn_of_size(SceneData& scene) {
  constexpr float kSmallest = 0x1p-40f;
  const Aabb box = scene.mesh.bounds();
  if (box.empty()) return;
  const float size = largest_magnitude(box.extent());
  if (size > 0.0f && size < kSmallest)
    scene.warnings.push_back((scene.files.empty() ? scene.name : scene.files.front()) +
                             ": less than 1e-12 across, which rays may miss; scale it up");
}

SceneData load_scene(const std::string& path, const LoadOptions& options) {
  SceneData scene = load_part(path, options);
  warn_of_size(scene);
  return scene;
}

SceneData load_part(const std::string& path, const LoadOptions& options) {
  const DefaultFloats floats;
  const std::string name = lowered(path);
  if (name.ends_with(".json")) return load_scene_file(path, options);
  if (name.ends_with(".obj") || name.ends_with(".obj.gz")) {
    SceneData scene = load_obj(path, options);
    leave_to_lamps(scene);
    return scene;
  }
  throw InputError(path + ": not a kind of file that is read; those are .obj, .obj.gz and .json");
}

}  // namespace ballotcast::detail
