// ballotcast info: lists the choices on this computer, or the content of a scene.
#include <algorithm>
#include <memory>

#include "backends/device/memory_plan.hpp"
#include "backends/scene/prepare.hpp"
#include "ballotcast/version.hpp"
#include "bench/machine_code.hpp"
#include "bvh/builders/builder.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "render/outputs/outputs.hpp"
#include "render/settings.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/json.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

struct InfoRequest {
  SceneOptions scene;
  CastSettings casting;
  bool json = false;
  bool atomics = false;
};

std::string_view in_words(CounterMeaning meaning) {
  switch (meaning) {
    case CounterMeaning::rays:
      return "rays";
    case CounterMeaning::blocks:
      return "blocks";
    case CounterMeaning::any:
      return "any";
    case CounterMeaning::nothing:
      break;
  }
  return "nothing";
}

/// The names of the pipelines that can use a strategy, e.g. passes and queue.
std::vector<std::string_view> takers_of(const StrategyInfo& strategy) {
  std::vector<std::string_view> names;
  for (const PipelineInfo& pipeline : pipelines())
    if (takes(pipeline.name, strategy.name)) names.push_back(pipeline.name);
  return names;
}

Json builders_json() {
  Json list = names_and_summaries(builders());
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i]["rounds"] = builders()[i].rounds != 0 ? Json(builders()[i].rounds) : Json();
  return list;
}

Json tables_json() {
  Json json;
  json["version"] = version();
  for (const BackendInfo& row : backends()) {
    const std::string reason = row.unusable();
    json["devices"].push_back({{"name", row.name},
                               {"summary", row.summary},
                               {"usable", reason.empty()},
                               {"description", reason.empty() ? Json(row.describe()) : Json()},
                               {"reason", reason.empty() ? Json() : Json(reason)}});
  }
  json["shadings"] = names_and_summaries(shadings());
  json["outputs"] = names_and_summaries(output_table());
  json["pipelines"] = names_and_summaries(pipelines());
  for (const StrategyInfo& row : strategies())
    json["atomics"].push_back({{"name", row.name},
                               {"counts", in_words(row.counter)},
                               {"pipelines", takers_of(row)},
                               {"summary", row.summary}});
  json["layouts"] = names_and_summaries(layouts());
  json["builders"] = builders_json();
  for (const EffortInfo& row : efforts())
    json["efforts"].push_back(
        {{"name", row.name}, {"on_host", row.on_host}, {"on_cuda", row.on_machines}});
  for (const MeshFormat& format : mesh_formats()) json["mesh_files"].push_back(format.suffix);
  json["more_mesh_files"] = other_mesh_formats();
  return json;
}

using Entries = std::vector<std::pair<std::string, std::string>>;

template <class Rows>
std::string table(const std::string& title, const Rows& rows) {
  Entries list;
  for (const auto& row : rows) list.emplace_back(row.name, row.summary);
  return "\n" + title + ":\n" + entries(list);
}

Entries builders_with_rounds() {
  Entries list;
  for (const BuilderInfo& row : builders())
    list.emplace_back(row.name,
                      std::string(row.summary) +
                          (row.rounds != 0 ? " (rounds: " + std::to_string(row.rounds) + ")" : ""));
  return list;
}

Entries efforts_in_words() {
  Entries list;
  for (const EffortInfo& row : efforts()) {
    std::string means(row.on_host);
    if (row.on_machines != row.on_host) means += "; on cuda " + std::string(row.on_machines);
    list.emplace_back(row.name, means);
  }
  return list;
}

std::string mesh_files_text() {
  std::string own;
  for (const MeshFormat& format : mesh_formats())
    own += (own.empty() ? "" : " ") + std::string(format.suffix);
  const std::string more = other_mesh_formats();
  return entries({{"read here", own + "; also gzipped, with .gz behind"},
                  {"read by assimp", more.empty() ? "not built in" : more}});
}

std::string tables_text() {
  Entries devices, strategy_rows;
  for (const BackendInfo& row : backends()) {
    const std::string reason = row.unusable();
    const std::string state = reason.empty() ? row.describe() : "can't be used: " + reason;
    devices.emplace_back(row.name, std::string(row.summary) + " -- " + state);
  }
  for (const StrategyInfo& row : strategies())
    strategy_rows.emplace_back(row.name, std::string(row.summary) + " (" + joined(takers_of(row)) +
                                             "; counts " + std::string(in_words(row.counter)) +
                                             ")");
  return "Devices (--device; auto: cuda if it can be used, else cpu):\n" + entries(devices) +
         table("Shadings (--shade)", shadings()) +
         table("Outputs of pictures (--outputs)", output_table()) +
         table("Pipelines (--pipeline; auto: " + std::string(CastChoice().pipeline->name) + ")",
               pipelines()) +
         "\nAtomic strategies (--atomics; auto: " +
         std::string(CastChoice(CastOptions{"queue"}).strategy->name) +
         ", or none\nwhere nothing is counted), the pipelines that can use them, and what "
         "their\ncounter counts in pipeline passes:\n" +
         entries(strategy_rows) + table("Layouts (--layout)", layouts()) +
         "\nBuilders (--build; behind those with rounds may follow how many, 1 to " +
         std::to_string(kMostRounds) + ":\nploc-reinserted/12):\n" +
         entries(builders_with_rounds()) +
         "\nEfforts (--build), and the builders that they mean:\n" + entries(efforts_in_words()) +
         "\nMesh files:\n" + mesh_files_text();
}

/// The plans of the device memory that a picture of the default size needs.
MemoryPlans plans_of_picture(const PreparedScene& prepared) {
  const FrameSettings frame =
      resolved_without_camera(*prepared.scene, {}, backend_called("cuda")).frame;
  return plans_of(memory_of(prepared),
                  [&](u32 at_once) { return memory_of_frame(frame, {}, at_once); });
}

/// A scene, with the times of loading and preparing it.
struct Loaded {
  std::shared_ptr<const SceneData> scene;
  std::shared_ptr<const PreparedScene> prepared;
  CacheUse cache;
  double load_ms;
  double build_ms;
};

Loaded load_for(const InfoRequest& r) {
  r.scene.require_time();
  Loaded loaded;
  const Stopwatch load;
  const CachedScene cached = detail::load(r.scene.scene, r.scene.cache,
                                          {r.casting.renderer.builder, r.casting.renderer.layout});
  loaded.scene = cached.scene;
  loaded.cache = cached.use;
  loaded.load_ms = load.milliseconds() - cached.build_ms - cached.write_ms;
  const Stopwatch build;
  ProgressBar bar("triangles");
  loaded.prepared = prepare_as_packed(loaded.scene, r.casting.renderer.builder,
                                      r.casting.renderer.layout, bar.report());
  loaded.build_ms = cached.build_ms + build.milliseconds();
  return loaded;
}

Json scene_json(const InfoRequest& r, const Loaded& loaded) {
  const SceneData& scene = *loaded.scene;
  const PreparedScene& p = *loaded.prepared;
  const TreeStatistics& tree = p.statistics;
  Json textures = Json::array(), memory;
  for (std::size_t i = 0; i < scene.textures.size(); ++i)
    textures.push_back({{"name", scene.texture_names[i]},
                        {"width", scene.textures[i].width},
                        {"height", scene.textures[i].height}});
  for (const auto& [name, bytes] : memory_of(p)) memory[std::string(name)] = bytes;
  const MemoryPlans picture = plans_of_picture(p);
  const bool empty = p.bounds.empty();
  return {{"path", r.scene.scene.file},
          {"name", scene.name},
          {"vertices", scene.mesh.positions.size()},
          {"triangles", scene.triangle_count()},
          {"instances", scene.instances.size()},
          {"meshes", scene.parts.size()},
          {"parts", part_names_of(scene)},
          {"copies", p.copies.ids.size()},
          {"materials", scene.material_names},
          {"single_sided_materials", scene.single_sided},
          {"textures", textures},
          {"animations", scene.animations},
          {"emitting_triangles", p.lights.emitters.size()},
          {"bounds_low", empty ? Json() : json_of(dvec3(p.bounds.low) + scene.origin)},
          {"bounds_high", empty ? Json() : json_of(dvec3(p.bounds.high) + scene.origin)},
          {"origin", json_of(scene.origin)},
          {"memory_bytes", memory},
          {"memory_with_picture_bytes", picture.front().bytes()},
          {"least_memory_with_picture_bytes", least_plan(picture).bytes()},
          {"tree",
           {{"builder", p.builder.name()},
            {"layout", p.encoded.layout->name},
            {"nodes", tree.nodes},
            {"leaves", tree.leaves},
            {"depth", tree.depth},
            {"triangles_per_leaf", tree.triangles_per_leaf},
            {"largest_leaf", tree.largest_leaf},
            {"sah_cost", tree.sah_cost},
            {"hash", hash_of_trees(p)}}},
          {"packed_tree", p.tree_is_packed},
          {"cache", r.scene.cache.folder.empty() ? Json() : Json(name_of(loaded.cache))},
          {"load_ms", loaded.load_ms},
          {"build_ms", loaded.build_ms},
          {"warnings", scene.warnings}};
}

std::string in_words(const dvec3& v) {
  char text[96];
  std::snprintf(text, sizeof text, "(%.6g, %.6g, %.6g)", v.x, v.y, v.z);
  return text;
}

std::string scene_text(const InfoRequest& r, const Loaded& loaded) {
  const SceneData& scene = *loaded.scene;
  const PreparedScene& p = *loaded.prepared;
  const TreeStatistics& tree = p.statistics;
  std::string triangles = grouped(scene.triangle_count());
  if (const u64 copies = p.copies.ids.size(); copies != 0)
    triangles += ", " + grouped(copies) + " of them copies of others";
  if (const u64 instances = scene.instances.size(); instances != 0)
    triangles += ", in " + counted(instances, "instance") + " of " +
                 (scene.parts.size() == 1 ? "1 mesh" : grouped(scene.parts.size()) + " meshes");
  std::string materials = grouped(scene.materials.size());
  if (scene.single_sided != 0)
    materials +=
        ", " + grouped(scene.single_sided) + " of them single-sided (drawn from both sides)";
  Entries rows = {{"vertices", grouped(scene.mesh.positions.size())},
                  {"triangles", triangles},
                  {"materials", materials},
                  {"textures", grouped(scene.textures.size())}};
  for (std::size_t i = 0; i < scene.textures.size(); ++i)
    rows.emplace_back("  " + std::to_string(scene.textures[i].width) + "x" +
                          std::to_string(scene.textures[i].height),
                      one_line(scene.texture_names[i]));
  for (std::size_t i = 0; i < scene.animations.size(); ++i)
    rows.emplace_back(i == 0 ? "animations" : "",
                      std::to_string(i) + " " + one_line(scene.animations[i]));
  rows.emplace_back("emitting triangles", grouped(p.lights.emitters.size()));
  rows.emplace_back("box", p.bounds.empty()
                               ? "empty"
                               : in_words(dvec3(p.bounds.low) + scene.origin) + " to " +
                                     in_words(dvec3(p.bounds.high) + scene.origin));
  rows.emplace_back("origin", in_words(scene.origin));
  rows.emplace_back("load, build",
                    time_in_words(loaded.load_ms) + ", " + time_in_words(loaded.build_ms));

  const MemoryTable memory = memory_of(p);
  const MemoryPlans picture = plans_of_picture(p);
  const Entries tree_rows = {
      {"builder, layout", p.builder.name() + ", " + std::string(p.encoded.layout->name)},
      {"nodes, leaves", grouped(tree.nodes) + ", " + grouped(tree.leaves)},
      {"depth", std::to_string(tree.depth)},
      {"triangles per leaf", fixed(tree.triangles_per_leaf, 2) + " on average, " +
                                 std::to_string(tree.largest_leaf) + " at most"},
      {"SAH cost", fixed(tree.sah_cost, 2) + " node and triangle tests of a random line"},
      {"hash", hash_of_trees(p)}};
  return "Scene " + one_line(r.scene.scene.file) + ":\n" + entries(rows) + "\nTree:\n" +
         entries(tree_rows) + "\nMemory on a device:\n" + text_of(memory) + "with a " +
         std::to_string(RenderSettings{}.width) + "x" + std::to_string(RenderSettings{}.height) +
         " picture " + bytes_in_words(picture.front().bytes()) + ", at least " +
         bytes_in_words(least_plan(picture).bytes()) + " (render --max-memory)\n";
}

int info(const InfoRequest& r) {
  Json json;
  std::string text;
  if (r.json) json = tables_json();
  if (!r.scene.scene.file.empty()) {
    const Loaded loaded = load_for(r);
    remark_tree(*loaded.prepared);
    if (r.json)
      json["scene"] = scene_json(r, loaded);
    else
      text = scene_text(r, loaded) + "\n";
  }
  if (r.json && r.atomics) json["machine_code"] = strategy_json(strategy_codes());
  if (!r.json) text += r.atomics ? strategy_table(strategy_codes()) : tables_text();
  print(r.json ? text_of(json) : text);
  return 0;
}

}  // namespace

Command info_command() {
  const auto request = std::make_shared<InfoRequest>();
  const std::string files = "Files", tree = "Tree";
  std::vector<Option> table = {
      {files, "SCENE", "FILE", "", "an " + kinds_of_scenes("or") + " scene file",
       set_text(request->scene.scene.file)},
      {files, "--json", "", "", "print everything as JSON", set_flag(request->json)},
      strict_option(request->scene.scene.strict, files),
      {"Machine code", "--atomics", "", "",
       "instead of the tables: the strategies in the program's GPU machine code (needs no GPU, but "
       "the CUDA Toolkit's cuobjdump)",
       set_flag(request->atomics)},
      cast_option(tree, "layout", request->casting),
      host_build_option(tree, request->casting)};
  for (Option& row : moment_options(request->scene, files)) table.push_back(std::move(row));
  for (Option& row : cache_options(request->scene.cache, files)) table.push_back(std::move(row));
  return {"info", "lists the choices on this machine, and the content of a scene", table,
          [request] { return info(*request); }};
}

}  // namespace ballotcast::detail
