#include "bench/atomics.hpp"

#include <algorithm>

#include "bench/casting.hpp"
#include "bench/synthetic.hpp"
#include "kernels/pipelines/table.hpp"
#include "kernels/strategies/broken/table.hpp"
#include "kernels/strategies/table.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

/// Kernels that do the same, but with another code layout, differ by up to this much (measured on
/// an H200).
constexpr double kNoise = 0.06;

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> table = {
      {"synthetic", "A kernel that works, then reports",
       "Each lane does some work, then a strategy tells the counter which lanes hit. The less "
       "work, "
       "the more of the time is the strategy's.",
       "rays"},
      {"slots", "A kernel that works, then takes slots of a queue",
       "As before, but each lane that hits gets a place of its own in a queue.", "rays"},
      {"placement", "Where the atomic stands",
       "Lanes leave a loop of about 100 steps one by one and meet a leaf in one step of eight: "
       "counted at once, or after the loop.",
       "rays"},
      {"casting", "The ray-caster itself",
       "Camera rays through a scene, traverse and intersect taking turns until the counter is 0; "
       "from the first kernel to the last, read-backs included.",
       "rays"}};
  return table;
}

void require_valid(const AtomicsRequest& r) {
  require_known("experiment", r.experiments, atomics_experiments());
  std::vector<std::string_view> strategies = names_in(Strategies{});
  if (r.include_broken)
    for (const std::string_view name : names_in(BrokenStrategies{})) strategies.push_back(name);
  require_known("strategy", r.strategies, strategies);
  require_known("lanes", r.lanes, lane_patterns());
  require_known("pipeline", r.pipelines, names_in(Pipelines{}));
  for (const std::string& loop : r.loops) CastChoice(CastOptions{"auto", "auto", 256, loop});
  for (const u32 size : r.block_sizes) CastChoice(CastOptions{"auto", "auto", size});
}

}  // namespace

std::vector<std::string_view> atomics_experiments() {
  std::vector<std::string_view> names;
  for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
  return names;
}

Results bench_atomics(const AtomicsRequest& request, const BackendInfo& backend) {
  require_valid(request);
  if (!backend.synthetic_runner)
    throw UsageError("device " + std::string(backend.name) +
                     " has no lanes to experiment with; take cuda or emulated");
  const auto lab = backend.synthetic_runner();
  const bool timed = lab->clock_mhz() > 0.0;
  const auto wants = [&](std::string_view name) {
    const auto& names = request.experiments;
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  Results results;
  results.title = "What counting costs";
  results.noise = kNoise;
  results.facts = {{"device", std::string(backend.name)},
                   {"device_description", backend.describe()},
                   {"cache", std::string("warm: runs follow each other")},
                   {"noise", kNoise}};
  Plan plan;
  plan_synthetic(request, *lab, timed, plan);
  std::unique_ptr<CastFixture> ground;
  if (wants("casting")) {
    ground = std::make_unique<CastFixture>(request, backend);
    plan_casting(request, *ground, *lab, timed, plan);
    results.facts.push_back({"scene", ground->name()});
    results.facts.push_back({"triangles", ground->triangles()});
  }
  if (plan.empty()) throw UsageError("nothing to measure: no strategy fits what is asked for");
  results.rows = carry_out(std::move(plan), request.progress);
  for (const Experiment& experiment : experiments()) {
    if (!std::any_of(results.rows.begin(), results.rows.end(),
                     [&](const Row& row) { return row.experiment == experiment.name; }))
      continue;
    results.experiments.push_back(experiment);
    const bool placement = experiment.name == "placement";
    relate(results.rows, experiment.name, placement ? "placement" : "strategy",
           placement ? "naive-in-loop" : "naive", "none");
  }
  results.notes.push_back(
      "before a row is timed, its counter, and where there are any its hits, leaf visits and queue "
      "contents, are held to the CPU's");
  return results;
}

}  // namespace ballotcast::detail
