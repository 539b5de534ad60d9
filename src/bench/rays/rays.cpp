#include "bench/rays/rays.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "bench/hit_differences.hpp"
#include "bench/measure.hpp"
#include "bench/plan.hpp"
#include "bench/rays/peers.hpp"
#include "bench/rays/rays_request.hpp"
#include "bench/rays/rungs.hpp"
#include "bench/rays/visits.hpp"
#include "render/renderer_state.hpp"
#include "scene/assemble.hpp"
#include "scene/generated.hpp"
#include "support/files.hpp"
#include "support/stopwatch.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

/// The clock drifts by up to this ratio from row to row. The spread of one row does not show this.
constexpr double kLeastNoise = 0.01;

/// The scene with all surfaces opaque. Peers know nothing of opacity, so benchmarks ignore it.
std::shared_ptr<const SceneData> solid(SceneData&& loaded) {
  auto scene = std::make_shared<SceneData>(std::move(loaded));
  for (Material& material : scene->materials) {
    material.opacity = 1.0f;
    material.opacity_texture = kNoTexture;
  }
  return scene;
}

/// One tree of the scene, on the device.
struct Tree {
  std::string builder, layout;
  double build_ms = 0.0;  // time for tree and layout
  std::shared_ptr<const PreparedScene> prepared;
  std::unique_ptr<ResidentScene> resident;

  double bytes_per_triangle() const {
    const EncodedBvh& e = prepared->encoded;
    const double bytes = static_cast<double>(e.bytes) +
                         static_cast<double>(e.triangles.size() * sizeof(TriangleRows));
    return bytes / static_cast<double>(std::max<std::size_t>(1, triangles()));
  }
  std::size_t triangles() const { return prepared->scene->mesh.triangles.size(); }
};

/// True if the hits agree: both or neither hit something; for closest hits, t agrees within
/// rounding.
bool agrees(RayKind kind, const Hit& a, const Hit& b) {
  if (a.found() != b.found()) return false;
  return kind == RayKind::any || !a.found() || std::fabs(a.t - b.t) <= 1e-3f * std::fabs(a.t);
}

const WorkloadInfo& workload_called(const std::string& name) {
  for (const WorkloadInfo& row : workloads())
    if (row.name == name) return row;
  throw_unknown("workload", name, names_of(workloads()));
}

/// All rows of one scene.
class SceneBench {
 public:
  /// `sized`: the scene is one of several sizes of the same scene.
  /// `given`: rays to use instead of workloads, or null.
  SceneBench(const RaysRequest& request, const RaySet* given, const BackendInfo& backend,
             SceneData&& scene, bool sized)
      : request_(request),
        given_(given),
        backend_(backend),
        sized_(sized),
        scene_(solid(std::move(scene))),
        reference_(prepare(scene_, "binned-sah", "bvh2")),
        cpu_(choose_backend("cpu").backend->upload(*reference_)) {}

  void run(std::vector<Row>& rows, const std::function<void()>& row_done) {
    plant();
    for (const std::string& name : request_.workloads) {
      const RaySet set = rays(name);
      std::vector<Hit> expected(set.rays.size());
      cpu_->cast(set.kind, set.rays.data(), expected.data(), nullptr, set.rays.size(), {});
      for (Tree& tree : trees_) {
        const auto kept =
            tree.resident->keep(set.kind, set.rays.data(), static_cast<u32>(set.rays.size()));
        const MeanVisits visits = mean_visits(*tree.prepared, set);
        for (const std::string& pipeline : request_.pipelines) {
          Row& row = rows.emplace_back(row_of(name, tree.builder, tree.layout, pipeline, set));
          row.found.insert(row.found.end(), {{"build_ms", tree.build_ms},
                                             {"bytes_per_tri", tree.bytes_per_triangle()},
                                             {"nodes_per_ray", visits.nodes},
                                             {"tris_per_ray", visits.triangles}});
          measure_row(row, *kept, pipeline, set, expected);
          row_done();
        }
      }
      for (const auto& [peer, with] : peers_) {
        Row& row = rows.emplace_back(row_of(name, peer, "-", "-", set));
        row.found.emplace_back("build_ms", with->build_ms());
        measure_peer(row, *with, set, expected);
        row_done();
      }
    }
  }

 private:
  /// Builds the requested trees, and loads the scene into the requested peers.
  void plant() {
    Axes axes = axes_of(request_);
    axes.pop_back();  // without the axis pipeline: all pipelines use the same tree
    for (const Values& at : product(axes)) {
      Tree& tree = trees_.emplace_back();
      const Stopwatch watch;
      tree.prepared = prepare(scene_, value_at<std::string>(at, "builder"),
                              value_at<std::string>(at, "layout"), {}, build_on(backend_, {}));
      tree.build_ms = watch.milliseconds();
      tree.builder = value_at<std::string>(at, "builder");
      tree.layout = tree.prepared->encoded.layout->name;
      tree.resident = backend_.upload(*tree.prepared);
    }
    for (const std::string& name : request_.peers)
      for (const PeerInfo& peer : ballotcast::detail::peers())
        if (peer.name == name) peers_.emplace_back(name, peer.make(scene_->mesh));
  }

  RaySet rays(const std::string& name) {
    if (given_) return *given_;
    const Camera camera = camera_for(*reference_, {}, request_.width, request_.height);
    const RayFixture ground{*reference_, *cpu_, camera, request_.width, request_.height};
    try {
      return workload_called(name).make(ground);
    } catch (const UsageError& error) {  // about the camera, but the user did not choose it
      throw InputError(scene_->name + ": " + error.what());
    }
  }

  Row row_of(const std::string& workload, const std::string& builder, const std::string& layout,
             const std::string& pipeline, const RaySet& set) const {
    Row row;
    row.experiment = "rays";
    row.axes = {{"scene", scene_->name}};
    // If one scene comes in several sizes, the size is an axis; otherwise it is a finding.
    if (sized_) row.axes.emplace_back("triangles", triangles());
    row.axes.insert(
        row.axes.end(),
        {{"workload", workload}, {"builder", builder}, {"layout", layout}, {"pipeline", pipeline}});
    row.items = set.rays.size();
    row.found = {{"rays", u64{set.rays.size()}}};
    if (!sized_) row.found.emplace_back("triangles", triangles());
    return row;
  }

  /// If there are no rays, marks the row as skipped and returns true. Its rate would be 0, which
  /// has no meaning.
  static bool skipped_as_empty(Row& row, const RaySet& set) {
    if (!set.rays.empty()) return false;
    row.verdict = Verdict::skipped;
    row.why = "it has no rays: the rays from whose hits they would start hit nothing";
    return true;
  }

  void measure_row(Row& row, ResidentRays& kept, const std::string& pipeline, const RaySet& set,
                   const std::vector<Hit>& expected) const {
    if (skipped_as_empty(row, set)) return;
    const CastChoice choice(pipeline == "-" ? CastOptions{} : rung_called(pipeline),
                            backend_.auto_loop());
    kept.cast(choice, {});
    std::vector<Hit> hits(set.rays.size());
    kept.results(hits.data(), nullptr);
    const u64 different = count_different(expected, hits, [&](const Hit& a, const Hit& b) {
      return set.kind == RayKind::any ? a.found() != b.found() : !same_bits(a, b);
    });
    row.found.emplace_back("disagree_ppm", ppm(different, set));
    judge(row, "rays that disagree with the reference", 0, different);
    if (!backend_.has_times || row.verdict != Verdict::right) return;
    row.timing = measure([&](u32 runs) { return kept.time(choice, runs); }, measuring());
  }

  void measure_peer(Row& row, Peer& peer, const RaySet& set,
                    const std::vector<Hit>& expected) const {
    if (skipped_as_empty(row, set)) return;
    std::vector<Hit> hits(set.rays.size());
    peer.cast(set, hits.data());
    const u64 different = count_different(
        expected, hits, [&](const Hit& a, const Hit& b) { return !agrees(set.kind, a, b); });
    row.found.emplace_back("disagree_ppm", ppm(different, set));
    row.timing = measure(
        [&](u32 runs) {
          std::vector<double> times;
          for (u32 i = 0; i < runs; ++i) {
            const Stopwatch watch;
            peer.cast(set, hits.data());
            times.push_back(watch.milliseconds());
          }
          return times;
        },
        measuring());
  }

  u64 triangles() const { return scene_->mesh.triangles.size(); }

  static double ppm(u64 different, const RaySet& set) {
    return 1e6 * static_cast<double>(different) /
           static_cast<double>(std::max<std::size_t>(1, set.rays.size()));
  }

  static MeasureOptions measuring() {
    MeasureOptions options;
    options.least_runs = 11;
    options.most_ms = 1000.0;
    return options;
  }

  const RaysRequest& request_;
  const RaySet* given_;
  const BackendInfo& backend_;
  bool sized_;
  std::shared_ptr<const SceneData> scene_;
  std::shared_ptr<const PreparedScene> reference_;
  std::unique_ptr<ResidentScene> cpu_;
  std::vector<Tree> trees_;
  std::vector<std::pair<std::string, std::unique_ptr<Peer>>> peers_;
};

}  // namespace

Results bench_rays(const RaysRequest& asked, const BackendInfo& backend) {
  require_valid(asked);
  Results results;
  const RaysRequest request = resolved(asked, backend, results.notes);
  for (const std::string& path : request.scenes) require_readable(path);
  std::optional<RaySet> given;
  if (!request.rays.empty()) given = rays_of_file(request, results.notes);
  results.title = "How fast rays are cast";
  results.noise = kLeastNoise;
  results.facts = {{"device", std::string(backend.name)},
                   {"device_description", backend.describe()},
                   {"cpu", choose_backend("cpu").backend->describe()}};
  if (given)
    results.facts.emplace_back("rays", request.rays);
  else
    results.facts.emplace_back(
        "picture", std::to_string(request.width) + "x" + std::to_string(request.height));
  results.experiments = {
      {"rays", "Rays through scenes",
       "Workloads of rays, over builders, layouts and pipelines. Every hit is compared bit by bit "
       "with a plain walk on the CPU through another tree before a rate is shown. nodes/ray and "
       "tris/ray are the mean numbers of nodes and triangles that a ray tests. Times are device "
       "times, from the first kernel to the last; on a CPU, wall-clock times. Opacity is ignored: "
       "surfaces are not cut out.",
       "rays", true}};
  const u64 total = (request.scenes.size() + request.triangles.size()) * request.workloads.size() *
                    (product(axes_of(request)).size() + request.peers.size());
  const auto run = [&](SceneData&& scene, bool sized) {
    SceneBench bench(request, given ? &*given : nullptr, backend, std::move(scene), sized);
    bench.run(results.rows, [&] {
      if (request.progress) request.progress(results.rows.size(), total);
    });
  };
  for (const std::string& path : request.scenes) {
    SceneRequest part;
    part.file = path;
    part.strict = request.strict;
    SceneData scene = assemble(part, request.on_warnings);
    if (request.on_scene) request.on_scene(scene);
    run(std::move(scene), false);
  }
  for (const u32 triangles : request.triangles) run(generated_terrain(triangles), true);
  if (!request.peers.empty())
    results.notes.push_back(
        "hits of peers may differ by rounding; a hit disagrees if only one of peer and reference "
        "found anything, or if their t differs by more than a thousandth");
  return results;
}

}  // namespace ballotcast::detail
