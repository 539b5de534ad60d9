// Casts groups of rays from one point through wide trees: the rays of a picture, for example. Every
// hit has the bits that trace_whole gives it.
#pragma once

#include "backends/cpu/wide_trace.hpp"
#include "bvh/wide/group_walk.hpp"

namespace ballotcast::detail {

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
  if (!may_be_group(rays)) return false;
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

  const auto counts = [&](const Hit& hit) { return !is_hole(view.scene, {hit.triangle, 0u}, hit); };
  const GroupSlabs slabs(frustum, signs, setups[0]);
  const bool done = walk_group(tree, slabs, signs, packs, kGroupPatience, counts);
  for (u32 k = 0; k < kGroup; ++k) {
    Hit& best = hits[k] = packs[k / kLanes].best[k % kLanes];
    if (!done) trace_wide_tree(tree, {setups[k], rays[k]}, 0u, RayKind::closest, best, counts);
  }
  return true;
}

}  // namespace ballotcast::detail
