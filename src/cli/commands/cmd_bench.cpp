// ballotcast bench: measures how fast rays are cast and trees are built, and what votes and atomics
// of lanes cost; shows saved results.
#include <memory>

#include "ballotcast/error.hpp"
#include "bench/atomics.hpp"
#include "bench/builds/builds.hpp"
#include "bench/primitives.hpp"
#include "bench/rays/peer_casters.hpp"
#include "bench/rays/rays.hpp"
#include "bench/reports/formats.hpp"
#include "bvh/layouts/layout.hpp"
#include "cli/command.hpp"
#include "cli/commands/bench_options.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "kernels/strategies/broken/broken_strategies.hpp"
#include "scene/formats/mesh_formats.hpp"
#include "support/files/files.hpp"
#include "support/processes/processes.hpp"

namespace ballotcast::detail {

namespace {

struct BenchRaysRequest {
  RaysRequest rays;
  BenchOutput output;
  CastSettings casting;
  std::string old_rays;  // value of --rays, the former name of --rays-file
};

/// Accepts --rays as the former name of --rays-file. In bench atomics, --rays has another meaning:
/// the number of rays.
void take_old_name(BenchRaysRequest& r) {
  if (r.old_rays.empty()) return;
  if (!r.rays.rays.empty())
    throw UsageError("--rays is the old name of --rays-file: give one of them");
  r.rays.rays = r.old_rays;
  remark("note: --rays FILE is now called --rays-file FILE; the next version removes the old name");
}

int bench_rays_here(BenchRaysRequest& r) {
  take_old_name(r);
  std::vector<std::string> inputs = r.rays.scenes;
  inputs.push_back(r.rays.rays);
  check(r.output, inputs);
  require_valid(r.rays);
  if (joined_processes() && !r.rays.peers.empty())
    throw UsageError("--peer: peers can't be measured by several processes");
  r.rays.partition = r.casting.renderer.partition;
  r.rays.max_memory = r.casting.renderer.max_memory;
  const DeviceChoice choice = choose_device(r.casting.renderer.device);
  if (!choice.note.empty()) remark("note: " + choice.note);
  if (!choice.backend->has_pipelines && !r.rays.pipelines.empty())
    remark("note: --pipeline has no effect on device cpu");
  watch_scenes(r.rays, r.output);
  return measure_and_deliver(r.output, [&](const Progress& rows) {
    r.rays.progress = rows;
    return bench_rays(r.rays, choice);
  });
}

}  // namespace

Command bench_rays_command() {
  const auto r = std::make_shared<BenchRaysRequest>();
  const std::string what = "What", axes = "Axes (lists, which are combined)";
  RaysRequest& a = r->rays;
  std::vector<Option> table = scene_list_options(a, what);
  const std::vector<Option> own = {
      {what, "--workload", "LIST", "all", joined(names_of(workloads())),
       set_names(a.workloads, "workload", names_of(workloads()))},
      {what, "--rays-file", "FILE", "", "cast the rays of this file instead", set_text(a.rays)},
      {what, "--rays", "FILE", "", "old name of --rays-file; the next version removes it",
       set_text(r->old_rays)},
      {what, "--size", "WxH", std::to_string(r->rays.width) + "x" + std::to_string(r->rays.height),
       "size of the picture that the workloads start from", set_size(a.width, a.height)},
      {what, "--moving", "HOW", "",
       "move the camera between casts, of which there are 256: turn:DEGREES, or step (0.1 % of the "
       "scene's diagonal ahead); workload primary, primary16 or scanline",
       set_text(a.moving)},
      {what, "--counts", "", "",
       "only count the nodes and triangles that rays test, without times: the counts are the same "
       "on every machine",
       set_flag(a.counts)},
      cast_option(what, "device", r->casting),
      cast_option(what, "partition", r->casting),
      cast_option(
          what, "max_memory", r->casting,
          "most memory of each machine that a scene may take, e.g. 512M; rays do not count"),
      {what, "--peer", "LIST", "",
       "also measure another ray-caster, on the CPU, in each of its modes: " +
           joined(names_of(peers())),
       set_names(a.peers, "peer", names_of(peers()))},
      {axes, "--pipeline", "LIST", "auto",
       joined(names_of(pipelines())) +
           ", each also as PIPELINE/STRATEGY; or ladder: all, starting with passes/naive",
       set_texts(a.pipelines)},
      cast_list_option(axes, "layout", a.layouts, "auto"),
      cast_list_option(axes, "builder", a.builders, std::string(kDefaultBuilder))};
  table.insert(table.end(), own.begin(), own.end());
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  let_lists_repeat(table);
  return {"bench rays", "measures how fast rays are cast on this machine", table,
          [r] { return bench_rays_here(*r); }, true};
}

namespace {

struct BenchBuildsRequest {
  BuildsRequest builds;
  BenchOutput output;
  std::string device = "auto";
};

int bench_builds_here(BenchBuildsRequest& r) {
  check(r.output, r.builds.scenes);
  require_valid(r.builds);
  const DeviceChoice choice = choose_backend(r.device);
  if (!choice.note.empty()) remark("note: " + choice.note);
  watch_scenes(r.builds, r.output);
  return measure_and_deliver(r.output, [&](const Progress& rows) {
    r.builds.progress = rows;
    return bench_builds(r.builds, *choice.backend);
  });
}

}  // namespace

Command bench_builds_command() {
  const auto r = std::make_shared<BenchBuildsRequest>();
  const std::string what = "What", axes = "Axes (lists, which are combined)";
  BuildsRequest& b = r->builds;
  const auto devices = names_of(backends(), "auto");
  std::vector<Option> table = scene_list_options(b, what);
  const std::vector<Option> own = {
      {what, "--size", "WxH", std::to_string(b.width) + "x" + std::to_string(b.height),
       "size of the picture whose rays go through the trees", set_size(b.width, b.height)},
      {what, "--device", "NAME", r->device,
       "where to build, if it can, and to cast: " + joined(devices),
       set_name(r->device, "device", devices)},
      {what, "--peer", "LIST", "",
       "also measure another ray-caster, on the CPU, in each of its modes: " +
           joined(names_of(peers())),
       set_names(b.peers, "peer", names_of(peers()))},
      cast_list_option(axes, "builder", b.builders,
                       joined({kBuildersToMeasure.begin(), kBuildersToMeasure.end()})),
      cast_list_option(axes, "layout", b.layouts, "auto")};
  table.insert(table.end(), own.begin(), own.end());
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  let_lists_repeat(table);
  return {"bench builds", "measures how fast trees are built, and how good they are", table,
          [r] { return bench_builds_here(*r); }};
}

namespace {

constexpr u32 kMostRaysPerRun = 1u << 28;

struct BenchAtomicsRequest {
  AtomicsRequest atomics;
  BenchOutput output;
  std::string device = "auto";
  bool recommend = false;
};

/// A setter that adds values to the axis called `name`. set(list) must return a setter that parses
/// the option's text into `list`, a vector of T.
template <class T>
Setter set_axis(Axes& axes, const std::string& name,
                const std::function<Setter(std::vector<T>& list)>& set) {
  return [&axes, name, set](const std::string& option, const std::string& text) {
    std::vector<T> list;
    set(list)(option, text);
    std::vector<Value>& values = axis_called(axes, name).values;
    for (const Value& value : values_of(list)) values.push_back(value);
  };
}

Setter set_axis_names(Axes& axes, const std::string& name,
                      const std::vector<std::string_view>& names) {
  return set_axis<std::string>(
      axes, name, [=](std::vector<std::string>& list) { return set_names(list, name, names); });
}

Setter set_axis_texts(Axes& axes, const std::string& name) {
  return set_axis<std::string>(axes, name,
                               [](std::vector<std::string>& list) { return set_texts(list); });
}

Setter set_axis_counts(Axes& axes, const std::string& name, u32 low, u32 high) {
  return set_axis<u32>(axes, name,
                       [=](std::vector<u32>& list) { return set_counts(list, low, high); });
}

/// The names of the devices for bench atomics: those with lanes, and "cpu", whose threads have an
/// experiment of their own.
std::vector<std::string_view> atomics_devices() {
  std::vector<std::string_view> names = bench_devices();
  names.push_back("cpu");
  return names;
}

/// Measures what the decisions of --recommend need, and prints them.
int recommend(BenchAtomicsRequest& r, const BackendInfo& backend) {
  if (!backend.has_times)
    throw DeviceError("no times here: device " + std::string(backend.name) +
                      " only imitates a GPU. docs/atomics.md has the decisions for an H200; "
                      "--device cpu measures threads");
  if (r.output.csv || !r.output.html.empty() || !r.atomics.experiments.empty() ||
      !r.atomics.strategies.empty() || r.atomics.include_broken || !r.atomics.scene.empty())
    throw UsageError(
        "--recommend chooses what to measure: SCENE, --experiment, --atomics, "
        "--include-broken, --csv and --html don't go with it");
  AtomicsRequest request = request_to_recommend(r.atomics.axes, !backend.synthetic_runner);
  Results results;
  {
    ProgressBar bar("measurements");
    request.progress = bar.report();
    results = bench_atomics(request, backend);
  }
  add_conditions(results);
  const std::vector<Decision> decisions = decisions_of(results);
  print(r.output.json ? decisions_json(results, decisions) : decisions_table(results, decisions));
  return results.any_wrong() ? 1 : 0;
}

int bench_atomics_here(BenchAtomicsRequest& r) {
  check(r.output, {r.atomics.scene});
  const BackendInfo& backend = bench_device(r.device);
  if (r.recommend) return recommend(r, backend);
  r.atomics.on_warnings = remark_warnings;
  r.atomics.on_scene = [&](const SceneData& scene) {
    require_none_of("--html", r.output.html, scene.all_files());
  };
  return measure_and_deliver(r.output, [&](const Progress& rows) {
    r.atomics.progress = rows;
    return bench_atomics(r.atomics, backend);
  });
}

}  // namespace

Command bench_atomics_command() {
  const auto r = std::make_shared<BenchAtomicsRequest>();
  const std::string what = "What",
                    axes =
                        "Axes (lists; given axes are combined, the others keep their base value)";
  const std::vector<std::string_view> shown = names_of(laboratory_strategies());
  std::vector<std::string_view> strategy_names = shown;
  for (const std::string_view name : names_in(BrokenStrategies{})) strategy_names.push_back(name);
  for (const std::string_view name : names_of(thread_ways())) strategy_names.push_back(name);
  AtomicsRequest& a = r->atomics;
  std::vector<Option> table = {
      {what, "SCENE", "FILE", "", "an " + kinds_of_scenes("or") + " scene to cast rays through",
       set_text(a.scene)},
      strict_option(r->atomics.strict, what),
      {what, "--experiment", "LIST", "all", joined(atomics_experiments()),
       set_names(a.experiments, "experiment", atomics_experiments())},
      {what, "--device", "NAME", r->device,
       "where to run: " + joined(atomics_devices()) + " (threads instead of lanes)",
       set_name(r->device, "device", atomics_devices())},
      {what, "--recommend", "", "",
       "measure on this machine and print which way is the fastest for which need",
       set_flag(r->recommend)},
      {what, "--include-broken", "", "",
       "also run the broken strategies of old articles; their rows are WRONG",
       set_flag(a.include_broken)},
      {axes, "--atomics", "LIST", "all",
       joined(shown) + "; on device cpu: " + joined(names_of(thread_ways())),
       set_names(a.strategies, "strategy", strategy_names)},
      {axes, "--rays", "LIST", "16M",
       "rays per run (experiments casting and threads: 1M); K = 2^10, M = 2^20",
       set_axis_counts(a.axes, "rays", 1, kMostRaysPerRun)},
      {axes, "--block-size", "LIST", std::to_string(CastOptions{}.block_size),
       "lanes per block, multiples of 32 from 32 to 1024",
       set_axis_counts(a.axes, "block_size", 32, 1024)},
      {axes, "--work", "LIST", "flag",
       "in the synthetic kernels: flag (none), fmaN (N fused multiply-adds per ray), memory",
       set_axis_texts(a.axes, "work")},
      {axes, "--lanes", "LIST", "random", "which lanes hit: " + joined(lane_patterns()),
       set_axis_names(a.axes, "lanes", lane_patterns())},
      {axes, "--hit-probability", "LIST", "0.5", "share of lanes that hit, from 0 to 1",
       set_axis<double>(a.axes, "hit_probability",
                        [](std::vector<double>& list) { return set_numbers(list, 0.0, 1.0); })},
      {axes, "--shards", "LIST", "64",
       "counters of warp-shards and spread, queues of warp-queues: powers of two up to 64",
       set_axis_counts(a.axes, "shards", 1, 64)},
      {axes, "--ragged", "LIST", "1",
       "one block of eight does so many times the work; for work fmaN",
       set_axis_counts(a.axes, "ragged", 1, 1024)},
      {axes, "--items", "LIST", "1", "rays per lane, up to 64; more than 1 only for warp-shards",
       set_axis_counts(a.axes, "items", 1, 64)},
      {axes, "--payload", "LIST", "0",
       "bytes that a lane keeps besides its id, multiples of 16 up to 64; slots by block-scan "
       "(in the slot) and later (in a place of the lane)",
       set_axis_counts(a.axes, "payload_bytes", 0, 64)},
      {axes, "--bins", "LIST", "8", "queues of bins, bin-atomics and bin-sort: 2, 8 or 32",
       set_axis_counts(a.axes, "bins", 2, 32)},
      {axes, "--threads", "LIST", "all", "threads of device cpu",
       set_axis_counts(a.axes, "threads", 1, 4096)},
      {axes, "--pipeline", "LIST", "passes", "in casting: " + joined(names_of(pipelines())),
       set_axis_names(a.axes, "pipeline", names_of(pipelines()))},
      {axes, "--loop", "LIST", "auto", "in casting: host, host:K, graph",
       set_axis_texts(a.axes, "loop")}};
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  for (Option& row : table)
    if (row.value == "LIST") row.repeats = true;
  return {"bench atomics", "measures what each way of counting leaf hits costs on this machine",
          table, [r] { return bench_atomics_here(*r); }};
}

namespace {

struct BenchPrimitivesRequest {
  std::vector<std::string> experiments;
  std::vector<u32> block_sizes, widths, sizes, group_sizes;
  bool include_broken = false;
  BenchOutput output;
  std::string device = "auto";
};

int bench_primitives_here(const BenchPrimitivesRequest& r) {
  check(r.output);
  const auto lab = bench_device(r.device).primitive_lab(0);
  PrimitivesRequest request = default_primitives_request(*lab);
  const auto take = [](const auto& from, auto& to) {
    if (!from.empty()) to = from;
  };
  take(r.experiments, request.experiments);
  take(r.block_sizes, request.block_sizes);
  take(r.widths, request.widths);
  take(r.sizes, request.sizes);
  take(r.group_sizes, request.group_sizes);
  request.include_broken = r.include_broken;
  Results results = bench_primitives(request, *lab);
  add_conditions(results);
  return deliver(results, r.output);
}

}  // namespace

Command bench_primitives_command() {
  const auto r = std::make_shared<BenchPrimitivesRequest>();
  const std::string what = "What", axes = "Axes (lists)";
  const std::vector<std::string_view> experiments = {"votes", "shuffles", "reductions", "groups"};
  constexpr u32 kMostValues = 1u << 30;
  std::vector<Option> table = {
      {what, "--experiment", "LIST", "all", joined(experiments),
       set_names(r->experiments, "experiment", experiments)},
      {what, "--device", "NAME", r->device, "where to run: " + joined(bench_devices()),
       set_name(r->device, "device", bench_devices())},
      {what, "--include-broken", "", "", "also run the racy reduction; its rows are WRONG",
       set_flag(r->include_broken)},
      {axes, "--block-size", "LIST", std::to_string(CastOptions{}.block_size),
       "lanes per block, multiples of 32 from 32 to 1024", set_counts(r->block_sizes, 32, 1024)},
      {axes, "--width", "LIST", "1,2,4,8,16,32", "lanes per group that shuffles",
       set_counts(r->widths, 1, 32)},
      {axes, "--values", "LIST", "64M on a GPU", "number of values to sum",
       set_counts(r->sizes, 1, kMostValues)},
      {axes, "--group-size", "LIST", "1 to 1024", "neighbouring lanes that take the same branch",
       set_counts(r->group_sizes, 1, 1024)}};
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  for (Option& row : table)
    if (row.value == "LIST") row.repeats = true;
  return {"bench primitives", "measures warp votes, shuffles, reductions and sizes of groups",
          table, [r] { return bench_primitives_here(*r); }};
}

namespace {

struct ReportRequest {
  std::string file;
  BenchOutput output;
};

}  // namespace

Command bench_report_command() {
  const auto r = std::make_shared<ReportRequest>();
  std::vector<Option> table = {{"Files", "RESULTS", "FILE", "",
                                "what a benchmark printed with --json", set_text(r->file), false,
                                true}};
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  return {"bench report", "shows saved results (of --json) as a page or table", table, [r] {
            if (r->file.empty()) throw UsageError("bench report needs a file of results");
            check(r->output, {r->file});
            const std::vector<u8> bytes = read_file(r->file);
            return deliver(results_from({bytes.begin(), bytes.end()}, r->file), r->output);
          }};
}

}  // namespace ballotcast::detail
