#include "render/explain.hpp"

#include <algorithm>

#include "backends/dispatch.hpp"
#include "backends/host_view.hpp"
#include "bvh/layouts/bvh2/inspect.hpp"
#include "bvh/layouts/grid2/inspect.hpp"
#include "kernels/trace.hpp"
#include "support/float_environment.hpp"

namespace ballotcast::detail {

namespace {

/// The reason why a triangle became the best hit or did not. `e.taken` is the result of the
/// kernels' test, and `best` is the best hit before it.
std::string verdict_on(const ExplainedTriangle& e, const Ray& ray, const Hit& best) {
  const EdgeWeights& w = e.weights;
  if (e.taken) {
    if (!best.found()) return "taken: the first hit";
    return e.t < best.t ? "taken: nearer than the hit so far"
                        : "taken: as near as the hit so far, and its id is smaller";
  }
  if (smallest_by_bits(w.u, w.v, w.w) < 0 && largest_by_bits(w.u, w.v, w.w) > 0)
    return "missed: the ray passes it";
  if (!(magnitude_of(w.sum()) > kSmallestDeterminant))
    return "missed: seen along the ray it has no area";
  if (!(e.t > ray.t_min)) return "missed: it does not lie beyond t_min";
  if (e.t > ray.t_max) return "missed: it lies beyond t_max";
  if (best.found() && e.t > best.t) return "missed: farther than the hit so far";
  if (best.found() && e.t == best.t)
    return e.triangle == best.triangle ? "again: it is in several leaves"
                                       : "missed: as far as the hit so far, whose id is smaller";
  return "missed: cut out at this point";
}

template <class Layout>
class Walker;

/// A layout that tests nodes as `Layout` does and reports each test to a Walker.
template <class Layout>
struct Noting {
  using Node = typename Layout::Node;
  struct Slabs {
    typename Layout::Slabs slabs;
    Walker<Layout>* walker;
  };
  static auto limit_of(const Slabs& s, float t) { return Layout::limit_of(s.slabs, t); }
  template <class Limit>
  static ChildOrder cross(const Node* nodes, u32 node, const Slabs& s, Limit limit) {
    const ChildOrder order = Layout::cross(nodes, node, s.slabs, limit);
    s.walker->note_node(node, s.slabs, order);
    return order;
  }
};

/// Walks a ray through the tree and fills in the Explanation.
template <class Layout>
class Walker {
 public:
  Walker(const PreparedScene& prepared, Explanation& out)
      : view_(host_view<Layout>(prepared)),
        out_(out),
        setup_(make_setup(out.cast, prepared.view.magnitude)) {}

  void walk() {
    out_.valid = setup_.valid;
    out_.hit = miss_of(out_.ray);
    if (!setup_.valid) return;
    out_.hit = miss_of(out_.cast);
    const typename Noting<Layout>::Slabs slabs{Layout::slabs_of(setup_, out_.cast, view_.shape),
                                               this};
    for_each_leaf<Noting<Layout>>(view_.nodes, view_.shape, slabs, out_.hit.t, [&](u32 leaf) {
      test_leaf(leaf);
      return out_.kind == RayKind::any && out_.hit.found();
    });
    out_.cast_t = out_.hit.t;
    give_back_if_far(out_.ray, view_.scene.magnitude, out_.hit);
  }

  void note_node(u32 node, const typename Layout::Slabs& slabs, const ChildOrder& order) {
    ExplainedNode step{node, out_.hit.t, {}, 0};
    for (u32 side = 0; side < 2; ++side) {
      ExplainedChild& e = step.children[side];
      e.child = inspect(view_.nodes[node], side, slabs, view_.shape);
      e.entered = order.both || (order.any && order.nearer == e.child.reference);
    }
    step.first = order.any && order.nearer == step.children[1].child.reference ? 1u : 0u;
    out_.steps.emplace_back(step);
  }

 private:
  void test_leaf(u32 leaf) {
    ExplainedLeaf step{leaf, {}};
    for (u32 i = 0; i < leaf_count(leaf); ++i) {
      const TriangleRow* row = view_.triangles[leaf_first(leaf) + i].row;
      const TriangleRow &x = row[setup_.kx()], &y = row[setup_.ky()], &z = row[setup_.kz];
      const Hit before = out_.hit;
      intersect_triangle(setup_, out_.cast.t_min, x, y, z, out_.hit, [&](const Hit& hit) {
        return !view_.scene.has_cutouts || !is_cut_out(view_.scene, hit);
      });
      ExplainedTriangle e;
      const ShearedTriangle p = sheared(setup_, x, y, z);
      e.triangle = x.id;
      const TriangleRow &along_x = row[0], &along_y = row[1], &along_z = row[2];
      e.corner[0] = {along_x.a, along_y.a, along_z.a};
      e.corner[1] = {along_x.b, along_y.b, along_z.b};
      e.corner[2] = {along_x.c, along_y.c, along_z.c};
      e.weights = weights_of(p);
      const float inverse = reciprocal(e.weights.sum());
      e.t = distance_to(p, e.weights, inverse, setup_.sz);
      e.u = e.weights.v * inverse;
      e.v = e.weights.w * inverse;
      e.taken = !same_bits(before, out_.hit);
      e.verdict = verdict_on(e, out_.cast, before);
      if (const CopiesView& all = view_.scene.copies; all.starts != nullptr)
        e.copies = all.starts[x.id + 1] - all.starts[x.id];
      step.triangles.push_back(std::move(e));
      if (out_.kind == RayKind::any && out_.hit.found()) break;
    }
    out_.steps.emplace_back(std::move(step));
  }

  TraceView<Layout> view_;
  Explanation& out_;
  RaySetup setup_;
};

ExplainedSurface surface_of(const PreparedScene& prepared, const Ray& ray, const Hit& hit) {
  const SceneData& scene = *prepared.scene;
  const u32 index = scene.mesh.material_index(hit.triangle);
  ExplainedSurface out;
  out.material = index < scene.material_names.size() ? scene.material_names[index] : "";
  out.color = color_at(prepared.view, hit.triangle, hit.u, hit.v);
  out.emission = material_of(prepared.view, hit.triangle).emission;
  out.surface = surface_at(prepared.view, ray, hit);
  out.facing = dot(out.surface.normal, -unit_or(ray.direction, vec3(0.0f)));
  return out;
}

}  // namespace

u64 Explanation::nodes() const {
  return static_cast<u64>(std::count_if(steps.begin(), steps.end(), [](const auto& step) {
    return std::holds_alternative<ExplainedNode>(step);
  }));
}

u64 Explanation::triangles() const {
  u64 sum = 0;
  for (const auto& step : steps)
    if (const auto* leaf = std::get_if<ExplainedLeaf>(&step)) sum += leaf->triangles.size();
  return sum;
}

Explanation explain(const PreparedScene& prepared, const Ray& ray, RayKind kind) {
  const DefaultFloats floats;
  Explanation out{ray, ray, 0.0, ray.t_max, kind, false, {}, miss_of(ray), {}};
  const RayToCast cast = ray_to_cast(ray, prepared.view.magnitude);
  out.cast = cast.ray;
  out.shift = cast.shift;
  dispatch_layout(prepared.encoded.layout, [&](auto layout) {
    Walker<typename decltype(layout)::type>(prepared, out).walk();
  });
  if (kind == RayKind::closest && out.hit.found()) out.surface = surface_of(prepared, ray, out.hit);
  return out;
}

}  // namespace ballotcast::detail
