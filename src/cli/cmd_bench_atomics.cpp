// ballotcast bench atomics: what each way of counting leaf hits costs.
#include <memory>

#include "bench/atomics.hpp"
#include "cli/bench_output.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "kernels/strategies/broken/table.hpp"
#include "scene/mesh_formats.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kMostRays = 1u << 28;

struct BenchAtomicsRequest {
  AtomicsRequest atomics;
  BenchOutput output;
  std::string device = "auto";
};

/// A setter that adds values to the axis called `name`. set(list) must be a setter that parses the
/// text of the option into `list`.
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

int bench_atomics_here(BenchAtomicsRequest& r) {
  check(r.output, {r.atomics.scene});
  const BackendInfo& backend = bench_device(r.device);
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
  std::vector<std::string_view> strategy_names = names_of(strategies());
  for (const std::string_view name : names_in(BrokenStrategies{})) strategy_names.push_back(name);
  AtomicsRequest& a = r->atomics;
  std::vector<Option> table = {
      {what, "SCENE", "FILE", "", "an " + kinds_of_scenes("or") + " scene to cast rays through",
       set_text(a.scene)},
      strict_option(r->atomics.strict, what),
      {what, "--experiment", "LIST", "all", joined(atomics_experiments()),
       set_names(a.experiments, "experiment", atomics_experiments())},
      {what, "--device", "NAME", r->device, "where to run: " + joined(bench_devices()),
       set_name(r->device, "device", bench_devices())},
      {what, "--include-broken", "", "",
       "also run the broken strategies of old articles; their rows are WRONG",
       set_flag(a.include_broken)},
      {axes, "--atomics", "LIST", "all", joined(names_of(strategies())),
       set_names(a.strategies, "strategy", strategy_names)},
      {axes, "--rays", "LIST", "16M", "rays per run (experiment casting: 1M); K = 2^10, M = 2^20",
       set_axis_counts(a.axes, "rays", 1, kMostRays)},
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

}  // namespace ballotcast::detail
