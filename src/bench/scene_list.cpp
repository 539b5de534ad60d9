#include "bench/scene_list.hpp"

#include "ballotcast/error.hpp"
#include "bench/results.hpp"
#include "scene/assemble.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

void require_some(const SceneList& list) {
  if (list.count() == 0)
    throw UsageError("nothing to measure: give a scene (an " + kinds_of_scenes("or") +
                     " file) or a number of triangles");
}

void list_once(SceneList& list, std::vector<std::string>& notes) {
  list.scenes = each_once("scene", list.scenes, notes);
  list.triangles = each_once("triangles", list.triangles, notes);
}

void for_each_scene(const SceneList& list,
                    const std::function<void(SceneData&& scene, bool sized)>& use) {
  for (const std::string& path : list.scenes) require_readable(path);
  for (const std::string& path : list.scenes) {
    SceneRequest one;
    one.file = path;
    one.strict = list.strict;
    SceneData scene = assemble(one, list.on_warnings);
    if (list.on_scene) list.on_scene(scene);
    use(std::move(scene), false);
  }
  for (const u32 triangles : list.triangles) use(generated_terrain(triangles), true);
}

Values machine_facts(const DeviceChoice& device) {
  Values facts = {{"device", device.name()},
                  {"device_description", device.description()},
                  {"cpu", choose_backend("cpu").backend->describe()}};
  if (const Processes* const all = device.processes) {
    std::string names;
    for (u32 rank = 0; rank < all->count(); ++rank)
      names += (names.empty() ? "" : ", ") + all->name_of(rank);
    facts.emplace_back("processes", names);
  }
  return facts;
}

}  // namespace ballotcast::detail
