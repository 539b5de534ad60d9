#include "bench/rays/casts.hpp"

#include <algorithm>
#include <cmath>

#include "bench/plan.hpp"
#include "bvh/layouts/layouts.hpp"
#include "kernels/walk_instances.hpp"
#include "support/stopwatch.hpp"

namespace ballotcast::detail {

namespace {

bool agrees(RayKind kind, const Hit& a, const Hit& b) {
  if (a.found() != b.found()) return false;
  return kind == RayKind::any || !a.found() || std::fabs(a.t - b.t) <= 1e-3f * std::fabs(a.t);
}

MeasureOptions measuring() {
  MeasureOptions options;
  options.least_runs = 11;
  options.most_ms = 1000.0;
  return options;
}

constexpr u64 kGroup = 32, kMostGroups = 4096;

/// A layout that works like Layout, and also counts the tested nodes.
template <class Layout>
struct Counting {
  using Node = typename Layout::Node;
  struct Slabs {
    typename Layout::Slabs slabs;
    u64* nodes;
  };
  static auto limit_of(const Slabs& s, float t) { return Layout::limit_of(s.slabs, t); }
  template <class Limit>
  static ChildOrder cross(const Node* nodes, u32 node, const Slabs& s, Limit limit) {
    ++*s.nodes;
    return Layout::cross(nodes, node, s.slabs, limit);
  }
};

/// Counts the nodes and triangles that rays test in the trees of a view.
template <class View>
class Counter {
  using Layout = typename View::LayoutType;

 public:
  explicit Counter(const View& view) : view_(view) {}

  void walk(const Ray& given, RayKind kind) {
    const WalkFrame frame = view_.frame(0);
    const RayToCast cast = ray_to_cast(view_, 0, frame, given);
    if (!cast.setup.valid) return;
    ++rays;
    Hit best = miss_of(cast.ray);
    for_each_leaf<Counting<Layout>>(view_.nodes, frame.shape,
                                    counting(cast.setup, cast.ray, frame.shape), best.t,
                                    [&](u32 leaf) {
                                      visit(view_, cast, leaf, kind, best);
                                      return kind == RayKind::any && best.found();
                                    });
  }

  u64 nodes = 0, triangles = 0, rays = 0;

 private:
  typename Counting<Layout>::Slabs counting(const RaySetup& setup, const Ray& ray,
                                            const TreeShape& shape) {
    return {Layout::slabs_of(setup, ray, shape), &nodes};
  }

  void visit(const TraceView<Layout>& view, const RayToCast& cast, u32 leaf, RayKind kind,
             Hit& best) {
    triangles += leaf_count(leaf, view.leaves);
    intersect_leaf(view, 0u, cast.setup, cast.ray, leaf, kind, best);
  }

  template <bool kShapes>
  void visit(const InstancedView<Layout, kShapes>& view, const RayToCast& cast, u32 leaf,
             RayKind kind, Hit& best) {
    for_each_leaf_below<Counting<Layout>>(
        view, 0u, cast.ray, leaf, best.t,
        [&](const RayInMesh& at) { return counting(at.setup, at.ray, at.mesh.frame.shape); },
        [&](const RayAtShape& at) {
          ++triangles;
          return intersect_shape(at, kind, best,
                                 AcceptsInView<InstancedView<Layout, kShapes>>{view, 0u});
        },
        [&](const RayInMesh& at, u32 below) {
          triangles += leaf_count(below);
          intersect_leaf_below(at, below, kind, best,
                               AcceptsInView<InstancedView<Layout, kShapes>>{view, 0u});
          return kind == RayKind::any && best.found();
        });
  }

  const View view_;
};

}  // namespace

u64 count_wrong_of_last(ResidentRays& rays, const std::vector<Hit>& expected) {
  std::vector<Hit> hits(expected.size());
  rays.results(hits.data(), nullptr);
  return count_different(expected, hits);
}

u64 count_wrong(ResidentRays& rays, const CastChoice& choice, const std::vector<Hit>& expected) {
  rays.cast(choice, {});
  return count_wrong_of_last(rays, expected);
}

u64 count_wrong(Peer& peer, const RaySet& set, const std::vector<Hit>& expected) {
  return count_different(expected, hits_of(peer, set),
                         [&](const Hit& a, const Hit& b) { return !agrees(set.kind, a, b); });
}

double in_ppm(u64 some, u64 all) {
  return 1e6 * static_cast<double>(some) / static_cast<double>(std::max<u64>(1, all));
}

Timing time_casts(ResidentRays& rays, const CastChoice& choice) {
  return measure([&](u32 runs) { return rays.time(choice, runs); }, measuring());
}

double time_once(Peer& peer) {
  const Stopwatch watch;
  peer.cast();
  return watch.milliseconds();
}

Timing time_casts(Peer& peer, const RaySet& set) {
  peer.take(set);
  return measure(
      [&](u32 runs) {
        std::vector<double> times;
        for (u32 i = 0; i < runs; ++i) times.push_back(time_once(peer));
        return times;
      },
      measuring());
}

std::vector<std::vector<double>> time_in_turns(const std::vector<std::function<double()>>& once) {
  const MeasureOptions options = measuring();
  std::vector<std::vector<double>> times(once.size());
  for (const auto& run : once) run();
  const Stopwatch watch;
  const double enough = options.most_ms * static_cast<double>(once.size());
  for (u32 round = 0; round < options.least_runs; ++round) {
    if (round >= options.fewest_runs && watch.milliseconds() > enough) break;
    for (std::size_t i = 0; i < once.size(); ++i) times[i].push_back(once[i]());
  }
  return times;
}

double times_as_fast(const std::vector<double>& own, const std::vector<double>& other) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < own.size(); ++i) ratios.push_back(other[i] / own[i]);
  return timing_of(ratios).median_ms;
}

Visits count_visits(const PreparedScene& scene, const RaySet& set) {
  Visits all;
  const auto count_in = [&](const auto& view) {
    Counter counter(view);
    const u64 groups = (set.rays.size() + kGroup - 1) / kGroup;
    all.groups = std::min(groups, kMostGroups);
    for (u64 g = 0; g < all.groups; ++g) {
      const u64 first = groups * g / all.groups * kGroup;
      u64 most = 0;
      for (u64 i = first; i < first + kGroup && i < set.rays.size(); ++i) {
        const u64 before = counter.nodes + counter.triangles;
        counter.walk(set.rays[i], set.kind);
        most = std::max(most, counter.nodes + counter.triangles - before);
      }
      all.largest += most;
    }
    all.rays = counter.rays;
    all.nodes = counter.nodes;
    all.triangles = counter.triangles;
  };
  dispatch_row(Layouts{}, scene.encoded.layout, [&](auto tag) {
    with_view_in<typename decltype(tag)::type>(scene.arrays, {}, count_in);
  });
  return all;
}

MeanVisits::MeanVisits(const Visits& all) {
  const auto mean = [](u64 sum, u64 count) {
    return static_cast<double>(sum) / static_cast<double>(std::max<u64>(1, count));
  };
  nodes = mean(all.nodes, all.rays);
  triangles = mean(all.triangles, all.rays);
  largest = mean(all.largest, all.groups);
}

}  // namespace ballotcast::detail
