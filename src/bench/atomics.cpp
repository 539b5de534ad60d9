#include "bench/atomics.hpp"

#include <algorithm>

#include "kernels/pipelines/table.hpp"
#include "kernels/strategies/broken/table.hpp"
#include "kernels/strategies/table.hpp"
#include "support/error.hpp"

namespace ballotcast::detail {

namespace {

/// The times of two kernels that do the same work can differ by up to this fraction, only because
/// their code is laid out differently (measured on an H200).
constexpr double kNoise = 0.06;

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> table = {
      {"synthetic", "A kernel that works, then reports",
       "Each lane does some work, then a strategy counts the lanes that hit. The less work, the "
       "larger the strategy's share of the time.",
       "rays"},
      {"slots", "A kernel that works, then reserves slots of a queue",
       "As before, but each lane that hits gets its own slot in a queue.", "rays"},
      {"placement", "Where the atomic stands",
       "Lanes leave a loop of about 100 steps one by one and meet a leaf in one step of eight: "
       "counted immediately, or after the loop.",
       "rays"},
      {"casting", "The ray-caster itself",
       "Camera rays through a scene: the kernels traverse and intersect take turns until the "
       "counter is 0. Times are from the first kernel to the last, including read-backs.",
       "rays"}};
  return table;
}

/// All axes. The value of each entry only shows the type of the axis.
const Values& axes_and_types() {
  static const Values table = {{"work", std::string()},  {"lanes", std::string()},
                               {"hit_probability", 0.0}, {"rays", u64{0}},
                               {"block_size", u64{0}},   {"pipeline", std::string()},
                               {"loop", std::string()}};
  return table;
}

/// Throws UsageError if there is no axis called `axis`, or if it does not accept `value`. The names
/// of work are checked later, by set_work in synthetic.cpp.
void require_valid(const std::string& axis, const Value& value) {
  std::vector<std::string_view> names;
  for (const auto& [name, type] : axes_and_types()) names.push_back(name);
  require_known("axis", {axis}, names);
  if (value.index() != find(axes_and_types(), axis)->index())
    throw UsageError("axis " + axis + " can't have the value " + in_words(value));
  const auto word = [&] { return std::vector<std::string>{std::get<std::string>(value)}; };
  if (axis == "lanes") require_known("lanes", word(), lane_patterns());
  if (axis == "pipeline") require_known("pipeline", word(), names_in(Pipelines{}));
  if (axis == "loop")
    CastChoice(CastOptions{"auto", "auto", CastOptions{}.block_size, word().front()});
  if (axis == "block_size")
    CastChoice(CastOptions{"auto", "auto", static_cast<u32>(std::get<u64>(value))});
}

void require_valid(const AtomicsRequest& r) {
  require_known("experiment", r.experiments, atomics_experiments());
  std::vector<std::string_view> strategies = names_in(Strategies{});
  if (r.include_broken)
    for (const std::string_view name : names_in(BrokenStrategies{})) strategies.push_back(name);
  require_known("strategy", r.strategies, strategies);
  for (const Axis& axis : r.axes)
    for (const Value& value : axis.values) require_valid(axis.name, value);
}

/// `asked` without repeated values, which would be measured twice. Adds a note for each of them.
AtomicsRequest without_repeats(const AtomicsRequest& asked, std::vector<std::string>& notes) {
  AtomicsRequest r = asked;
  r.experiments = each_once("experiment", r.experiments, notes);
  r.strategies = each_once("strategy", r.strategies, notes);
  for (Axis& axis : r.axes) axis.values = each_once(axis.name, axis.values, notes);
  return r;
}

}  // namespace

std::vector<std::string_view> atomics_experiments() {
  std::vector<std::string_view> names;
  for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
  return names;
}

Results bench_atomics(const AtomicsRequest& asked, const BackendInfo& backend) {
  require_valid(asked);
  Results results;
  const AtomicsRequest request = without_repeats(asked, results.notes);
  if (!backend.synthetic_runner)
    throw UsageError("device " + std::string(backend.name) +
                     " can't run these experiments; use cuda or emulated");
  const auto lab = backend.synthetic_runner();
  const bool timed = lab->clock_mhz() > 0.0;
  const auto wants = [&](std::string_view name) {
    const auto& names = request.experiments;
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  results.title = "What counting costs";
  results.noise = kNoise;
  results.facts = {{"device", std::string(backend.name)},
                   {"device_description", backend.describe()},
                   {"cache", std::string("warm: runs follow each other")}};
  Plan plan;
  plan_synthetic(request, *lab, timed, plan);
  std::unique_ptr<CastFixture> ground;
  if (wants("casting")) {
    ground = std::make_unique<CastFixture>(request, backend);
    plan_casting(request, *ground, *lab, timed, plan);
    results.facts.push_back({"scene", ground->name()});
    results.facts.push_back({"triangles", ground->triangles()});
  }
  if (plan.empty()) throw UsageError("nothing to measure: no strategy fits the request");
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
      "before a row is timed, its counter and, if it has them, its hits, leaf visits and queue "
      "contents are compared with the CPU's");
  return results;
}

}  // namespace ballotcast::detail
