#include "cli/commands/bench_options.hpp"

#include "ballotcast/error.hpp"
#include "ballotcast/version.hpp"
#include "bench/reports/formats.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "cli/this_process.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

std::vector<Option> bench_output_options(BenchOutput& output) {
  const std::string group = "Results";
  return {{group, "--csv", "", "", "print lines of comma-separated values instead of tables",
           set_flag(output.csv)},
          {group, "--json", "", "", "print everything as JSON instead of tables",
           set_flag(output.json)},
          {group, "--html", "FILE", "", "also write a page with charts, in one file",
           set_output(output.html)}};
}

void check(const BenchOutput& output, const std::vector<std::string>& inputs) {
  if (output.csv && output.json) throw UsageError("--csv and --json can't share stdout");
  if (output.html.empty()) return;
  require_none_of("--html", output.html, inputs);
  require_report_place("--html", output.html, "the results", kPage);
}

std::vector<std::string_view> bench_devices() {
  std::vector<std::string_view> names{"auto"};
  for (const BackendInfo& backend : backends())
    if (backend.synthetic_runner) names.push_back(backend.name);
  return names;
}

const BackendInfo& bench_device(const std::string& device) {
  if (device != "auto") return *choose_backend(device).backend;
  const BackendInfo& best = *choose_backend("auto").backend;
  if (best.synthetic_runner) return best;
  const BackendInfo& cuda = backends().front();
  remark("note: no usable GPU (" + cuda.unusable() +
         "); using the emulated GPU: counts, but no times");
  return *choose_backend("emulated").backend;
}

void add_conditions(Results& results) {
  results.facts.push_back({"version", std::string(version())});
  results.facts.push_back({"commit", std::string(commit())});
  results.facts.push_back({"date", today()});
  results.facts.push_back({"command", command_line()});
}

int measure_and_deliver(const BenchOutput& output,
                        const std::function<Results(const Progress& rows)>& measure) {
  Results results;
  {
    ProgressBar bar("measurements");
    results = measure(bar.report());
  }
  add_conditions(results);
  return deliver(results, output);
}

int deliver(const Results& results, const BenchOutput& output) {
  if (!output.html.empty() && is_in_front())
    write_text_atomically(output.html, report("html", results));
  print(report(output.csv ? "csv" : output.json ? "json" : "table", results));
  return results.any_wrong() ? 1 : 0;
}

std::vector<Option> scene_list_options(SceneList& list, const std::string& group) {
  return {{group, "SCENE", "FILE", "",
           "an " + kinds_of_scenes("or") + " scene; several may be given", add_text(list.scenes)},
          strict_option(list.strict, group),
          {group, "--triangles", "LIST", "",
           "also generated terrains with these numbers of triangles; K = 2^10, M = 2^20",
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
