// The two steps every pipeline takes turns at: walk to a leaf, test its triangles.
#pragma once

#include "math/ray.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast {

/// A scene with its tree in some layout.
template <class Layout>
struct TraceView {
  const typename Layout::Node* nodes;
  const TriangleRows* triangles;
  SceneView scene;
};

/// Rays and what is known of them so far; element i of every array is ray i's.
template <class Layout>
struct RayBatch {
  const Ray* rays;
  Hit* hits;
  typename Layout::Walk* walks;
  u32* visits;  // leaves each ray visited; may be null
  u32 count;
  RayKind kind;
};

/// Tests the triangles of one leaf against a ray and keeps in `best` whatever precedes it. A
/// surface that is cut out at the point does not count.
template <class Layout>
BC_HD inline void intersect_leaf(const TraceView<Layout>& view, const RaySetup& setup, float t_min,
                                 u32 leaf, Hit& best) {
  const u32 first = Layout::leaf_first(leaf), count = Layout::leaf_count(leaf);
  for (u32 i = 0; i < count; ++i) {
    const vec4* row = view.triangles[first + i].row;
    Hit found;
    if (!intersect_triangle(setup, t_min, row[setup.kx], row[setup.ky], row[setup.kz], best, found))
      continue;
    if (view.scene.has_cutouts && is_cut_out(view.scene, found)) continue;
    best = found;
  }
}

/// Walks ray i on to its next leaf, which it stages by leaving its walk there. False, and the walk
/// finished, when there is none.
template <class Layout>
BC_HD inline bool stage_leaf(const TraceView<Layout>& view, const RayBatch<Layout>& batch, u32 i) {
  typename Layout::Walk walk = batch.walks[i];
  if (Layout::finished(walk)) return false;
  const Ray ray = batch.rays[i];
  const RaySetup setup = make_setup(ray, view.scene.magnitude);
  const bool staged =
      setup.valid && Layout::advance(view.nodes, setup, ray.t_min, batch.hits[i].t, walk);
  batch.walks[i] = staged ? walk : Layout::stop();
  return staged;
}

/// Tests the leaf that ray i staged; a ray that asked for any hit and has one is finished.
template <class Layout>
BC_HD inline void test_staged_leaf(const TraceView<Layout>& view, const RayBatch<Layout>& batch,
                                   u32 i) {
  const Ray ray = batch.rays[i];
  const RaySetup setup = make_setup(ray, view.scene.magnitude);
  Hit best = batch.hits[i];
  intersect_leaf(view, setup, ray.t_min, Layout::leaf(batch.walks[i]), best);
  batch.hits[i] = best;
  if (batch.visits) ++batch.visits[i];
  if (batch.kind == RayKind::any && best.found()) batch.walks[i] = Layout::stop();
}

/// Takes ray i from start to end in one go, with nothing kept in between: what pipelines must
/// equal. Returns the number of leaves visited.
template <class Layout>
BC_HD inline u32 trace_whole(const TraceView<Layout>& view, const Ray& ray, RayKind kind,
                             Hit& best) {
  best = miss_of(ray);
  const RaySetup setup = make_setup(ray, view.scene.magnitude);
  if (!setup.valid) return 0;
  u32 visits = 0;
  Layout::visit_leaves(view.nodes, setup, ray.t_min, best.t, [&](u32 leaf) {
    ++visits;
    intersect_leaf(view, setup, ray.t_min, leaf, best);
    return kind == RayKind::any && best.found();
  });
  return visits;
}

}  // namespace ballotcast
