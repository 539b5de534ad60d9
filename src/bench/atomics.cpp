#include "bench/atomics.hpp"

#include <algorithm>

#include "ballotcast/error.hpp"
#include "bench/synthetic_points.hpp"
#include "kernels/pipelines/pipelines.hpp"
#include "kernels/strategies/broken/broken_strategies.hpp"
#include "kernels/strategies/strategies.hpp"

namespace ballotcast::detail {

namespace {

/// The relative difference up to which the times of two kernels that do the same work are called
/// equal. Times differ by up to this only because the code is laid out differently in memory
/// (measured on an H200).
constexpr double kNoise = 0.06;

constexpr u32 kMostThreads = 4096;
constexpr std::string_view kThreads = "threads";  // name of the experiment on device cpu

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
       "rays"},
      {"threads", "CPU threads that work, then add up",
       "Each thread works for its share of the rays and adds its hits to a sum that all want.",
       "rays"}};
  return table;
}

/// All axes of all experiments, each with a value of its type; the values themselves have no
/// meaning.
const Values& axes_and_types() {
  static const Values table = {
      {"work", std::string()}, {"lanes", std::string()},    {"hit_probability", 0.0},
      {"rays", u64{0}},        {"block_size", u64{0}},      {"shards", u64{0}},
      {"ragged", u64{0}},      {"pipeline", std::string()}, {"loop", std::string()},
      {"threads", u64{0}},     {"items", u64{0}},           {"payload_bytes", u64{0}},
      {"bins", u64{0}}};
  return table;
}

/// Throws UsageError if there is no axis called `axis`, or if `value` is invalid for it. The names
/// of kinds of work are checked later, by case_of.
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
  const u64* const number = std::get_if<u64>(&value);
  if (axis == "shards" && (*number < 1 || *number > kMostShards || (*number & (*number - 1)) != 0))
    throw UsageError("shards " + in_words(value) + ": must be a power of two from 1 to " +
                     std::to_string(kMostShards));
  const auto require_up_to = [&](const std::string& name, u64 most) {
    if (axis == name && (*number < 1 || *number > most))
      throw UsageError(name + " " + in_words(value) + ": must be 1 to " + std::to_string(most));
  };
  if (axis == "bins" && *number != 2 && *number != 8 && *number != 32)
    throw UsageError("bins " + in_words(value) + ": must be 2, 8 or 32");
  require_up_to("ragged", kMostRagged);
  require_up_to("items", kMostItems);
  require_up_to("threads", kMostThreads);
  if (axis == "payload_bytes" && (*number > kMostPayload || *number % sizeof(Float4) != 0))
    throw UsageError("payload " + in_words(value) + ": must be a multiple of 16 bytes up to " +
                     std::to_string(kMostPayload));
}

/// Throws UsageError for an invalid request. On device cpu (`on_threads`), only the experiment
/// threads is valid, which has its own strategies; on other devices, only the other experiments.
void require_valid(const AtomicsRequest& r, bool on_threads) {
  require_known("experiment", r.experiments, atomics_experiments());
  for (const std::string& name : r.experiments)
    if ((name == kThreads) != on_threads)
      throw UsageError(
          "experiment " + name +
          (on_threads ? ": not on device cpu, which has threads" : ": only on device cpu"));
  if (on_threads && (r.include_broken || !r.scene.empty()))
    throw UsageError("device cpu has neither broken strategies nor scenes, only threads");
  for (const Axis& axis : r.axes)
    if (on_threads ? is_of_lanes(axis.name) : axis.name == "threads")
      throw UsageError("axis " + axis.name + ": " + (on_threads ? "not" : "only") +
                       " on device cpu");
  std::vector<std::string_view> strategies =
      on_threads ? names_of(thread_ways()) : names_of(laboratory_strategies());
  if (r.include_broken && !on_threads)
    for (const std::string_view name : names_in(BrokenStrategies{})) strategies.push_back(name);
  require_known("strategy", r.strategies, strategies);
  for (const Axis& axis : r.axes)
    for (const Value& value : axis.values) require_valid(axis.name, value);
}

/// True if experiment casting has at least one of the requested strategies.
bool can_cast(const AtomicsRequest& r) {
  const auto names = names_in(Strategies{});
  return r.strategies.empty() ||
         std::any_of(r.strategies.begin(), r.strategies.end(), [&](const std::string& name) {
           return std::find(names.begin(), names.end(), name) != names.end();
         });
}

/// Returns the request without repeated values, which would be measured twice. Adds a note for each
/// of them.
AtomicsRequest without_repeats(const AtomicsRequest& asked, std::vector<std::string>& notes) {
  AtomicsRequest r = asked;
  r.experiments = each_once("experiment", r.experiments, notes);
  r.strategies = each_once("strategy", r.strategies, notes);
  for (Axis& axis : r.axes) axis.values = each_once(axis.name, axis.values, notes);
  return r;
}

}  // namespace

bool is_of_lanes(std::string_view axis) {
  return axis == "shards" || axis == "items" || axis == "payload_bytes" || axis == "bins" ||
         axis == "pipeline" || axis == "loop";
}

bool is_wanted(const std::vector<std::string>& names, std::string_view name) {
  return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::string_view> atomics_experiments() {
  std::vector<std::string_view> names;
  for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
  return names;
}

namespace {

/// Plans and measures all requested experiments on lanes. Adds the facts and rows to `results`.
void measure_lanes(const AtomicsRequest& request, const BackendInfo& backend, Results& results) {
  const auto lab = backend.synthetic_runner();
  const bool timed = lab->clock_mhz() > 0.0;
  const bool casts = is_wanted(request.experiments, "casting");
  Plan plan;
  plan_synthetic(request, *lab, timed, plan);
  std::unique_ptr<CastFixture> ground;
  if (casts && can_cast(request)) {
    ground = std::make_unique<CastFixture>(request, backend);
    plan_casting(request, *ground, *lab, timed, plan);
    results.facts.push_back({"scene", ground->name()});
    results.facts.push_back({"triangles", ground->triangles()});
  }
  results.rows = carry_out(std::move(plan), request.progress);
  results.notes.push_back(
      "before a row is timed, its counter and, if it has them, its hits, leaf visits and queue "
      "contents are compared with the CPU's");
}

void measure_threads(const AtomicsRequest& request, Results& results) {
  Plan plan;
  plan_threads(request, plan);
  results.rows = carry_out(std::move(plan), request.progress);
  results.notes.push_back("before a row is timed, its sum is compared with that of one loop");
}

}  // namespace

Results bench_atomics(const AtomicsRequest& asked, const BackendInfo& backend) {
  const bool on_threads = !backend.synthetic_runner;  // this device has no lanes
  require_valid(asked, on_threads);
  Results results;
  const AtomicsRequest request = without_repeats(asked, results.notes);
  results.title = "What counting costs";
  results.noise = kNoise;
  results.facts = {{"device", std::string(backend.name)},
                   {"device_description", backend.describe()},
                   {"cache", std::string("warm: runs follow each other")}};
  if (on_threads)
    measure_threads(request, results);
  else
    measure_lanes(request, backend, results);
  if (results.rows.empty()) throw UsageError("nothing to measure: no strategy fits the request");
  for (const Experiment& experiment : experiments()) {
    if (!std::any_of(results.rows.begin(), results.rows.end(),
                     [&](const Row& row) { return row.experiment == experiment.name; }))
      continue;
    results.experiments.push_back(experiment);
    const bool placement = experiment.name == "placement";
    relate(results.rows, experiment.name, placement ? "placement" : "strategy",
           placement ? "naive-in-loop" : "naive", "none");
  }
  return results;
}

}  // namespace ballotcast::detail
