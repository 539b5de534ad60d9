// ballotcast bench atomics: what each way of counting leaf hits costs.
#include <memory>

#include "bench/atomics.hpp"
#include "cli/bench_output.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/scene_options.hpp"
#include "kernels/strategies/broken/table.hpp"

namespace ballotcast::detail {

namespace {

constexpr u32 kMostRays = 1u << 28;

struct BenchAtomicsRequest {
  AtomicsRequest atomics;
  BenchOutput output;
  std::string device = "auto";
};

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
  const std::string what = "What", axes =
                                       "Axes (lists; those given are combined, the rest stay at "
                                       "their base value)";
  std::vector<std::string_view> strategy_names = names_of(strategies());
  for (const std::string_view name : names_in(BrokenStrategies{})) strategy_names.push_back(name);
  AtomicsRequest& a = r->atomics;
  std::vector<Option> table = {
      {what, "SCENE", "FILE", "", "an .obj, .obj.gz or .json scene to cast rays through",
       set_text(a.scene)},
      strict_option(r->atomics.strict, what),
      {what, "--experiment", "LIST", "all", joined(atomics_experiments()),
       set_names(a.experiments, "experiment", atomics_experiments())},
      {what, "--device", "NAME", r->device, "where to run: " + joined(bench_devices()),
       set_name(r->device, "device", bench_devices())},
      {what, "--include-broken", "", "",
       "the broken strategies of old articles too, whose rows come out WRONG",
       set_flag(a.include_broken)},
      {axes, "--atomics", "LIST", "all", joined(names_of(strategies())),
       set_names(a.strategies, "strategy", strategy_names)},
      {axes, "--rays", "LIST", "16M",
       "rays a run; of experiment casting 1M; K and M are 2^10, 2^20",
       set_counts(a.rays, 1, kMostRays)},
      {axes, "--block-size", "LIST", "256", "lanes a block, multiples of 32 from 32 to 1024",
       set_counts(a.block_sizes, 32, 1024)},
      {axes, "--work", "LIST", "flag",
       "of the synthetic kernels: flag (none), fmaN (N fused multiply-adds), memory",
       set_texts(a.works)},
      {axes, "--lanes", "LIST", "random", "which lanes hit: " + joined(lane_patterns()),
       set_names(a.lanes, "lanes", lane_patterns())},
      {axes, "--hit-probability", "LIST", "0.5", "how many hit, from 0 to 1",
       set_numbers(a.probabilities, 0.0, 1.0)},
      {axes, "--pipeline", "LIST", "passes", "of casting: " + joined(names_of(pipelines())),
       set_names(a.pipelines, "pipeline", names_of(pipelines()))},
      {axes, "--loop", "LIST", "auto", "of casting: host, host:K, graph", set_texts(a.loops)}};
  for (Option& row : bench_output_options(r->output)) table.push_back(std::move(row));
  for (Option& row : table)
    if (row.value == "LIST") row.repeats = true;
  return {"bench atomics", "measures what each way of counting leaf hits costs on this machine",
          table, [r] { return bench_atomics_here(*r); }};
}

}  // namespace ballotcast::detail
