#include "bench/rays/visits.hpp"

#include "backends/dispatch.hpp"
#include "backends/host_view.hpp"
#include "bvh/layouts/table.hpp"
#include "kernels/trace.hpp"

namespace ballotcast::detail {

namespace {

constexpr u64 kGroup = 32, kMostGroups = 4096;

/// Works like Layout, and also counts the nodes that are tested.
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

}  // namespace

MeanVisits mean_visits(const PreparedScene& scene, const RaySet& set) {
  u64 nodes = 0, triangles = 0, rays = 0;
  dispatch_layout(scene.encoded.layout, [&](auto tag) {
    using Layout = typename decltype(tag)::type;
    const TraceView<Layout> view = host_view<Layout>(scene);
    const auto walk = [&](const Ray& given) {
      const RayToCast cast = ray_to_cast(given, view.scene.magnitude);
      const Ray& ray = cast.ray;
      const RaySetup& setup = cast.setup;
      if (!setup.valid) return;
      ++rays;
      Hit best = miss_of(ray);
      const typename Counting<Layout>::Slabs slabs{Layout::slabs_of(setup, ray, view.shape),
                                                   &nodes};
      for_each_leaf<Counting<Layout>>(view.nodes, view.shape, slabs, best.t, [&](u32 leaf) {
        triangles += leaf_count(leaf);
        intersect_leaf(view, setup, ray.t_min, leaf, set.kind, best);
        return set.kind == RayKind::any && best.found();
      });
    };
    const u64 groups = set.rays.size() / kGroup + 1;
    const u64 some = groups < kMostGroups ? groups : kMostGroups;
    for (u64 g = 0; g < some; ++g) {
      const u64 first = groups * g / some * kGroup;
      for (u64 i = first; i < first + kGroup && i < set.rays.size(); ++i) walk(set.rays[i]);
    }
  });
  if (rays == 0) return {};
  const auto mean = [&](u64 sum) { return static_cast<double>(sum) / static_cast<double>(rays); };
  return {mean(nodes), mean(triangles)};
}

}  // namespace ballotcast::detail
