// Casts rays through wide trees, alone or in groups, and finds their crossings there. All results
// have the bits that the walks through the trees of the layout give: trace_whole,
// for_each_crossing.
#pragma once

#include <algorithm>
#include <vector>

#include "backends/cpu/wide_scene.hpp"
#include "bvh/wide/group_walk.hpp"
#include "bvh/wide/walk.hpp"
#include "bvh/wide/wide_tree.hpp"
#include "kernels/instances.hpp"
#include "kernels/queries/crossings.hpp"

namespace ballotcast::detail {

/// Casts a ray through one wide tree. Only hits for which counts(hit, front) is true count, and
/// their ids are those of the triangles plus `first_id`.
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

/// Casts ray i of a batch through a scene without instances.
template <class Layout>
inline void trace_wide_scene(const TraceView<Layout>& view, const WideScene& scene, u32 i,
                             const WideRay& ray, RayKind kind, Hit& best) {
  trace_wide_tree(scene.tree(), ray, 0u, kind, best, [&](Hit& hit, bool front) {
    return counts(view, i, {hit.triangle, 0u}, front, best, hit);
  });
}

template <class Layout>
inline void trace_wide_view(const TraceView<Layout>& view, const WideScene& scene, u32 i,
                            const RayToCast& cast, const WalkFrame&, RayKind kind, Hit& best) {
  trace_wide_scene(view, scene, i, {cast.setup, cast.ray}, kind, best);
}

/// Calls on_tree(RayInMesh, its wide tree) for the instances that ray i may meet up to `t`, until
/// one call returns true. The upper tree stays as the layout has it, because instances move.
template <class Layout, class OnTree>
inline void for_each_tree_below(const InstancedView<Layout>& view, const WideScene& scene, u32 i,
                                const RayToCast& cast, const WalkFrame& frame, const float& t,
                                OnTree on_tree) {
  const auto slabs = Layout::slabs_of(cast.setup, cast.ray, frame.shape);
  for_each_leaf<Layout>(view.nodes, frame.shape, slabs, t, [&](u32 leaf) {
    bool ended = false;
    for_each_mesh_below(view, i, cast.ray, leaf, [&](const RayInMesh& at) {
      const auto mesh = static_cast<std::size_t>(&at.mesh - view.meshes);
      return ended = on_tree(at, scene.tree_of_mesh(mesh));
    });
    return ended;
  });
}

template <class Layout>
inline void trace_wide_view(const InstancedView<Layout>& view, const WideScene& scene, u32 i,
                            const RayToCast& cast, const WalkFrame& frame, RayKind kind,
                            Hit& best) {
  for_each_tree_below(
      view, scene, i, cast, frame, best.t, [&](const RayInMesh& at, const WideTree& tree) {
        trace_wide_tree(tree, {at.setup, at.ray}, at.first_id, kind, best,
                        [&](Hit& hit, bool front) {
                          return counts(view, i, at.place(hit.triangle), front, best, hit);
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
  trace_wide_view(view, scene, i, cast, frame, kind, best);
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
      trace_wide_scene(view, scene, begin + k, eight[k], kind, best);
      hits[begin + k] = kind == RayKind::any ? answer_of(ray, best.found()) : best;
    }
  }
  for (u32 i = begin; i < end; ++i) trace_wide(view, scene, i, rays[i], kind, hits[i]);
}

// Groups of rays from one point: the rays of a picture, for example.

/// How far apart the directions of a group may be, as the difference of slopes; groups of wider
/// bundles enter too many boxes.
inline constexpr float kWidestGroup = 0.1f;

/// After so many nodes and leaves each ray of a group goes on alone.
inline constexpr u32 kGroupPatience = 400;

/// False if the rays can't be a group, by a look at the first and the last of them.
inline bool may_be_group(const Ray* rays) {
  const Ray &a = rays[0], &b = rays[kGroup - 1u];
  if (!(a.origin.x == b.origin.x && a.origin.y == b.origin.y && a.origin.z == b.origin.z))
    return false;
  const u32 kz = longest_axis(a.direction);
  const vec3 d = in_order_of(kz, a.direction), e = in_order_of(kz, b.direction);
  const float widest = kWidestGroup * (d.z * e.z);
  return magnitude_of(d.x * e.z - e.x * d.z) < widest &&
         magnitude_of(d.y * e.z - e.y * d.z) < widest;
}

/// Scenes with instances: no groups.
template <class Layout>
inline bool trace_group(const InstancedView<Layout>&, const WideScene&, u32, const Ray*, Hit*) {
  return false;
}

/// Casts rays[kGroup], the first of which is ray i of a batch, for their closest hits. Returns
/// false if they can't be a group; then nothing is cast.
template <class Layout>
BC_FLATTEN inline bool trace_group(const TraceView<Layout>& view, const WideScene& scene, u32 i,
                                   const Ray* rays, Hit* hits) {
  if (view.filter.rays.skip || !may_be_group(rays)) return false;
  const WideTree& tree = scene.tree();
  const WalkFrame frame = view.frame(i);
  const Ray& lead = rays[0];
  if (!is_node(tree.root) || is_far(lead, frame.magnitude) || !(lead.t_min >= 0.0f)) return false;

  RaySetup setups[kGroup];
  GroupRay group[kGroup];
  u32 ways = 0u;
  for (u32 k = 0; k < kGroup; ++k) {
    const Ray& ray = rays[k];
    const RaySetup& s = setups[k] = make_setup(ray, frame.magnitude);
    const vec3 o = ray.origin;
    if (!s.valid || o.x != lead.origin.x || o.y != lead.origin.y || o.z != lead.origin.z ||
        ray.t_min != lead.t_min || s.kz != setups[0].kz || (s.sz < 0.0f) != (setups[0].sz < 0.0f))
      return false;
    group[k] = group_ray(s);
    ways |= ways_of(group[k]);
  }
  const GroupSigns signs = group_signs(setups[0].kz, ways, setups[0].sz < 0.0f);
  RayPack packs[kPacks];
  for (u32 k = 0; k < kGroup; ++k) {
    RayPack& pack = packs[k / kLanes];
    if (k % kLanes == 0u) pack.lanes = RayLanes(setups[k], lead.t_min);
    turn_round(group[k], signs);
    pack.set(k % kLanes, setups[k], group[k], miss_of(rays[k]));
  }
  const Frustum frustum = frustum_of(signs, RaysInArray<kGroup>{group});
  if (frustum.high_x - frustum.low_x > kWidestGroup ||
      frustum.high_y - frustum.low_y > kWidestGroup)
    return false;

  // No ray of a group leaves out a triangle, so neither its index nor the best hit matters.
  const auto counts = [&](Hit hit, bool front) {
    return detail::counts(view, i, {hit.triangle, 0u}, front, hit, hit);
  };
  const GroupSlabs slabs(frustum, signs, setups[0]);
  const bool done = walk_group(tree, slabs, signs, packs, kGroupPatience, counts);
  for (u32 k = 0; k < kGroup; ++k) {
    Hit& best = hits[k] = packs[k / kLanes].best[k % kLanes];
    if (!done) trace_wide_tree(tree, {setups[k], rays[k]}, 0u, RayKind::closest, best, counts);
  }
  return true;
}

// All crossings of rays with surfaces. Memory is at hand here, so one walk collects all crossings
// of a ray, and then they are sorted in the order of for_each_crossing
// (kernels/queries/crossings.hpp).

/// Collects the crossings of a ray with one wide tree for which counts(crossing) is true.
template <class Counts>
inline void collect_in_tree(const WideTree& tree, const RaySetup& setup, const Ray& ray,
                            u32 first_id, std::vector<Hit>& out, Counts counts) {
  const WideRay wide(setup, ray);
  walk_in_order(tree, wide.slabs, ray.t_max, [&](u32 leaf) {
    cross_block_of(tree, leaf, setup, wide.lanes, ray.t_max, first_id, [&](const Crossing& found) {
      if (counts(found)) out.push_back(found.hit);
    });
    return false;
  });
}

template <class Layout>
inline void collect_crossings(const TraceView<Layout>& view, const WideScene& scene, u32,
                              const RayToCast& cast, const WalkFrame&, std::vector<Hit>& out) {
  collect_in_tree(scene.tree(), cast.setup, cast.ray, 0u, out, [&](const Crossing& found) {
    return counts(view, {found.hit.triangle, 0u}, found);
  });
  const CopiesView& copies = view.scene.copies;
  if (!copies.starts) return;
  for (std::size_t i = 0, found = out.size(); i < found; ++i) {
    Hit copy = out[i];
    for (u32 k = copies.starts[copy.triangle], end = copies.starts[out[i].triangle + 1u]; k < end;
         ++k) {
      copy.triangle = copies.ids[k];
      out.push_back(copy);
    }
  }
}

template <class Layout>
inline void collect_crossings(const InstancedView<Layout>& view, const WideScene& scene, u32 i,
                              const RayToCast& cast, const WalkFrame& frame,
                              std::vector<Hit>& out) {
  for_each_tree_below(
      view, scene, i, cast, frame, cast.ray.t_max, [&](const RayInMesh& at, const WideTree& tree) {
        collect_in_tree(tree, at.setup, at.ray, at.first_id, out, [&](const Crossing& found) {
          return counts(view, at.place(found.hit.triangle), found);
        });
        return false;
      });
}

/// Sets `out` to the crossings of ray i of a batch, in order. Their t belong to the ray that is
/// cast: see for_each_crossing.
template <class View>
BC_FLATTEN inline void find_crossings(const View& view, const WideScene& scene, u32 i,
                                      const WalkFrame& frame, const Ray& given,
                                      std::vector<Hit>& out) {
  out.clear();
  const RayToCast cast = ray_to_cast(view, i, frame, given);
  if (!cast.setup.valid) return;
  collect_crossings(view, scene, i, cast, frame, out);
  if (const u32 skip = view.filter.skip_of(i); skip != kNoTriangle)
    std::erase_if(out, [skip](const Hit& hit) { return hit.triangle == skip; });
  // A triangle that was cut may be in several leaves, and is then found more than once.
  std::sort(out.begin(), out.end(),
            [](const Hit& a, const Hit& b) { return precedes(a.t, a.triangle, b); });
  const auto is_same = [](const Hit& a, const Hit& b) {
    return a.triangle == b.triangle && a.t == b.t;
  };
  out.erase(std::unique(out.begin(), out.end(), is_same), out.end());
}

}  // namespace ballotcast::detail
