#include "cli/commands/render_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "ballotcast/version.hpp"
#include "bvh/builders/builder.hpp"
#include "cli/output.hpp"
#include "render/setting_tables.hpp"
#include "scene/camera/camera_numbers.hpp"
#include "support/json.hpp"
#include "support/processes/processes.hpp"
#include "support/text.hpp"
#include "support/threads/parallel.hpp"

namespace ballotcast::detail {

namespace {

constexpr std::size_t kNames = 20, kTimes = 9, kShares = 6, kBars = 40;  // widths in columns

std::string on_the_left(std::string text, std::size_t columns) {
  if (text.size() < columns) text.resize(columns, ' ');
  return text;
}

std::string on_the_right(const std::string& text, std::size_t columns) {
  return std::string(columns - std::min(columns, text.size()), ' ') + text;
}

/// Adds the scene, its camera and its light to `json`.
void add_view(const RenderReport& r, Json& json) {
  const SceneData& scene = scene_of(r.renderer);
  const RenderSettings& s = r.frame.settings;
  json["scene"] = {{"name", scene.name},
                   {"path", r.scene_path.empty() ? Json() : Json(r.scene_path)},
                   {"triangles", scene.triangle_count()},
                   {"emitters", prepared_of(r.renderer).lights.emitters.size()}};
  const Camera camera = complete(s.camera);
  json["camera"] = {{"eye", json_of(camera.eye)},
                    {"look_at", json_of(camera.look_at)},
                    {"up", json_of(camera.up)}};
  for (const CameraNumber& number : kCameraNumbers)
    json["camera"][number.key == std::string_view("fov") ? "fov_degrees" : number.key] =
        camera.*number.value;
  json["camera"]["projection"] = name_of(camera.projection);
  json["camera"]["distortion"] = camera.distortion;
  json["up"] = json_of(up_of(scene));
  const auto [sun, sky] = light_in(r.renderer, s);
  json["sun"] = {{"direction", json_of(sun.direction)},
                 {"color", json_of(sun.color)},
                 {"strength", sun.strength}};
  json["sky"] = {{"zenith", json_of(sky.zenith)},
                 {"horizon", json_of(sky.horizon)},
                 {"ground", json_of(sky.ground)},
                 {"strength", sky.strength}};
  if (const auto& file = scene.sky.file)
    json["sky"] = {{"file", *file}, {"turn", sky.turn}, {"strength", sky.strength}};
}

/// Adds the device, the tree and the settings to `json`.
void add_settings(const RenderReport& r, Json& json) {
  const RenderSettings& s = r.frame.settings;
  CastSettings used = settings_used(r.renderer, r.casting);
  used.cast = s.cast;  // has the chosen names in place of "auto"
  for (const CastSetting& row : cast_settings()) json[std::string(row.key)] = json_of(row, used);
  json["device"] = {{"name", r.renderer.device()},
                    {"description", r.renderer.device_description()}};
  json["tree_hash"] = hash_of_trees(prepared_of(r.renderer));
  json["packed_tree"] = prepared_of(r.renderer).tree_is_packed;
  json["cache"] = r.cache.empty() ? Json() : Json(r.cache);
  json["threads"] = r.threads;
  json["width"] = s.width;
  json["height"] = s.height;
  json["shading"] = s.shading;
  for (const PictureSetting& row : picture_settings())
    json[row.key == "samples" ? "samples_per_pixel" : std::string(row.key)] = json_of(row, s);
  json["light_lost"] = r.frame.light_lost;
  json["exposure"] = r.frame.exposure;
  json["white"] = json_of(r.frame.white);
}

/// Adds the number of cast rays, and the time and memory that casting took, to `json`.
void add_work(const RenderReport& r, Json& json) {
  const CastOptions& cast = r.frame.settings.cast;
  const CastCounts& counts = r.frame.counts;
  json["rays"] = counts.rays;
  json["passes"] = counts.passes;
  json["counter"] = counts.counter;
  json["counter_counts"] = counter_meaning(cast);
  double stages_ms = 0.0;  // time of drawing, without preview, allocation and transfers
  for (const StageTime& stage : r.frame.stages)
    if (stage.name != "download" && stage.name != kPreviewStage) stages_ms += stage.milliseconds;
  json["rays_per_s"] =
      stages_ms > 0.0 ? Json(static_cast<double>(counts.rays) / stages_ms * 1e3) : Json();
  json["memory"] = memory_of(r.renderer, cast);
  json["timings_ms"] = times_of(r.renderer, r.times, r.frame.stages);
  if (!r.processes.is_null()) json["processes"] = r.processes;
  json["losses"] = r.renderer.losses();
}

/// Adds the written files to `json`.
void add_files(const RenderReport& r, Json& json) {
  const RenderSettings& s = r.frame.settings;
  json["pixels_hash"] = r.pixels_hash.empty() ? Json() : Json(r.pixels_hash);
  json["hits_hash"] = r.hits_hash.empty() ? Json() : Json(r.hits_hash);
  json["output"] = r.output;
  for (const auto& [name, path] : r.outputs) json["outputs"][name] = path;
  json["output_format"] = r.format;
  json["output_values"] = r.format == "png" ? "8-bit codes"
                          : shading_called(s.shading).encoding == Encoding::light
                              ? "linear radiance, before exposure"
                              : "linear";
  json["hits"] = r.hits.empty() ? Json() : Json(r.hits);
  json["note"] = r.renderer.note().empty() ? Json() : Json(r.renderer.note());
}

}  // namespace

std::vector<Phase> phases_of(const RenderTimes& times, const PrepareTimes& prepare,
                             const std::vector<StageTime>& stages) {
  std::vector<Phase> phases = {{"start", times.start},
                               {"check", times.check},
                               {"load", times.load},
                               {"device", times.device},
                               {"build", times.build + prepare.build_ms}};
  if (times.cache > 0.0) phases.push_back({"cache", times.cache});
  phases.insert(
      phases.end(),
      {{"upload", prepare.upload_ms}, {"find camera", times.camera}, {"draw", times.draw}});
  double rest = times.draw;
  for (const StageTime& stage : stages) {
    phases.push_back({stage.name, stage.milliseconds, true});
    rest -= stage.milliseconds;
  }
  phases.push_back({"rest", std::max(0.0, rest), true});
  for (const Phase& phase :
       {Phase{"encode", times.encode}, Phase{"hash", times.hash}, Phase{"write", times.write}})
    phases.push_back(phase);
  rest = times.total;
  for (const Phase& phase : phases)
    if (!phase.is_stage) rest -= phase.milliseconds;
  phases.push_back({"rest", std::max(0.0, rest)});
  return phases;
}

std::string chart_of(const std::vector<Phase>& phases, double total) {
  std::string chart;
  for (const Phase& phase : phases) {
    const double share = total > 0.0 ? std::clamp(phase.milliseconds / total, 0.0, 1.0) : 0.0;
    const auto length = static_cast<std::size_t>(share * kBars + 0.5);
    std::string line = on_the_left((phase.is_stage ? "    " : "  ") + phase.name, kNames) +
                       on_the_right(time_in_words(phase.milliseconds), kTimes) +
                       on_the_right(fixed(share * 100.0, 0) + "%", kShares);
    if (length != 0) line += "  " + std::string(length, phase.is_stage ? '-' : '#');
    chart += line + "\n";
  }
  return chart + on_the_left("  total", kNames) + on_the_right(time_in_words(total), kTimes) + "\n";
}

Json times_of(const Renderer& renderer, const RenderTimes& times,
              const std::vector<StageTime>& stages) {
  Json json = Json::object();
  for (const Phase& phase : phases_of(times, renderer.prepare_times(), stages))
    (phase.is_stage ? json["draw_stages"] : json)[underscored(phase.name)] = phase.milliseconds;
  json["total"] = times.total;
  return json;
}

Json memory_of(const Renderer& renderer, const CastOptions& cast) {
  const MemoryPlan& plan = plan_of(renderer);
  const std::optional<u64>& budget = budget_of(renderer);
  Json items = Json::object();
  for (const MemoryItem& item : plan.table) items[underscored(std::string(item.name))] = item.bytes;
  return {{"device_bytes", plan.bytes()},
          {"budget_bytes", budget ? Json(*budget) : Json()},
          {"paths_at_once", device_of(renderer).paths_at_once(CastChoice(cast), plan.at_once)},
          {"parts_bytes", items}};
}

std::string counter_meaning(const CastOptions& cast) {
  switch (counter_meaning_of(CastChoice(cast))) {
    case CounterMeaning::rays:
      return "rays that staged a leaf, over all passes";
    case CounterMeaning::blocks:
      return "blocks in which some ray staged a leaf, over all passes";
    case CounterMeaning::any:
      return "passes in which some ray staged a leaf";
    case CounterMeaning::nothing:
      break;
  }
  return "nothing";
}

std::string underscored(std::string text) {
  for (char& c : text)
    if (c == ' ') c = '_';
  return text;
}

std::string json_of(const RenderReport& r) {
  Json json;
  json["version"] = version();
  add_view(r, json);
  add_settings(r, json);
  add_work(r, json);
  add_files(r, json);
  json["warnings"] = scene_of(r.renderer).warnings;
  for (const std::string& warning : r.warnings) json["warnings"].push_back(warning);
  return text_of(json);
}

Json reports_of_processes(const Renderer& renderer, const Json& times, const Json& memory) {
  Processes* const all = joined_processes();
  if (!all) return {};
  const Json own = {{"process", all->name_of(all->rank())},
                    {"device", renderer.device_description()},
                    {"threads", thread_count()},
                    {"memory", memory},
                    {"timings_ms", times},
                    {"losses", renderer.losses()}};
  Json reports;
  for (const std::string& report : gathered(*all, text_of(own)))
    reports.push_back(Json::parse(report));
  return reports;
}

void remark_losses_of_others(const Json& reports) {
  for (std::size_t i = 1; i < reports.size(); ++i) {
    const std::string losses = reports[i]["losses"];
    if (!losses.empty())
      remark("warning: " + reports[i]["process"].get<std::string>() + ": " + losses);
  }
}

}  // namespace ballotcast::detail
