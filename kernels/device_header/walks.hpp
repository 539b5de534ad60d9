// The walks behind device.hpp. A lane of a user's kernel calls them for one ray or one point.
//
// This file and all that it includes become include/ballotcast/device_core.hpp, by
// tools/cmake/make_headers.cmake. Users compile it with their own options. So nothing here may
// include the standard library, and a sum of products must be written with times() where
// contraction to an FMA would change its bits.
#pragma once

#include "bvh/layouts/grid2/walk.hpp"
#include "kernels/pipelines/warp/lane_walk.hpp"
#include "kernels/queries/closest_point.hpp"
#include "kernels/queries/crossings.hpp"
#include "kernels/queries/point_inside.hpp"
#include "kernels/walk_instances.hpp"

namespace ballotcast::detail {

/// A scene without instances. If its vertices move on the device, `moving` points to the present
/// frame; else it is null.
template <class Layout>
struct ProgramTraceView : TraceView<Layout> {
  const WalkFrame* moving;

  BC_HD WalkFrame frame(u32 i) const { return moving ? *moving : TraceView<Layout>::frame(i); }
};

/// The mask of a ray that sees every instance whose mask is not 0.
inline constexpr u32 kAllBits = 0xffffffffu;

/// Restricts the view to the instances whose masks have a bit in common with `mask`, the mask of a
/// ray. A scene without instances has no masks, so its view stays as it is.
template <class Layout, bool kShapes>
BC_HD inline void narrow(InstancedView<Layout, kShapes>& view, u32 mask) {
  view.filter.rays.mask = mask;
  if (mask != kAllBits) view.may_refuse = 1u;
}
template <class Layout>
BC_HD inline void narrow(TraceView<Layout>&, u32) {}
/// A copy of the view, restricted by `mask`.
template <class Layout, bool kShapes>
BC_HD inline InstancedView<Layout, kShapes> narrowed(InstancedView<Layout, kShapes> view,
                                                     u32 mask) {
  narrow(view, mask);
  return view;
}
template <class View>
BC_HD inline const View& narrowed(const View& view, u32) {
  return view;
}

/// A scene as device.hpp keeps it, in the memory of the machine whose kernel uses it. The library
/// fills it in (render/device_view.cpp). `kShapes`: see InstancedView.
template <bool kShapes>
struct ProgramView {
  using Placed = InstancedView<grid2::Walking, kShapes>;
  Placed scene;
  const WalkFrame* moving;

  BC_HD bool has_instances() const { return scene.scene.instances.count != 0u; }

  /// The view of one world of a scene with instances.
  BC_HD Placed in_world(u32 world) const {
    Placed view = scene;
    view.of_rays = {world, nullptr};
    return view;
  }
  /// The view of a scene without instances. Such a scene has only world 0.
  BC_HD ProgramTraceView<grid2::Walking> plain() const { return {scene, moving}; }
};

/// The argument of a user's filter: a hit, its place, whether its front was hit, the rows of its
/// triangle (null for a shape), and the mask of its instance.
struct Asked {
  Hit hit;
  TrianglePlace place;
  bool front;
  const TriangleRow* rows;
  u32 mask;
};

/// Decides whether a hit counts: it must not lie in a hole of its texture, and the user's filter
/// must accept it.
template <class View, class Filter>
struct AcceptsInProgram {
  const View& view;
  const Ray& given_ray;
  Filter& filter;

  BC_HD bool operator()(TrianglePlace place, bool front, const Hit& best, Hit& hit,
                        const TriangleRow* rows) const {
    if (is_hole(view.scene, place, hit)) return false;
    const u32 mask = view.filter.mask_of(place.instance);
    if (takes({hit, place, front, rows, mask})) return true;
    // Of several equal triangles, the tree has only one. If the filter refuses it, the filter is
    // asked about the others.
    const CopiesView copies = copies_in(view);
    if (!copies.starts) return false;
    const u32 end = copies.starts[hit.triangle + 1u];
    for (u32 at = copies.starts[hit.triangle]; at < end; ++at) {
      Hit copy = hit;
      copy.triangle = copies.ids[at];
      if (!precedes(copy.t, copy.triangle, best)) return false;
      if (!takes({copy, {copy.triangle, 0u}, front, rows, mask})) continue;
      hit = copy;
      return true;
    }
    return false;
  }

 private:
  BC_HD bool takes(Asked asked) const {
    give_back_if_far(given_ray, view.frame(0u).magnitude, asked.hit);
    return filter(asked);
  }
};

/// The number of nodes after which a lane that looks for a leaf lets the lanes at leaves go on; see
/// kSteps of for_each_leaf. 6 is fastest on an H200. Without a limit, a warp is up to a third
/// slower (docs/results/own-kernels-h200.txt).
inline constexpr u32 kStepsAlone = 6;

/// The closest hit of a ray, or any hit; see trace_whole. `filter(Asked)` returns true for hits
/// that count. The last hit that it accepts is the result.
template <class View, class Filter>
BC_HD inline Hit hit_in(const View& view, const Ray& ray, RayKind kind, Filter& filter) {
  Hit hit;
  trace_whole<kStepsAlone>(view, 0u, ray, kind, hit,
                           AcceptsInProgram<View, Filter>{view, ray, filter});
  return hit;
}
/// The closest hit of a ray, or any hit, without a user's filter.
template <class View>
BC_HD inline Hit hit_in(const View& view, const Ray& ray, RayKind kind) {
  Hit hit;
  trace_whole<kStepsAlone>(view, 0u, ray, kind, hit, AcceptsInView<View>{view, 0u});
  return hit;
}

/// The geometric normal at a hit of a shape, with the same bits as in surface_at.
BC_HD BC_COLD inline vec3 normal_of_shape(const SceneView& scene, const Ray& ray,
                                          const Asked& found) {
  const Corners p = corners_of(scene, found.place, found.hit.u, found.hit.v);
  return NormalsOf<vec3>(vec3(ray.direction), p.b - p.a, p.c - p.a, nullptr,
                         mirrors(scene.instances.list[found.place.instance].to_scene))
      .geometric;
}

/// The geometric normal at a hit, with the same bits as in surface_at. `found`: the hit that a
/// filter has accepted.
template <class View>
BC_HD inline vec3 normal_of(const View& view, const Ray& ray, const Asked& found) {
  if constexpr (View::kHasShapes) {
    if (!found.rows) return normal_of_shape(view.scene, ray, found);
  }
  const TriangleRow &x = found.rows[0], &y = found.rows[1], &z = found.rows[2];
  Corners p{{x.a, y.a, z.a}, {x.b, y.b, z.b}, {x.c, y.c, z.c}};
  bool mirrored = false;
  if (view.scene.instances.count != 0u) {
    const Transform& to_scene = view.scene.instances.list[found.place.instance].to_scene;
    p = {transformed_point(to_scene, p.a), transformed_point(to_scene, p.b),
         transformed_point(to_scene, p.c)};
    mirrored = mirrors(to_scene);
  }
  return NormalsOf<vec3>(vec3(ray.direction), p.b - p.a, p.c - p.a, nullptr, mirrored).geometric;
}

/// A view with a user's filter, for walks that ask their view whether a hit counts.
template <class View, class Filter>
struct AskingView : View {
  const Ray* given_ray;
  Filter* ask;
};
template <class View, class Filter>
BC_HD inline void intersect_leaf(const AskingView<View, Filter>& view, u32 i, const RaySetup& setup,
                                 const Ray& ray, u32 leaf, RayKind kind, Hit& best) {
  const View& scene = view;
  intersect_leaf(scene, i, setup, ray, leaf, kind, best,
                 AcceptsInProgram<View, Filter>{scene, *view.given_ray, *view.ask});
}

/// True if the program's filter takes a crossing of the ray.
template <class View, class Filter>
BC_HD inline bool takes_crossing(const AskingView<View, Filter>& view, TrianglePlace place,
                                 bool front, Hit hit) {
  const View& scene = view;
  give_back_if_far(*view.given_ray, scene.frame(0u).magnitude, hit);
  return (*view.ask)({hit, place, front, nullptr, scene.filter.mask_of(place.instance)});
}

/// As cross_leaf of TraceView, for the crossings that the program's filter takes. It is asked about
/// copies of triangles here, by their own ids, so the walk need not offer them.
template <class Layout, class Filter, class Take>
BC_HD inline void cross_leaf(const AskingView<ProgramTraceView<Layout>, Filter>& view, u32,
                             const RaySetup& setup, const Ray&, u32 leaf, float low,
                             const float& high, Take take) {
  const CopiesView copies = view.scene.copies;
  const auto is_taken = [&](const Crossing& found) {
    if (!accepts_crossing(view, {found.hit.triangle, 0u}, found)) return false;
    const u32 end = copies.starts ? copies.starts[found.hit.triangle + 1u] : 0u;
    for (u32 at = copies.starts ? copies.starts[found.hit.triangle] : 0u; at < end; ++at) {
      Hit copy = found.hit;
      copy.triangle = copies.ids[at];
      if (takes_crossing(view, {copy.triangle, 0u}, found.front, copy)) take(copy);
    }
    return takes_crossing(view, {found.hit.triangle, 0u}, found.front, found.hit);
  };
  cross_rows(setup, view.rows_of(leaf), 0u, low, high, is_taken, take);
}
template <class Layout, bool kShapes, class Filter, class Take>
BC_HD inline void cross_leaf(const AskingView<InstancedView<Layout, kShapes>, Filter>& view, u32 i,
                             const RaySetup&, const Ray& ray, u32 leaf, float low,
                             const float& high, Take take) {
  const auto takes = [&](TrianglePlace place, const Crossing& found) {
    return accepts_crossing(view, place, found) &&
           takes_crossing(view, place, found.front, found.hit);
  };
  const auto in_shape = [&](const RayAtShape& at) {
    cross_shape_of(at, low, high, [&](const Crossing& found) {
      if (takes(at.place, found)) take(found.hit);
    });
    return false;
  };
  for_each_leaf_below(view, i, ray, leaf, high, in_shape, [&](const RayInMesh& at, u32 below) {
    const auto is_taken = [&](const Crossing& found) {
      return takes(at.place(found.hit.triangle), found);
    };
    cross_rows(at.setup, at.rows_of(below), at.first_id, low, high, is_taken, take);
    return false;
  });
}
template <class View, class Filter>
BC_HD inline CopiesView copies_in(const AskingView<View, Filter>&) {
  return {};
}

/// The lanes of a warp of a user's kernel, as far as walks need them. On a host, a warp has one
/// lane.
struct ProgramWarp {
  BC_HD u32 ballot(bool p) const { return ballot_of_warp(p); }
};

/// The hits of the rays of a warp's lanes. Lanes that are not `active` get a miss. All lanes must
/// call this together. The view decides which hits count: see AskingView.
template <RayKind kKind, class View>
BC_HD inline Hit hit_by_votes(const View& view, const Ray& ray, bool active) {
  using Layout = typename View::LayoutType;
  Hit hit = miss_of(ray);
  u32 stack[kDeepestLevel + 2u];
  const RayBatch<Layout> batch{&ray, &hit, nullptr, nullptr, 1u, kKind};
  LaneWalk<View, kKind, false, 1u> walk(stack);
  if (active) walk.begin(stack, 0u, view, batch);
  ProgramWarp warp;
  walk.template walk_by_votes<1u>(warp, 0u, view, batch);
  walk.end(batch);
  return hit;
}

/// The number of a FetchedRay that holds no ray.
inline constexpr u32 kNoRay = 0xffffffffu;

/// A ray that a lane has fetched, and its number in the batch.
struct FetchedRay {
  Ray ray;
  u32 number;
};

/// Casts the rays with the numbers *next to count - 1. All warps that call this share the work.
/// Lanes whose ray is done fetch another ray when few lanes of the warp are busy, as in
/// kernels/pipelines/warp/fetching.hpp. `fetch(number)` sets `fetched`, and may restrict the view;
/// `take(number, hit)` gets the hit of that ray.
template <RayKind kKind, class View, class Fetch, class Take>
BC_HD inline void cast_by_fetching(const View& view, u32 count, u32* next, FetchedRay& fetched,
                                   Fetch fetch, Take& take) {
  using Layout = typename View::LayoutType;
  // Lanes fetch rays when at most this many lanes of the warp are busy. 10 is the fastest value for
  // the library's own kernel (CastFetching). A warp of one lane fetches when its ray is done.
  constexpr u32 kFetchBelow = kLanesOfWarp == 1u ? 0u : 10u;
  Hit hit{};
  u32 stack[kDeepestLevel + 2u];
  const RayBatch<Layout> batch{&fetched.ray, &hit, nullptr, nullptr, 1u, kKind};
  LaneWalk<View, kKind, false, 1u> walk(stack);
  ProgramWarp warp;
  const auto deliver = [&] {
    if (fetched.number == kNoRay) return;
    walk.end(batch);
    take(fetched.number, hit);
    fetched.number = kNoRay;
  };
  for (bool more = true; more;) {
    const bool idle = !walk.busy();
    if (idle) deliver();
    u32 end;
    const u32 number = take_numbers(next, idle, end);
    if (idle && number < count) {
      fetched.number = number;
      fetch(number);
      walk.begin(stack, 0u, view, batch);
    }
    more = end < count;
    walk.template walk_by_votes<1u>(warp, more ? kFetchBelow : 0u, view, batch);
  }
  deliver();
}

}  // namespace ballotcast::detail
