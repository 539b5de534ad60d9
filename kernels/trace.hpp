// The two steps that every pipeline alternates: walk to a leaf, test its triangles.
#pragma once

#include "bvh/layouts/children.hpp"
#include "geometry/far_origin.hpp"
#include "kernels/hit_filter.hpp"
#include "math/ray_hit.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// What a walk needs to know about a tree besides its nodes. These values depend on the vertices.
struct WalkFrame {
  TreeShape shape;
  float magnitude;  // the largest coordinate; see SceneView
};

/// The triangles of a leaf. Each triangle takes three rows.
struct LeafRows {
  const TriangleRow* row;
  u32 count;
};
BC_HD inline LeafRows rows_of_leaf(const TriangleRows* triangles, u32 leaf, LeafForm form = {}) {
  return {triangles[leaf_first(leaf, form)].row, leaf_count(leaf, form)};
}

/// A scene with its tree in some layout.
template <class Layout>
struct TraceView {
  using LayoutType = Layout;
  static constexpr bool kForGroups = Layout::kForGroups;  // see pipelines/warp/group.hpp
  static constexpr bool kHasInstances = false;
  static constexpr bool kHasShapes = false;
  const typename Layout::Node* nodes;
  TreeShape shape;
  const TriangleRows* triangles;
  SceneView scene;
  HitFilter filter;
  u32 may_refuse;   // 1 if some hits may not count: the filter refuses some, or there are holes
  LeafForm leaves;  // how leaves refer to their triangles

  BC_HD LeafRows rows_of(u32 leaf) const { return rows_of_leaf(triangles, leaf, leaves); }
  /// The frame for the walk of ray i of a batch.
  BC_HD WalkFrame frame(u32) const { return {shape, scene.magnitude}; }
  /// Adapts the RaySetup of ray i of a batch to the ray's world; see InstancedView. Does nothing
  /// here, because there is only one world.
  BC_HD void adapt(u32, const Ray&, RaySetup&) const {}
};

/// A scene whose vertices move in the memory of the device. `moving` is in that memory, too. It
/// replaces scene.magnitude and `shape`, except for shape.depth. Only pipeline warp can cast
/// through it. It is a type of its own because a test per ray would cost 1 to 2 % of the speed.
template <class Layout>
struct MovingTraceView : TraceView<Layout> {
  const WalkFrame* moving;

  BC_HD WalkFrame frame(u32) const { return *moving; }
};

/// Rays and their results so far. Element i of every array belongs to ray i.
template <class Layout>
struct RayBatch {
  const Ray* rays;
  // During the cast, these may be hits of moved rays; see geometry/far_origin.hpp.
  Hit* hits;
  // Used only by pipelines that keep walks in memory (PipelineInfo::rests).
  typename Layout::Walk* walks;
  u32* visits;  // number of leaves that each ray visited; may be null
  u32 count;
  RayKind kind;
};

/// The ray to cast for ray `given_ray`, which is number i of a batch. `frame`: view.frame(i).
template <class View>
BC_HD inline RayToCast ray_to_cast(const View& view, u32 i, const WalkFrame& frame,
                                   const Ray& given_ray) {
  RayToCast cast = ray_to_cast(given_ray, frame.magnitude);
  view.adapt(i, cast.ray, cast.setup);
  return cast;
}

/// Returns true if a hit of ray i counts. The hit must precede `best`. If the ray skips the hit's
/// triangle, changes `hit` to a hit of the triangle's first copy, if that precedes `best`.
template <class Layout>
BC_HD inline bool accepts_hit(const TraceView<Layout>& view, u32 i, TrianglePlace place, bool front,
                              const Hit& best, Hit& hit) {
  if (!view.may_refuse) return true;
  if (!view.filter.takes_side(front) || is_hole(view.scene, place, hit)) return false;
  return hit.triangle != view.filter.skip_of(i) || hits_copy(view.scene.copies, best, hit);
}

/// accepts_hit for a given view and ray, as a function object for intersect_leaf.
template <class View>
struct AcceptsInView {
  const View& view;
  u32 i;
  BC_HD bool operator()(TrianglePlace place, bool front, const Hit& best, Hit& hit,
                        const TriangleRow*) const {
    return accepts_hit(view, i, place, front, best, hit);
  }
};

/// Tests a ray against the triangles of a leaf, and keeps the best hit in `best`. For RayKind::any
/// it stops at the first hit. Only hits for which accepts(hit, front, rows) is true count; `rows`
/// are the three rows of the triangle. The id of a hit is that of the triangle plus `first_id`.
template <class Accepts>
BC_HD inline void intersect_rows(const RaySetup& setup, float t_min, const LeafRows& leaf,
                                 u32 first_id, RayKind kind, Hit& best, Accepts accepts) {
  const u32 kx = setup.kx(), ky = setup.ky(), kz = setup.kz;
  const TriangleRow* row = leaf.row;
  u32 left = leaf.count;
  BC_NO_UNROLL
  do {
    intersect_triangle(
        setup, t_min, read_whole(row + kx), read_whole(row + ky), read_whole(row + kz), best,
        [&](Hit& hit, bool front) { return accepts(hit, front, row); }, first_id);
    row += 3;
    left = kind == RayKind::any && best.found() ? 0u : left - 1u;
  } while (left > 0u);
}

/// Tests ray i of a batch against the content of a leaf of the view's tree. `ray` is the ray that
/// is cast for it, and `setup` belongs to that ray. Only hits for which accepts(place, front, best,
/// hit, rows) is true count; it may change the id of the hit, as `accepts_hit` does.
template <class Layout, class Accepts>
BC_HD inline void intersect_leaf(const TraceView<Layout>& view, u32, const RaySetup& setup,
                                 const Ray& ray, u32 leaf, RayKind kind, Hit& best,
                                 Accepts accepts) {
  intersect_rows(setup, ray.t_min, view.rows_of(leaf), 0u, kind, best,
                 [&](Hit& hit, bool front, const TriangleRow* rows) {
                   return accepts(TrianglePlace{hit.triangle, 0u}, front, best, hit, rows);
                 });
}
/// Tests ray i against a leaf; the view's own filter decides which hits count.
template <class View>
BC_HD inline void intersect_leaf(const View& view, u32 i, const RaySetup& setup, const Ray& ray,
                                 u32 leaf, RayKind kind, Hit& best) {
  intersect_leaf(view, i, setup, ray, leaf, kind, best, AcceptsInView<View>{view, i});
}

/// Walks ray i on to its next leaf, and stores the walk in batch.walks[i] ("stages" the leaf).
/// Returns true; or false if there is no further leaf, and then the walk is finished.
template <class View, class Layout>
BC_HD inline bool stage_leaf(const View& view, const RayBatch<Layout>& batch, u32 i) {
  typename Layout::Walk walk = batch.walks[i];
  if (Layout::finished(walk)) return false;
  const WalkFrame frame = view.frame(i);
  const RayToCast cast = ray_to_cast(view, i, frame, batch.rays[i]);
  const auto slabs = Layout::slabs_of(cast.setup, cast.ray, frame.shape);
  const bool staged =
      cast.setup.valid && Layout::advance(view.nodes, frame.shape, slabs,
                                          Layout::limit_of(slabs, batch.hits[i].t), walk);
  batch.walks[i] = staged ? walk : Layout::stop();
  return staged;
}

/// stage_leaf as a function object, for Lane::call.
struct StageLeaf {
  template <class View, class Layout>
  BC_DEVICE bool operator()(const View& view, const RayBatch<Layout>& batch, u32 i) const {
    return stage_leaf(view, batch, i);
  }
};

/// Tests the leaf that ray i has staged. If the ray needs only one hit and has found it, ends its
/// walk.
template <class View, class Layout>
BC_HD inline void test_staged_leaf(const View& view, const RayBatch<Layout>& batch, u32 i) {
  const WalkFrame frame = view.frame(i);
  const RayToCast cast = ray_to_cast(view, i, frame, batch.rays[i]);
  Hit best = batch.hits[i];
  intersect_leaf(view, i, cast.setup, cast.ray,
                 Layout::leaf(view.nodes, frame.shape, batch.walks[i]), batch.kind, best);
  if (batch.visits) ++batch.visits[i];
  if (batch.kind == RayKind::any && best.found()) {
    best = answer_of(cast.ray, true);
    batch.walks[i] = Layout::stop();
  }
  batch.hits[i] = best;
}

/// Walks the whole tree, nearer children first, and calls on_leaf(reference) at each leaf. on_leaf
/// may lower `t`, the distance of the best hit so far; it returns true to end the walk.
///
///   at a node: cross both boxes      neither -> pop          one -> go there
///                                    both    -> push the farther child, go to the nearer one
///   at a leaf: on_leaf, then pop. The walk ends when the stack is empty.
///
/// `kSteps` is for lanes of a warp that walk independently. A lane looks for a leaf for at most so
/// many nodes before it lets lanes go on that are at a leaf. 0: no limit.
template <class Layout, u32 kSteps = 0, class OnLeaf>
BC_HD inline void for_each_leaf(const typename Layout::Node* nodes, const TreeShape& shape,
                                const typename Layout::Slabs& slabs, const float& t,
                                OnLeaf on_leaf) {
  u32 stack[kDeepestLevel + 1];
  u32 depth = 0;
  u32 next = shape.root;
  if (next == kNowhere) return;
  auto limit = Layout::limit_of(slabs, t);
  // Goes on from a node. Returns false if nothing is left.
  const auto step = [&] {
    const ChildOrder order = Layout::cross(nodes, next, slabs, limit);
    if (order.both) stack[depth++] = order.farther;
    if (order.any) {
      next = order.nearer;
    } else {
      if (depth == 0) return false;
      next = stack[--depth];
    }
    return true;
  };
  for (;;) {
    if constexpr (kSteps == 0u) {
      while (is_node(next))
        if (!step()) return;
    } else {
      BC_UNROLL
      for (u32 k = 0; k < kSteps; ++k) {
        if (!is_node(next)) break;
        if (!step()) return;
      }
      if (is_node(next)) continue;
    }
    if (on_leaf(next) || depth == 0) return;
    limit = Layout::limit_of(slabs, t);
    next = stack[--depth];
  }
}

/// Casts ray i of a batch from start to end in a single call. Returns the number of leaves visited.
/// `accepts` says which hits count; see intersect_leaf. `kSteps`: see for_each_leaf. Every pipeline
/// must give the same hit.
template <u32 kSteps, class View, class Accepts>
BC_HD inline u32 trace_whole(const View& view, u32 i, const Ray& given_ray, RayKind kind, Hit& best,
                             Accepts accepts) {
  using Layout = typename View::LayoutType;
  const WalkFrame frame = view.frame(i);
  const RayToCast cast = ray_to_cast(view, i, frame, given_ray);
  best = miss_of(cast.setup.valid ? cast.ray : given_ray);
  if (!cast.setup.valid) return 0;
  u32 visits = 0;
  for_each_leaf<Layout, kSteps>(
      view.nodes, frame.shape, Layout::slabs_of(cast.setup, cast.ray, frame.shape), best.t,
      [&](u32 leaf) {
        ++visits;
        intersect_leaf(view, i, cast.setup, cast.ray, leaf, kind, best, accepts);
        return kind == RayKind::any && best.found();
      });
  best = given_hit(given_ray, frame.magnitude, kind, best);
  return visits;
}
template <class View>
BC_HD inline u32 trace_whole(const View& view, u32 i, const Ray& given_ray, RayKind kind,
                             Hit& best) {
  return trace_whole<0>(view, i, given_ray, kind, best, AcceptsInView<View>{view, i});
}

}  // namespace ballotcast::detail
