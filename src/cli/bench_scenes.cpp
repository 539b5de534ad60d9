#include "cli/bench_scenes.hpp"

#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "scene/mesh_formats.hpp"

namespace ballotcast::detail {

std::vector<Option> scene_list_options(SceneList& list, const std::string& group) {
  return {{group, "SCENE", "FILE", "",
           "an " + kinds_of_scenes("or") + " scene; several may be given", add_text(list.scenes)},
          strict_option(list.strict, group),
          {group, "--triangles", "LIST", "",
           "also generated terrains with so many triangles; K = 2^10, M = 2^20",
           set_counts(list.triangles, 2, static_cast<u32>(kMostTriangles))}};
}

void watch_scenes(SceneList& list, const BenchOutput& output) {
  list.on_warnings = remark_warnings;
  list.on_scene = [&output](const SceneData& scene) {
    require_none_of("--html", output.html, scene.all_files());
  };
}

void let_lists_repeat(std::vector<Option>& table) {
  for (Option& row : table)
    if (row.value == "LIST" || row.name == "SCENE") row.repeats = true;
}

}  // namespace ballotcast::detail
