#include "bench/builds/builds.hpp"

#include <memory>

#include "bench/plan.hpp"
#include "bench/rays/casts.hpp"
#include "bench/results.hpp"
#include "bvh/tree_checks.hpp"
#include "bvh/tree_statistics.hpp"
#include "support/stopwatch.hpp"
#include "support/type_list.hpp"

namespace ballotcast::detail {

namespace {

/// Number of builds on a GPU before the first timed one.
constexpr u32 kWarmUps = 3;

/// A tree that the host has built.
struct HostTree {
  Builder builder;
  BinaryTree tree;
  double build_ms;
};

void append(Values& values, const Values& more) {
  values.insert(values.end(), more.begin(), more.end());
}

/// Makes all rows for one scene.
class SceneBuilds {
 public:
  /// `sized` is true if the request has several sizes of this scene; then rows state the size.
  SceneBuilds(const BuildsRequest& request, const BackendInfo& backend, SceneData&& scene,
              bool sized)
      : request_(request),
        backend_(backend),
        sized_(sized),
        known_(std::move(scene)),
        workloads_(workloads_of(known_, request.width, request.height)) {
    if (!known_.scene()->instances.empty())
      throw InputError(known_.scene()->place() +
                       ": it has instances; bench builds is about trees of single meshes");
    if (backend.tree_builder) machine_ = backend.tree_builder(known_.mesh(), known_.copies());
  }

  void run(std::vector<Row>& rows, const std::function<void()>& row_done) {
    const std::size_t first = rows.size();
    for (const std::string& name : request_.builders) {
      const HostTree host = built_on_host(builder_called(name));
      for (const std::string& layout : request_.layouts) {
        rows.push_back(row_of_tree(host, layout_called(layout)));
        row_done();
      }
    }
    for (const std::string& name : request_.peers) {
      const PeerInfo& peer = peer_called(name);
      for (const PeerMode& mode : peer.modes()) {
        rows.push_back(row_of_peer(name_in(peer, mode), mode));
        row_done();
      }
    }
    relate_to_sbvh(rows, first);
  }

 private:
  HostTree built_on_host(const Builder& builder) const {
    const Stopwatch watch;
    BinaryTree tree = builder.build(known_.mesh(), known_.copies());
    return {builder, std::move(tree), watch.milliseconds()};
  }

  Row row_of(const std::string& builder, std::string_view layout) const {
    Row row;
    row.experiment = "builds";
    row.axes = scene_axes(known_, sized_);
    append(row.axes, {{"builder", builder}, {"layout", std::string(layout)}});
    row.items = known_.triangles();
    return row;
  }

  /// Checks and measures one tree. If `layout` is null, uses the layout that suits the tree.
  Row row_of_tree(const HostTree& host, const LayoutInfo* layout) const {
    const Stopwatch watch;
    const EncodedBvh encoded = encode(layout, host.tree, known_.mesh());
    const double twin_ms = host.build_ms + watch.milliseconds();
    Row row = row_of(host.builder.name(), encoded.layout->name);
    const bool by_machine = machine_builds(host.builder, *encoded.layout);
    row.why = defect_in(host, encoded, by_machine);
    if (!row.why.empty()) {
      row.verdict = Verdict::wrong;
      return row;
    }
    const auto prepared = prepared_with(host, encoded.layout->name);
    const CastRates rates = cast_through(row, *prepared);
    if (row.verdict != Verdict::right) return row;
    const BuildTimes times = times_of(host.builder, *encoded.layout, by_machine);
    if (backend_.has_times) row.timing = times.whole;
    append(row.found, rates.mean());
    row.found.emplace_back("built_on", by_machine ? std::string(backend_.name) : "host");
    describe(row, host.tree, *prepared);
    append(row.found, rates.each());
    append(row.found, times.stages);
    if (by_machine)
      append(row.found,
             {{"twin_ms", twin_ms}, {"building_bytes", machine_->bytes_to_build(host.builder)}});
    row.found.emplace_back("tree_hash", hash_of(encoded));
    return row;
  }

  /// Describes the first defect of a tree; "" if there is none. The tree is the machine's last one
  /// if `by_machine` is true, else `host`, whose layout is `encoded`.
  std::string defect_in(const HostTree& host, const EncodedBvh& encoded, bool by_machine) const {
    if (by_machine)
      return defect_of_built(machine_->tree(), machine_->encoded(), encoded, known_.mesh(),
                             known_.copies());
    return defect_of_built(host.tree, encoded, encoded, known_.mesh(), known_.copies());
  }

  /// Builds the tree on the machine. Returns true if the machine was able to build the whole tree.
  bool machine_builds(const Builder& builder, const LayoutInfo& layout) const {
    if (!machine_ || !builder.info->on_machines) return false;
    machine_->build(builder, layout);
    return machine_->is_whole();
  }

  std::shared_ptr<const PreparedScene> prepared_with(const HostTree& host,
                                                     std::string_view layout) const {
    const auto built = [&](const Builder&, const Mesh&, const Copies&, const Progress&) {
      return host.tree;
    };
    return prepare(known_.scene(), host.builder.name(), layout, {}, {BuildOn::host, built});
  }

  /// Casts the rays of all workloads through a tree. If a hit is wrong, sets the row's verdict and
  /// reason.
  CastRates cast_through(Row& row, const PreparedScene& prepared) const {
    CastRates rates;
    const CastChoice choice({}, backend_.auto_loop());
    const auto resident = backend_.upload(prepared);
    for (const WorkloadRays& rays : workloads_) {
      const auto kept = resident->keep(rays.set.kind, rays.set.rays.data(),
                                       static_cast<u32>(rays.set.rays.size()));
      judge(row, rays.workload + " rays that disagree with the reference", 0,
            count_wrong(*kept, choice, rays.hits));
      if (row.verdict != Verdict::right) break;
      if (backend_.has_times) rates.add(rays, time_casts(*kept, choice));
    }
    return rates;
  }

  /// Times a build. The same build must have been done before, so that memory is allocated and
  /// kernels are loaded.
  BuildTimes times_of(const Builder& builder, const LayoutInfo& layout, bool by_machine) const {
    if (!backend_.has_times) return {};
    if (by_machine) return time_build([&] { return machine_->build(builder, layout); }, kWarmUps);
    return time_build(
        [&]() -> std::vector<StageTime> {
          HostTree again = built_on_host(builder);
          const Stopwatch watch;
          encode(&layout, std::move(again.tree), known_.mesh());
          return {{"build", again.build_ms}, {"encode", watch.milliseconds()}};
        },
        0);
  }

  /// Adds the quality of a tree to the row.
  void describe(Row& row, const BinaryTree& tree, const PreparedScene& prepared) const {
    const TreeStatistics statistics = statistics_of(tree);
    const MeanVisits visits = mean_visits(prepared, workloads_);
    append(row.found, {{"sah", statistics.sah_cost},
                       {"nodes_per_ray", visits.nodes},
                       {"tris_per_ray", visits.triangles},
                       {"largest_of_32", visits.largest},
                       {"bytes_per_tri", bytes_per_triangle(prepared.encoded, known_.triangles())},
                       {"depth", u64{statistics.depth}}});
    if (!sized_) row.found.emplace_back("triangles", known_.triangles());
  }

  Row row_of_peer(const std::string& name, const PeerMode& mode) const {
    Row row = row_of(name, "-");
    const auto peer = mode.make(known_.mesh());
    CastRates rates;
    u64 different = 0, all = 0;
    for (const WorkloadRays& rays : workloads_) {
      different += count_wrong(*peer, rays.set, rays.hits);
      all += rays.set.rays.size();
      rates.add(rays, time_casts(*peer, rays.set));
    }
    const auto build = [&]() -> std::vector<StageTime> {
      return {{"build", mode.make(known_.mesh())->build_ms()}};
    };
    const BuildTimes times = time_build(build, 0);
    row.timing = times.whole;
    row.found = rates.mean();
    append(row.found,
           {{"built_on", std::string("host")}, {"disagree_ppm", in_ppm(different, all)}});
    append(row.found, rates.each());
    append(row.found, times.stages);
    if (!sized_) row.found.emplace_back("triangles", known_.triangles());
    return row;
  }

  const BuildsRequest& request_;
  const BackendInfo& backend_;
  bool sized_;
  KnownScene known_;
  std::vector<WorkloadRays> workloads_;
  std::unique_ptr<TreeBuilder> machine_;  // null if only the host can build trees
};

/// Completes a request: fills empty lists, replaces efforts by builders, and removes values that
/// would be measured twice, with a note for each.
BuildsRequest resolved(const BuildsRequest& asked, const BackendInfo& backend,
                       std::vector<std::string>& notes) {
  BuildsRequest r = asked;
  if (r.builders.empty()) r.builders.assign(kBuildersToMeasure.begin(), kBuildersToMeasure.end());
  if (r.layouts.empty()) r.layouts = {"auto"};
  for (std::string& name : r.builders) name = builder_called(name, build_on(backend, {}).on).name();
  list_once(r, notes);
  r.builders = each_once("builder", r.builders, notes);
  r.layouts = each_once("layout", r.layouts, notes);
  r.peers = each_once("peer", r.peers, notes);
  return r;
}

}  // namespace

void require_valid(const BuildsRequest& r) {
  require_some(r);
  for (const std::string_view name : kWorkloadsOfTrees)
    require_few_rays(workload_called(name), r.width, r.height);
  require_known("layout", r.layouts, names_of(layouts(), "auto"));
  for (const std::string& name : r.builders) builder_called(name);
  require_present(r.peers);
}

Results bench_builds(const BuildsRequest& asked, const BackendInfo& backend) {
  require_valid(asked);
  Results results;
  const BuildsRequest request = resolved(asked, backend, results.notes);
  results.title = "How fast trees are built, and how good they are";
  results.noise = kLeastNoise;
  results.facts = machine_facts({&backend, "", {}});
  results.facts.emplace_back("picture",
                             std::to_string(request.width) + "x" + std::to_string(request.height));
  results.experiments = {
      {"builds", "Trees of scenes",
       "From the corners of triangles, which are in memory, to a tree in its layout. Before a tree "
       "is timed, it is checked, and rays through it must hit what they hit through another tree, "
       "bit for bit. Trees that a GPU builds are also compared, byte by byte, with those that the "
       "host builds; their times are device times. Builds on the host are timed by the clock on "
       "the wall. mrays/s is the geometric mean over rays of a picture, occlusion, two bounces and "
       "random segments; sah, nodes/ray, tris/ray and largest of 32 (see bench rays) do not depend "
       "on the machine.",
       "triangles", true}};
  const u64 rows_a_scene =
      request.builders.size() * request.layouts.size() + count_modes(request.peers);
  for_each_scene(request, [&](SceneData&& scene, bool sized) {
    SceneBuilds builds(request, backend, std::move(scene), sized);
    builds.run(results.rows, [&] {
      if (request.progress) request.progress(results.rows.size(), request.count() * rows_a_scene);
    });
  });
  if (!request.peers.empty()) results.notes.emplace_back(kNoteOnPeers);
  return results;
}

}  // namespace ballotcast::detail
