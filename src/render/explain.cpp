#include "render/explain.hpp"

#include <algorithm>

#include "bvh/layouts/layouts.hpp"
#include "kernels/walk_instances.hpp"
#include "scene/instances/shapes.hpp"
#include "support/float_environment.hpp"

namespace ballotcast::detail {

namespace {

/// The reason why a hit does not count, or "".
template <class Layout>
std::string refusal_of(const TraceView<Layout>& view, TrianglePlace place, bool front,
                       const Hit& hit) {
  if (!view.filter.takes_side(front))
    return std::string("missed: it is the ") + (front ? "front" : "back") +
           ", which does not count";
  return is_hole(view.scene, place, hit) ? "missed: cut out at this point"
                                         : "missed: the ray leaves it out";
}

/// The reason why a surface that the ray meets at `t` did or did not become the best hit. `taken`
/// is the result of the kernels' test, and `best` is the best hit before it. `refusal` is the
/// reason why the hit does not count, or "".
std::string verdict_on(float t, u32 id, bool taken, const Ray& ray, const Hit& best,
                       const std::string& refusal) {
  if (taken) {
    if (!best.found()) return "taken: the first hit";
    return t < best.t ? "taken: nearer than the hit so far"
                      : "taken: as near as the hit so far, and its id is smaller";
  }
  if (!(t > ray.t_min)) return "missed: it does not lie beyond t_min";
  if (t > ray.t_max) return "missed: it lies beyond t_max";
  if (best.found() && t > best.t) return "missed: farther than the hit so far";
  if (best.found() && t == best.t)
    return id == best.triangle ? "again: it is in several leaves"
                               : "missed: as far as the hit so far, whose id is smaller";
  return refusal;
}

/// The reason why a triangle did or did not become the best hit.
std::string verdict_on(const ExplainedTriangle& e, const Ray& ray, const Hit& best,
                       const std::string& refusal) {
  const EdgeWeights& w = e.weights;
  if (e.taken) return verdict_on(e.t, e.triangle, true, ray, best, refusal);
  if (smallest_by_bits(w.u, w.v, w.w) < 0 && largest_by_bits(w.u, w.v, w.w) > 0)
    return "missed: the ray passes it";
  if (!(magnitude_of(w.sum()) > kSmallestDeterminant))
    return "missed: seen along the ray it has no area";
  return verdict_on(e.t, e.triangle, false, ray, best, refusal);
}

/// Receives the result of each node test of an ObservedLayout.
template <class Layout>
class NodeObserver {
 public:
  virtual void note_node(const typename Layout::Node& node, u32 index, const TreeShape& shape,
                         const typename Layout::Slabs& slabs, const ChildOrder& order) = 0;

 protected:
  ~NodeObserver() = default;
};

/// A layout that tests nodes as `Layout` does and reports each test.
template <class Layout>
struct ObservedLayout {
  using Node = typename Layout::Node;
  struct Slabs {
    typename Layout::Slabs slabs;
    const TreeShape& shape;
    NodeObserver<Layout>* witness;
  };
  static auto limit_of(const Slabs& s, float t) { return Layout::limit_of(s.slabs, t); }
  template <class Limit>
  static ChildOrder cross(const Node* nodes, u32 node, const Slabs& s, Limit limit) {
    const ChildOrder order = Layout::cross(nodes, node, s.slabs, limit);
    s.witness->note_node(nodes[node], node, s.shape, s.slabs, order);
    return order;
  }
};

/// Traverses the tree, or both levels of trees, with a ray and records the Explanation.
template <class View>
class Walker final : private NodeObserver<typename View::LayoutType> {
  using Layout = typename View::LayoutType;

 public:
  Walker(const View& view, const WalkFrame& frame, const RayToCast& cast, Explanation& out)
      : view_(view), frame_(frame), out_(out), setup_(cast.setup) {}

  void walk() {
    out_.valid = setup_.valid;
    out_.hit = miss_of(out_.ray);
    if (!setup_.valid) return;
    out_.hit = miss_of(out_.cast);
    const auto slabs = noting(setup_, out_.cast, frame_.shape);
    for_each_leaf<ObservedLayout<Layout>>(view_.nodes, frame_.shape, slabs, out_.hit.t,
                                          [&](u32 leaf) {
                                            visit(view_, leaf);
                                            return done();
                                          });
    out_.cast_t = out_.hit.t;
    give_back_if_far(out_.ray, frame_.magnitude, out_.hit);
  }

 private:
  typename ObservedLayout<Layout>::Slabs noting(const RaySetup& setup, const Ray& ray,
                                                const TreeShape& shape) {
    return {Layout::slabs_of(setup, ray, shape), shape, this};
  }

  bool done() const { return out_.kind == RayKind::any && out_.hit.found(); }

  void note_node(const typename Layout::Node& node, u32 index, const TreeShape& shape,
                 const typename Layout::Slabs& slabs, const ChildOrder& order) override {
    ExplainedNode step{index, out_.hit.t, {}, 0, below_};
    for (u32 side = 0; side < 2; ++side) {
      ExplainedChild& e = step.children[side];
      e.child = inspect(node, side, slabs, shape);
      const u32 to = e.child.reference;
      e.at = is_leaf(to) ? leaf_first(to, view_.leaves) : to;
      e.entered = order.both || (order.any && order.nearer == e.child.reference);
    }
    step.first = order.any && order.nearer == step.children[1].child.reference ? 1u : 0u;
    out_.steps.emplace_back(step);
  }

  void visit(const TraceView<Layout>& view, u32 leaf) {
    test_leaf(setup_, view.triangles, view.leaves, leaf, 0, [&](u32 id) {
      return TrianglePlace{id, 0u};
    });
  }

  template <bool kShapes>
  void visit(const InstancedView<Layout, kShapes>& view, u32 leaf) {
    out_.steps.emplace_back(ExplainedLeaf{leaf_first(leaf), {}, leaf_count(leaf)});
    for (u32 k = 0; k < leaf_count(leaf); ++k) {
      const u32 instance = view.instances[leaf_first(leaf) + k].instance;
      if (view.filter.sees(0u, instance)) continue;
      const bool skipped = view.filter.skip_instance_of(0u) == instance;
      out_.steps.emplace_back(ExplainedLeftOut{
          instance, skipped ? "the ray skips it" : "no bit of its mask is in that of the ray"});
    }
    below_ = true;
    for_each_leaf_below<ObservedLayout<Layout>>(
        view, 0u, out_.cast, leaf, out_.hit.t,
        [&](const RayInMesh& at) {
          const SceneInstance& instance = view.scene.instances.list[at.instance];
          out_.steps.emplace_back(
              ExplainedInstance{at.instance, instance.mesh, at.ray, instance.to_scene});
          return noting(at.setup, at.ray, at.mesh.frame.shape);
        },
        [&](const RayAtShape& at) {
          test_shape(at);
          return done();
        },
        [&](const RayInMesh& at, u32 below) {
          test_leaf(at.setup, at.rows, {}, below, at.first_id,
                    [&](u32 id) { return at.place(id); });
          return done();
        });
    below_ = false;
  }

  void test_shape(const RayAtShape& at) {
    const u32 instance = at.place.instance;
    ExplainedShape step{
        instance, view_.scene.instances.list[instance].mesh, at.id, name_of(at.shape.kind), {}};
    const Hit before = out_.hit;
    std::string refusal;
    intersect_shape(
        at, out_.kind, out_.hit,
        [&](TrianglePlace place, bool front, const Hit& best, Hit& hit, const TriangleRow*) {
          if (accepts_hit(view_, 0u, place, front, best, hit)) return true;
          refusal = refusal_of(view_, place, front, hit);
          return false;
        });
    const float end = out_.cast.t_max;
    at.for_each_crossing(out_.cast.t_min, end, AtEdges::all, [&](const Hit& hit, bool front) {
      const bool taken = !same_bits(before, out_.hit) && same_bits(hit, out_.hit);
      step.crossings.push_back(
          {hit.t,
           hit.u,
           hit.v,
           front,
           taken,
           verdict_on(hit.t, at.id, taken, out_.cast, taken ? before : out_.hit, refusal),
           {}});
      if (at.shape.kind == ShapeKind::heightfield)
        step.crossings.back().cell =
            cell_triangle_at(heightfield_of(at.scene, at.shape).grid, hit.u, hit.v);
      return false;
    });
    out_.steps.emplace_back(std::move(step));
  }

  template <class PlaceOf>
  void test_leaf(const RaySetup& setup, const TriangleRows* triangles, LeafForm form, u32 leaf,
                 u32 first_id, PlaceOf place) {
    ExplainedLeaf step{leaf_first(leaf, form), {}, 0, below_};
    for (u32 i = 0; i < leaf_count(leaf, form); ++i) {
      const TriangleRow* row = triangles[step.first + i].row;
      const TriangleRow &x = row[setup.kx()], &y = row[setup.ky()], &z = row[setup.kz];
      const Hit before = out_.hit;
      std::string refusal;
      intersect_triangle(
          setup, out_.cast.t_min, x, y, z, out_.hit,
          [&](Hit& hit, bool front) {
            const TrianglePlace at = place(hit.triangle);
            if (accepts_hit(view_, 0u, at, front, before, hit)) return true;
            refusal = refusal_of(view_, at, front, hit);
            return false;
          },
          first_id);
      ExplainedTriangle e;
      const ShearedTriangle p = sheared(setup, x, y, z);
      e.triangle = x.id + first_id;
      const TriangleRow &along_x = row[0], &along_y = row[1], &along_z = row[2];
      e.corner[0] = {along_x.a, along_y.a, along_z.a};
      e.corner[1] = {along_x.b, along_y.b, along_z.b};
      e.corner[2] = {along_x.c, along_y.c, along_z.c};
      e.weights = weights_of(p);
      const float inverse = reciprocal(e.weights.sum());
      e.t = distance_to(p, e.weights, inverse, setup.sz);
      e.u = e.weights.v * inverse;
      e.v = e.weights.w * inverse;
      e.taken = !same_bits(before, out_.hit);
      if (e.taken)
        // If the ray skips this triangle, the hit is on a copy of it
        e.triangle = out_.hit.triangle;
      e.verdict = verdict_on(e, out_.cast, before, refusal);
      if (const CopiesView& all = view_.scene.copies; all.starts != nullptr)
        e.copies = all.starts[x.id + 1] - all.starts[x.id];
      step.triangles.push_back(std::move(e));
      if (done()) break;
    }
    out_.steps.emplace_back(std::move(step));
  }

  const View view_;
  const WalkFrame frame_;
  Explanation& out_;
  const RaySetup setup_;
  bool below_ = false;  // true while the ray is in the mesh of an instance
};

ExplainedSurface surface_of(const PreparedScene& prepared, const Ray& ray, const Hit& hit) {
  const SceneData& scene = *prepared.scene;
  const TrianglePlace place = place_of(prepared.view, hit.triangle);
  const Material& material = material_of(prepared.view, place);
  const auto index = static_cast<std::size_t>(&material - prepared.view.materials);
  ExplainedSurface out;
  out.material = index < scene.material_names.size() ? scene.material_names[index] : "";
  out.color = color_at(prepared.view, place, hit.u, hit.v);
  out.emission = material.emission;
  out.surface = surface_at(prepared.view, ray, hit, place);
  out.facing = dot(out.surface.normal, -unit_or(ray.direction, vec3(0.0f)));
  return out;
}

}  // namespace

u64 Explanation::nodes() const {
  return static_cast<u64>(std::count_if(steps.begin(), steps.end(), [](const auto& step) {
    return std::holds_alternative<ExplainedNode>(step);
  }));
}

u64 Explanation::leaves() const {
  return static_cast<u64>(std::count_if(steps.begin(), steps.end(), [](const auto& step) {
    const auto* leaf = std::get_if<ExplainedLeaf>(&step);
    return leaf && !leaf->below;
  }));
}

u64 Explanation::instances() const {
  return static_cast<u64>(std::count_if(steps.begin(), steps.end(), [](const auto& step) {
    return std::holds_alternative<ExplainedInstance>(step) ||
           std::holds_alternative<ExplainedShape>(step);
  }));
}

u64 Explanation::triangles() const {
  u64 sum = 0;
  for (const auto& step : steps)
    if (const auto* leaf = std::get_if<ExplainedLeaf>(&step))
      sum += leaf->triangles.size();
    else if (std::holds_alternative<ExplainedShape>(step))
      ++sum;
  return sum;
}

Explanation explain(const PreparedScene& prepared, const Ray& ray, RayKind kind, u32 world,
                    const HitFilter& filter) {
  const DefaultFloats floats;
  Explanation out{ray, ray, 0.0, ray.t_max, kind, false, {}, miss_of(ray), {}};
  dispatch_row(Layouts{}, prepared.encoded.layout, [&](auto layout) {
    const OfItems of_ray{{world, nullptr}, filter};
    with_view_in<typename decltype(layout)::type>(prepared.arrays, of_ray, [&](const auto& view) {
      const WalkFrame frame = view.frame(0);
      const RayToCast cast = ray_to_cast(view, 0, frame, ray);
      out.cast = cast.ray;
      out.shift = cast.shift;
      Walker(view, frame, cast, out).walk();
    });
  });
  if (kind == RayKind::closest && out.hit.found()) out.surface = surface_of(prepared, ray, out.hit);
  return out;
}

}  // namespace ballotcast::detail
