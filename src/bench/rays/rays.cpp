#include "bench/rays/rays.hpp"

#include <memory>
#include <numeric>
#include <optional>

#include "backends/device/device_choice.hpp"
#include "backends/device/memory_plan.hpp"
#include "backends/parts/parts.hpp"
#include "bench/plan.hpp"
#include "bench/rays/casts.hpp"
#include "bench/rays/known_scene.hpp"
#include "bench/rays/peer_casters.hpp"
#include "support/stopwatch.hpp"
#include "support/text.hpp"

namespace ballotcast::detail {

namespace {

/// One tree of the scene, on the device.
struct Tree {
  std::string builder, layout;
  double build_ms = 0.0;  // time for building the tree and the layout
  std::shared_ptr<const PreparedScene> prepared;
  std::unique_ptr<ResidentScene> resident;
};

/// Makes all rows for one scene.
class SceneBench {
 public:
  /// `sized` is true if the request has several sizes of this scene. `given`: rays to use instead
  /// of workloads, or null.
  SceneBench(const RaysRequest& request, const RaySet* given, const DeviceChoice& device,
             SceneData&& scene, bool sized)
      : request_(request),
        given_(given),
        device_(device),
        backend_(*device.backend),
        sized_(sized),
        known_(std::move(scene)),
        motion_(motion_of(request.moving)) {}

  void run(std::vector<Row>& rows, const std::function<void()>& row_done) {
    plant();
    for (const std::string& name : request_.workloads) {
      const RaySet set = given_ ? *given_ : known_.rays(name, request_.width, request_.height);
      const std::vector<Hit> expected = known_.hits(set);
      std::vector<std::unique_ptr<ResidentRays>> all_kept;
      std::vector<Turn> turns;
      for (Tree& tree : trees_) {
        all_kept.push_back(
            tree.resident->keep(set.kind, set.rays.data(), static_cast<u32>(set.rays.size())));
        ResidentRays& kept = *all_kept.back();
        const MeanVisits visits(count_visits(*tree.prepared, set));
        for (const std::string& pipeline : request_.pipelines) {
          Row& row = rows.emplace_back(row_of(name, tree.builder, tree.layout, pipeline, set));
          row.found.insert(
              row.found.end(),
              {{"build_ms", tree.build_ms},
               {"bytes_per_tri", bytes_per_triangle(tree.prepared->encoded, known_.triangles())},
               {"nodes_per_ray", visits.nodes},
               {"tris_per_ray", visits.triangles},
               {"largest_of_32", visits.largest}});
          measure_row(row, kept, name, pipeline, set, expected);
          if (in_turns() && row.verdict == Verdict::right)
            turns.push_back({rows.size() - 1, [&] { return kept.time({}, 1).front(); }});
          row_done();
        }
      }
      for (const auto& [peer, with] : peers_) {
        Row& row = rows.emplace_back(row_of(name, peer, "-", "-", set));
        row.found.emplace_back("build_ms", with->build_ms());
        measure_peer(row, *with, set, expected);
        if (in_turns() && row.verdict == Verdict::right)
          turns.push_back({rows.size() - 1, [&peer = *with] { return time_once(peer); }});
        row_done();
      }
      take_turns(turns, rows);
    }
  }

 private:
  /// A function that casts once and returns the milliseconds, and the index of the row for its
  /// times. All turns of a workload are called in turns.
  struct Turn {
    std::size_t row;
    std::function<double()> once;
  };

  /// True if peers run on the same cores as the device. Then device and peers are timed in turns,
  /// so that the clock and other load affect all of them alike.
  bool in_turns() const { return !peers_.empty() && !backend_.has_pipelines; }

  /// Times all turns. Adds to each row how many times as fast it is as the first turn's row.
  static void take_turns(const std::vector<Turn>& turns, std::vector<Row>& rows) {
    std::vector<std::function<double()>> once;
    for (const Turn& turn : turns) once.push_back(turn.once);
    const std::vector<std::vector<double>> times = time_in_turns(once);
    for (std::size_t i = 0; i < turns.size(); ++i) {
      Row& row = rows[turns[i].row];
      row.timing = timing_of(times[i]);
      row.found.insert(row.found.begin(), {"over_first", times_as_fast(times[i], times[0])});
    }
  }

  /// Builds the requested trees, and loads the scene into the requested peers.
  void plant() {
    Axes axes = axes_of(request_);
    axes.pop_back();  // without the axis pipeline: all pipelines use the same tree
    for (const Values& at : product(axes)) {
      Tree& tree = trees_.emplace_back();
      const Stopwatch watch;
      tree.prepared = prepare(known_.scene(), value_at<std::string>(at, "builder"),
                              value_at<std::string>(at, "layout"), {}, build_on(device_, {}));
      tree.build_ms = watch.milliseconds();
      tree.builder = value_at<std::string>(at, "builder");
      tree.layout = tree.prepared->encoded.layout->name;
      tree.resident = resident(tree.prepared);
    }
    if (!request_.peers.empty() && !known_.scene()->instances.empty())
      throw InputError(known_.scene()->place() + ": peers can't be given scenes with instances");
    for (const std::string& name : request_.peers) {
      const PeerInfo& peer = peer_called(name);
      for (const PeerMode& mode : peer.modes())
        peers_.emplace_back(name_in(peer, mode), mode.make(known_.mesh()));
    }
  }

  std::unique_ptr<ResidentScene> resident(const std::shared_ptr<const PreparedScene>& whole) const {
    const MemoryTable all = memory_of(*whole);
    const MemoryBudget budget = budget_on(device_, request_.max_memory);
    const u32 count = number_of_parts(device_, request_.partition, all, budget);
    if (count == 1) {
      require_room(all, budget);
      return device_.upload(*whole, {});
    }
    const std::vector<ScenePart> parts = cut_into_parts(whole, count, build_on(device_, {}));
    require_room(memory_of(parts, device_), budget);
    return device_.upload_parts(*whole, parts);
  }

  Row row_of(const std::string& workload, const std::string& builder, const std::string& layout,
             const std::string& pipeline, const RaySet& set) const {
    Row row;
    row.experiment = "rays";
    row.axes = scene_axes(known_, sized_);
    row.axes.insert(
        row.axes.end(),
        {{"workload", workload}, {"builder", builder}, {"layout", layout}, {"pipeline", pipeline}});
    row.items = set.rays.size();
    row.found = {{"rays", u64{set.rays.size()}}};
    if (!sized_) row.found.emplace_back("triangles", known_.triangles());
    return row;
  }

  /// If there are no rays, marks the row as skipped and returns true: its rate would be 0, which
  /// has no meaning.
  static bool skipped_as_empty(Row& row, const RaySet& set) {
    if (!set.rays.empty()) return false;
    row.verdict = Verdict::skipped;
    row.why = "it has no rays: the rays from whose hits they would start hit nothing";
    return true;
  }

  void measure_row(Row& row, ResidentRays& kept, const std::string& workload,
                   const std::string& pipeline, const RaySet& set,
                   const std::vector<Hit>& expected) const {
    if (skipped_as_empty(row, set)) return;
    const CastChoice choice(pipeline == "-" ? CastOptions{} : rung_called(pipeline),
                            backend_.auto_loop());
    if (motion_.moves()) return measure_moving(row, kept, workload, choice);
    const u64 different = count_wrong(kept, choice, expected);
    row.found.emplace_back("disagree_ppm", in_ppm(different, set.rays.size()));
    judge(row, "rays that disagree with the reference", 0, different);
    if (request_.counts || !device_.has_times() || row.verdict != Verdict::right) return;
    if (!in_turns()) row.timing = time_casts(kept, choice);
  }

  /// Measures the mean of kMovingCasts casts, between which the camera moves.
  void measure_moving(Row& row, ResidentRays& kept, const std::string& workload,
                      const CastChoice& choice) const {
    // One cast in 32 is checked, because the reference takes longer than the cast
    constexpr u32 kCheckedEach = 32;
    std::vector<double> times;
    u64 different = 0, checked = 0;
    for (u32 number = 0; number < kMovingCasts; ++number) {
      const RaySet set = known_.rays(workload, request_.width, request_.height, motion_, number);
      kept.replace(set.rays.data());
      if (device_.has_times())
        times.push_back(kept.time(choice, 1).front());
      else
        kept.cast(choice, {});
      if (number % kCheckedEach != 0 && number + 1u != kMovingCasts) continue;
      different += count_wrong_of_last(kept, known_.hits(set));
      checked += set.rays.size();
    }
    row.found.emplace_back("disagree_ppm", in_ppm(different, checked));
    judge(row, "rays that disagree with the reference", 0, different);
    if (times.empty() || row.verdict != Verdict::right) return;
    row.timing = timing_of(times);
    row.timing->median_ms = std::accumulate(times.begin(), times.end(), 0.0) / kMovingCasts;
  }

  void measure_peer(Row& row, Peer& peer, const RaySet& set,
                    const std::vector<Hit>& expected) const {
    if (skipped_as_empty(row, set)) return;
    const u64 different = count_wrong(peer, set, expected);
    row.found.emplace_back("disagree_ppm", in_ppm(different, set.rays.size()));
    if (!in_turns()) row.timing = time_casts(peer, set);
  }

  const RaysRequest& request_;
  const RaySet* given_;
  const DeviceChoice& device_;
  const BackendInfo& backend_;  // backend of the device's first machine
  bool sized_;
  KnownScene known_;
  CameraMotion motion_;
  std::vector<Tree> trees_;
  std::vector<std::pair<std::string, std::unique_ptr<Peer>>> peers_;
};

}  // namespace

Results bench_rays(const RaysRequest& asked, const DeviceChoice& device) {
  require_valid(asked);
  if (!asked.moving.empty() && (device.is_shared() || asked.partition != 1))
    throw UsageError("a camera moves on one machine, at a whole scene", "moving");
  Results results;
  const RaysRequest request = resolved(asked, *device.backend, results.notes);
  std::optional<RaySet> given;
  if (!request.rays.empty()) given = rays_of_file(request, results.notes);
  results.title = "How fast rays are cast";
  results.noise = kLeastNoise;
  results.facts = machine_facts(device);
  if (request.partition != 1)
    results.facts.emplace_back("partition", request.partition == 0
                                                ? std::string("auto")
                                                : std::to_string(request.partition));
  if (request.max_memory)
    results.facts.emplace_back("memory for a scene", bytes_in_words(*request.max_memory));
  if (given)
    results.facts.emplace_back("rays", request.rays);
  else
    results.facts.emplace_back(
        "picture", std::to_string(request.width) + "x" + std::to_string(request.height));
  results.counts_only = request.counts;
  if (request.counts) results.notes.emplace_back("only counted: nothing was timed");
  if (!request.moving.empty()) {
    results.facts.emplace_back("camera", request.moving);
    results.notes.push_back("the camera moves (" + request.moving + "): times are the mean of " +
                            std::to_string(kMovingCasts) +
                            " casts, each of other rays; the hits of one in 32 are checked");
  }
  results.experiments = {
      {"rays", "Rays through scenes",
       "Workloads of rays, over builders, layouts and pipelines. Every hit is compared bit by bit "
       "with a plain walk on the CPU through another tree before a rate is shown. nodes/ray and "
       "tris/ray are the mean numbers of nodes and triangles that a ray tests, largest of 32 the "
       "mean of both for the ray that tests most of 32 consecutive ones. Times are device "
       "times, from the first kernel to the last; on a CPU, wall-clock times. Peers there take "
       "turns with the device, cast by cast; over first is the median of how many times as fast as "
       "the first row they were. Opacity is ignored: surfaces are not cut out.",
       "rays", true}};
  const u64 total = request.count() * request.workloads.size() *
                    (product(axes_of(request)).size() + count_modes(request.peers));
  for_each_scene(request, [&](SceneData&& scene, bool sized) {
    SceneBench bench(request, given ? &*given : nullptr, device, std::move(scene), sized);
    bench.run(results.rows, [&] {
      if (request.progress) request.progress(results.rows.size(), total);
    });
  });
  for (const std::string& name : request.peers)
    if (const std::string version = peer_called(name).version(); !version.empty())
      results.facts.emplace_back(name, version);
  if (!request.peers.empty()) results.notes.emplace_back(kNoteOnPeers);
  return results;
}

}  // namespace ballotcast::detail
