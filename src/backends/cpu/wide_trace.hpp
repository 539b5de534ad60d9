// Casts rays through wide trees. Every hit has the bits that trace_whole gives it.
#pragma once

#include "backends/cpu/wide_scene.hpp"
#include "bvh/wide/walk.hpp"
#include "kernels/instances.hpp"

namespace ballotcast::detail {

/// Casts a ray through one wide tree. Only hits for which counts(hit) is true count, and their ids
/// are those of the triangles plus `first_id`.
template <class Counts>
inline void trace_wide_tree(const WideTree& tree, const WideRay& ray, u32 first_id, RayKind kind,
                            Hit& best, Counts counts) {
  const auto test = [&](u32 leaf) {
    intersect_block_of(tree, leaf, ray.lanes, first_id, best, counts);
    return best.found();
  };
  if (kind == RayKind::any)
    walk_in_order(tree, ray.slabs, best.t, test);
  else
    walk_nearer_first(tree, ray.slabs, best.t, test);
}

/// Casts a ray through a scene without instances.
template <class Layout>
inline void trace_wide_scene(const TraceView<Layout>& view, const WideScene& scene,
                             const WideRay& ray, RayKind kind, Hit& best) {
  trace_wide_tree(scene.tree(), ray, 0u, kind, best, [&](const Hit& hit) {
    return !is_hole(view.scene, {hit.triangle, 0u}, hit);
  });
}

template <class Layout>
inline void trace_wide_view(const TraceView<Layout>& view, const WideScene& scene,
                            const RayToCast& cast, const WalkFrame&, RayKind kind, Hit& best) {
  trace_wide_scene(view, scene, {cast.setup, cast.ray}, kind, best);
}

/// Calls on_tree(RayInMesh, its wide tree) for the instances that a ray may meet up to `t`, until
/// one call returns true. The upper tree stays as the layout has it, because instances move.
template <class Layout, class OnTree>
inline void for_each_tree_below(const InstancedView<Layout>& view, const WideScene& scene,
                                const RayToCast& cast, const WalkFrame& frame, const float& t,
                                OnTree on_tree) {
  const auto slabs = Layout::slabs_of(cast.setup, cast.ray, frame.shape);
  for_each_leaf<Layout>(view.nodes, frame.shape, slabs, t, [&](u32 leaf) {
    bool ended = false;
    for_each_mesh_below(view, cast.ray, leaf, [&](const RayInMesh& at) {
      const auto mesh = static_cast<std::size_t>(&at.mesh - view.meshes);
      return ended = on_tree(at, scene.tree_of_mesh(mesh));
    });
    return ended;
  });
}

template <class Layout>
inline void trace_wide_view(const InstancedView<Layout>& view, const WideScene& scene,
                            const RayToCast& cast, const WalkFrame& frame, RayKind kind,
                            Hit& best) {
  for_each_tree_below(
      view, scene, cast, frame, best.t, [&](const RayInMesh& at, const WideTree& tree) {
        trace_wide_tree(tree, {at.setup, at.ray}, at.first_id, kind, best, [&](const Hit& hit) {
          return !is_hole(view.scene, at.place(hit.triangle), hit);
        });
        return kind == RayKind::any && best.found();
      });
}

/// Casts ray i of a batch from start to end, as trace_whole does.
template <class View>
BC_FLATTEN inline void trace_wide(const View& view, const WideScene& scene, u32 i, const Ray& given,
                                  RayKind kind, Hit& best) {
  const WalkFrame frame = view.frame(i);
  const RayToCast cast = ray_to_cast(view, i, frame, given);
  best = miss_of(cast.setup.valid ? cast.ray : given);
  if (!cast.setup.valid) return;
  trace_wide_view(view, scene, cast, frame, kind, best);
  best = given_hit(given, frame.magnitude, kind, best);
}

/// Casts rays [begin, end) of a batch, each by itself.
template <class View>
inline void trace_each_wide(const View& view, const WideScene& scene, u32 begin, u32 end,
                            const Ray* rays, RayKind kind, Hit* hits) {
  for (u32 i = begin; i < end; ++i) trace_wide(view, scene, i, rays[i], kind, hits[i]);
}

/// The same for a scene without instances: eight rays are prepared at once.
template <class Layout>
BC_FLATTEN inline void trace_each_wide(const TraceView<Layout>& view, const WideScene& scene,
                                       u32 begin, u32 end, const Ray* rays, RayKind kind,
                                       Hit* hits) {
  for (; end - begin >= kWidth; begin += kWidth) {
    const EightRays eight(rays + begin, view.scene.magnitude);
    for (u32 k = 0; k < kWidth; ++k) {
      const Ray& ray = rays[begin + k];
      if (!eight.is_usual(k)) {
        trace_wide(view, scene, begin + k, ray, kind, hits[begin + k]);
        continue;
      }
      Hit best = miss_of(ray);
      trace_wide_scene(view, scene, eight[k], kind, best);
      hits[begin + k] = kind == RayKind::any ? answer_of(ray, best.found()) : best;
    }
  }
  for (u32 i = begin; i < end; ++i) trace_wide(view, scene, i, rays[i], kind, hits[i]);
}

}  // namespace ballotcast::detail
