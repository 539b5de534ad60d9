// Casts rays through wide trees, singly or in groups, and finds their crossings. All results have
// the same bits as with the trees of the layout (trace_whole, for_each_crossing).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "backends/cpu/wide_scene.hpp"
#include "bvh/wide/eight_rays.hpp"
#include "bvh/wide/group_walk.hpp"
#include "bvh/wide/walks_in_turns.hpp"
#include "bvh/wide/wide_tree.hpp"
#include "bvh/wide/wide_walk.hpp"
#include "kernels/queries/crossings.hpp"
#include "kernels/walk_instances.hpp"

namespace ballotcast::detail {

/// Casts a ray through one wide tree. Only hits for which accepts(hit, front) is true count. The id
/// of a hit is that of the triangle plus `first_id`.
template <class Accepts>
inline void trace_wide_tree(const WideTree& tree, const WideRay& ray, u32 first_id, RayKind kind,
                            Hit& best, Accepts accepts) {
  const auto test = [&](u32 leaf) {
    intersect_block_of(tree, leaf, ray.lanes, first_id, best, accepts);
    return best.found();
  };
  if (kind == RayKind::any)
    walk_in_order(tree, ray.slabs, best.t, test);
  else
    walk_nearer_first(tree, ray.slabs, best.t, test);
}

/// Decides which hits count for rays that are cast as a group in a scene without instances: ray i
/// and the other rays of its group. No ray of a group skips a triangle, so the ray's index and its
/// best hit do not matter.
template <class Layout>
struct AcceptedHits {
  const TraceView<Layout>& view;
  u32 i;

  bool operator()(Hit hit, bool front) const {
    return accepts_hit(view, i, {hit.triangle, 0u}, front, hit, hit);
  }
  /// False if all hits count.
  bool may_refuse() const { return view.may_refuse; }
};

/// Casts ray i of a batch through a scene without instances.
template <class Layout>
inline void trace_wide_scene(const TraceView<Layout>& view, const WideScene& scene, u32 i,
                             const WideRay& ray, RayKind kind, Hit& best) {
  trace_wide_tree(scene.tree(), ray, 0u, kind, best, [&](Hit& hit, bool front) {
    return accepts_hit(view, i, {hit.triangle, 0u}, front, best, hit);
  });
}

template <class Layout>
inline void trace_wide_view(const TraceView<Layout>& view, const WideScene& scene, u32 i,
                            const RayToCast& cast, const WalkFrame&, RayKind kind, Hit& best) {
  trace_wide_scene(view, scene, i, {cast.setup, cast.ray}, kind, best);
}

/// Calls on_tree(RayInMesh, its wide tree) for the instances that ray i may hit up to `t`, and
/// on_shape(RayAtShape) for those that are shapes, until a call returns true. The upper tree is
/// that of the layout, because instances move.
template <class Layout, bool kShapes, class OnShape, class OnTree>
inline void for_each_tree_below(const InstancedView<Layout, kShapes>& view, const WideScene& scene,
                                u32 i, const RayToCast& cast, const WalkFrame& frame,
                                const float& t, OnShape on_shape, OnTree on_tree) {
  const auto slabs = Layout::slabs_of(cast.setup, cast.ray, frame.shape);
  for_each_leaf<Layout>(view.nodes, frame.shape, slabs, t, [&](u32 leaf) {
    bool ended = false;
    for_each_mesh_below(
        view, i, cast.ray, leaf, [&](const RayAtShape& at) { return ended = on_shape(at); },
        [&](const RayInMesh& at) {
          const auto mesh = static_cast<std::size_t>(&at.mesh - view.meshes);
          return ended = on_tree(at, scene.tree_of_mesh(mesh));
        });
    return ended;
  });
}

template <class Layout, bool kShapes>
inline void trace_wide_view(const InstancedView<Layout, kShapes>& view, const WideScene& scene,
                            u32 i, const RayToCast& cast, const WalkFrame& frame, RayKind kind,
                            Hit& best) {
  for_each_tree_below(
      view, scene, i, cast, frame, best.t,
      [&](const RayAtShape& at) {
        return intersect_shape(at, kind, best,
                               AcceptsInView<InstancedView<Layout, kShapes>>{view, i});
      },
      [&](const RayInMesh& at, const WideTree& tree) {
        trace_wide_tree(tree, {at.setup, at.ray}, at.first_id, kind, best,
                        [&](Hit& hit, bool front) {
                          return accepts_hit(view, i, at.place(hit.triangle), front, best, hit);
                        });
        return kind == RayKind::any && best.found();
      });
}

/// Casts ray i of a batch from start to end, as trace_whole does.
template <class View>
BC_FLATTEN inline void trace_wide(const View& view, const WideScene& scene, u32 i,
                                  const Ray& given_ray, RayKind kind, Hit& best) {
  const WalkFrame frame = view.frame(i);
  const RayToCast cast = ray_to_cast(view, i, frame, given_ray);
  best = miss_of(cast.setup.valid ? cast.ray : given_ray);
  if (!cast.setup.valid) return;
  trace_wide_view(view, scene, i, cast, frame, kind, best);
  best = given_hit(given_ray, frame.magnitude, kind, best);
}

/// Casts rays [begin, end) of a batch, one by one.
template <class View>
inline void trace_each_wide(const View& view, const WideScene& scene, u32 begin, u32 end,
                            const Ray* rays, RayKind kind, Hit* hits) {
  for (u32 i = begin; i < end; ++i) trace_wide(view, scene, i, rays[i], kind, hits[i]);
}

/// As trace_each_wide, for eight rays of a scene without instances, which are prepared together.
template <class Layout>
BC_FLATTEN inline void trace_eight(const TraceView<Layout>& view, const WideScene& scene, u32 begin,
                                   const Ray* rays, RayKind kind, Hit* hits) {
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

/// As trace_each_wide, for a multiple of eight rays. The rays are processed in turns: while one ray
/// waits for memory, others continue.
template <RayKind kKind, class Layout>
inline void trace_in_turns(const TraceView<Layout>& view, const WideScene& scene, u32 begin,
                           u32 end, const Ray* rays, Hit* hits) {
  constexpr u32 kAtOnce = 16;
  std::optional<EightRays> eight;
  u32 next = begin;
  const auto start = [&](WalkingRay& at) {
    while (next < end) {
      const u32 i = next++, k = (i - begin) % kWidth;
      if (k == 0u) eight.emplace(rays + i, view.scene.magnitude);
      if (!eight->is_usual(k)) {
        trace_wide(view, scene, i, rays[i], kKind, hits[i]);
        continue;
      }
      new (&at.rays) WideRay((*eight)[k]);
      at.best = miss_of(rays[i]);
      at.number = i;
      return true;
    }
    return false;
  };
  const auto finish = [&](const WalkingRay& at) {
    const Ray& ray = rays[at.number];
    hits[at.number] = kKind == RayKind::any ? answer_of(ray, at.best.found()) : at.best;
  };
  walk_in_turns<kKind, kAtOnce>(scene.tree(), start, finish, AcceptedHits<Layout>{view, begin});
}

/// True if eight rays start so far apart that they hardly ever read the same memory.
inline bool start_apart(const Ray* rays, float scene_magnitude) {
  constexpr float kApart = 1.0f / 1024.0f;
  const vec3 first = rays[0].origin;
  return largest_magnitude(vec3(rays[3].origin) - first) > kApart * scene_magnitude &&
         largest_magnitude(vec3(rays[7].origin) - first) > kApart * scene_magnitude;
}

template <class Layout>
inline void trace_each_wide(const TraceView<Layout>& view, const WideScene& scene, u32 begin,
                            u32 end, const Ray* rays, RayKind kind, Hit* hits) {
  // The size in bytes from which rays are processed in turns. Turns cost time, so they pay off only
  // if the tree is much larger than the cache of a core.
  constexpr u64 kLargeTree = u64{16} << 20;
  const bool is_large = scene.tree().bytes() > kLargeTree && !view.filter.rays.skip;
  const auto takes_turns = [&](u32 i) {
    return is_large && end - i >= kWidth && start_apart(rays + i, view.scene.magnitude);
  };
  while (end - begin >= kWidth) {
    u32 next = begin;
    while (takes_turns(next)) next += kWidth;
    if (next == begin)
      trace_eight(view, scene, begin, rays, kind, hits), next += kWidth;
    else if (kind == RayKind::any)
      trace_in_turns<RayKind::any>(view, scene, begin, next, rays, hits);
    else
      trace_in_turns<RayKind::closest>(view, scene, begin, next, rays, hits);
    begin = next;
  }
  for (u32 i = begin; i < end; ++i) trace_wide(view, scene, i, rays[i], kind, hits[i]);
}

// Groups of rays that start at one point, such as the camera rays of a picture.

/// The largest difference of slopes between the directions of a group. Wider groups enter too many
/// boxes.
inline constexpr float kWidestGroup = 0.1f;

/// After this number of nodes and leaves, a group of two packs is split up, and each of its rays
/// continues alone. A group of eight packs is split up after twice as many. This happens where
/// triangles are small and each ray meets different triangles; the next groups will most likely
/// meet the same triangles.
inline constexpr u32 kGroupPatience = 150;

/// The result of trying to cast a group.
enum class GroupCast { none, done, gave_up };

/// Tests by the first and the last ray whether `count` rays may be a group. False if they can't be
/// a group.
inline bool may_be_group(const Ray* rays, u32 count) {
  const Ray &a = rays[0], &b = rays[count - 1u];
  if (!(a.origin.x == b.origin.x && a.origin.y == b.origin.y && a.origin.z == b.origin.z))
    return false;
  const u32 kz = longest_axis(a.direction);
  const vec3 d = in_order_of(kz, a.direction), e = in_order_of(kz, b.direction);
  const float widest = kWidestGroup * (d.z * e.z);
  return magnitude_of(d.x * e.z - e.x * d.z) < widest &&
         magnitude_of(d.y * e.z - e.y * d.z) < widest;
}

/// Casts a group, whose first ray is ray i of a batch. Returns `none` if the rays can't be a group;
/// then nothing is cast. With `gave_up`, too, all rays of the group have been cast.
template <RayKind kKind, u32 kPacks, class Layout>
BC_FLATTEN inline GroupCast trace_group(const TraceView<Layout>& view, const WideScene& scene,
                                        u32 i, const Ray* rays, Hit* hits) {
  using Group = RayGroup<kPacks>;
  Group group;
  if (view.filter.rays.skip || !may_be_group(rays, Group::kRays) || !is_node(scene.tree().root) ||
      !group.prepare(rays, view.scene.magnitude))
    return GroupCast::none;
  const Frustum& f = group.frustum;
  if (f.high_x - f.low_x > kWidestGroup || f.high_y - f.low_y > kWidestGroup)
    return GroupCast::none;
  const AcceptedHits<Layout> accepts{view, i};
  constexpr u32 kPatience = kGroupPatience * (kPacks > 2u ? 2u : 1u);
  const bool done = walk_group<kKind>(scene.tree(), group, kPatience, accepts);
  for (u32 p = 0; p < kPacks; ++p) {
    RayPack& pack = group.packs[p];
    if (kKind == RayKind::any)
      pack.best.triangle = pack.best.triangle == -1 ? pack.best.triangle : Ints8{};
    pack.best.store(hits + p * kLanes);
  }
  if (done) return GroupCast::done;
  for (u32 k = 0; k < Group::kRays; ++k) {
    if ((group.packs[k / kLanes].asking >> k % kLanes & 1u) == 0u) continue;
    Hit& best = hits[k];
    trace_wide_scene(view, scene, i + k, {make_setup(rays[k], view.scene.magnitude), rays[k]},
                     kKind, best);
    if (kKind == RayKind::any) best = answer_of(rays[k], best.found());
  }
  return GroupCast::gave_up;
}

/// Prefetches the next rays and their hits. They are processed so fast that the hardware prefetcher
/// is too late.
inline void fetch_rays(const Ray* rays, Hit* hits, u32 count) {
  for (u32 i = 0; i < count; i += 2u) __builtin_prefetch(rays + i);
  for (u32 i = 0; i < count; i += 4u) __builtin_prefetch(hits + i, 1);
}

/// Casts rays [begin, end) of a batch.
template <class View>
inline void trace_range(const View& view, const WideScene& scene, u32 begin, u32 end,
                        const Ray* rays, RayKind kind, Hit* hits) {
  trace_each_wide(view, scene, begin, end, rays, kind, hits);
}

/// Casts the rays of a range in a scene without instances, in groups where possible.
template <RayKind kKind, class Layout>
class RangeCaster {
 public:
  RangeCaster(const TraceView<Layout>& view, const WideScene& scene, const Ray* rays, Hit* hits)
      : view_(view), scene_(scene), rays_(rays), hits_(hits) {}

  void cast(u32 begin, u32 end) {
    u32 alone = 0;  // number of next rays for which no group is tried
    while (begin < end) {
      const u32 left = end - begin;
      fetch_rays(rays_ + begin + kLarge, hits_ + begin + kLarge,
                 left > kLarge ? std::min(kLarge, left - kLarge) : 0u);
      u32 done = alone == 0u ? cast_group(begin, left, alone) : 0u;
      if (done == 0u) {
        // No group begins here. A number of rays are cast alone before the next try, because trying
        // at every ray would prepare most rays many times.
        done = std::min(std::max(alone, kSmall), left);
        while (left - done >= kSmall && !may_be_group(rays_ + begin + done, kSmall)) done += kSmall;
        trace_each_wide(view_, scene_, begin, begin + done, rays_, kKind, hits_);
        alone -= std::min(alone, done);
      }
      begin += done;
    }
  }

 private:
  static constexpr u32 kLarge = kLanes * kLanes, kSmall = 2 * kLanes;  // sizes of groups in rays
  static constexpr u32 kAloneAfter = 512;  // rays cast alone after a group was split up

  /// Tries to cast a group. Returns the number of rays that were cast; 0 if no group begins here.
  u32 cast_group(u32 begin, u32 left, u32& alone) const {
    const auto try_one = [&](auto packs) {
      constexpr u32 kPacks = decltype(packs)::value;
      const GroupCast cast =
          left < kPacks * kLanes
              ? GroupCast::none
              : trace_group<kKind, kPacks>(view_, scene_, begin, rays_ + begin, hits_ + begin);
      if (cast == GroupCast::gave_up) alone = kAloneAfter;
      return cast == GroupCast::none ? 0u : kPacks * kLanes;
    };
    const u32 done = try_one(std::integral_constant<u32, kLarge / kLanes>());
    return done != 0u ? done : try_one(std::integral_constant<u32, kSmall / kLanes>());
  }

  const TraceView<Layout>& view_;
  const WideScene& scene_;
  const Ray* rays_;
  Hit* hits_;
};

template <class Layout>
inline void trace_range(const TraceView<Layout>& view, const WideScene& scene, u32 begin, u32 end,
                        const Ray* rays, RayKind kind, Hit* hits) {
  if (kind == RayKind::any)
    RangeCaster<RayKind::any, Layout>(view, scene, rays, hits).cast(begin, end);
  else
    RangeCaster<RayKind::closest, Layout>(view, scene, rays, hits).cast(begin, end);
}

// All crossings of rays with surfaces. Host memory can grow, so all crossings of a ray are
// collected in one traversal. Then they are sorted into the order of for_each_crossing
// (kernels/queries/crossings.hpp).

/// Collects the crossings of a ray with one wide tree for which accepts(crossing) is true.
template <class Accepts>
inline void collect_in_tree(const WideTree& tree, const RaySetup& setup, const Ray& ray,
                            u32 first_id, std::vector<Hit>& out, Accepts accepts) {
  const WideRay wide(setup, ray);
  walk_in_order(tree, wide.slabs, ray.t_max, [&](u32 leaf) {
    cross_block_of(tree, leaf, setup, wide.lanes, ray.t_max, first_id, [&](const Crossing& found) {
      if (accepts(found)) out.push_back(found.hit);
    });
    return false;
  });
}

template <class Layout>
inline void collect_crossings(const TraceView<Layout>& view, const WideScene& scene, u32,
                              const RayToCast& cast, const WalkFrame&, std::vector<Hit>& out) {
  collect_in_tree(scene.tree(), cast.setup, cast.ray, 0u, out, [&](const Crossing& found) {
    return accepts_crossing(view, {found.hit.triangle, 0u}, found);
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

template <class Layout, bool kShapes>
inline void collect_crossings(const InstancedView<Layout, kShapes>& view, const WideScene& scene,
                              u32 i, const RayToCast& cast, const WalkFrame& frame,
                              std::vector<Hit>& out) {
  for_each_tree_below(
      view, scene, i, cast, frame, cast.ray.t_max,
      [&](const RayAtShape& at) {
        cross_shape_of(at, cast.ray.t_min, cast.ray.t_max, [&](const Crossing& found) {
          if (found.hit.t > cast.ray.t_min && accepts_crossing(view, at.place, found))
            out.push_back(found.hit);
        });
        return false;
      },
      [&](const RayInMesh& at, const WideTree& tree) {
        collect_in_tree(tree, at.setup, at.ray, at.first_id, out, [&](const Crossing& found) {
          return accepts_crossing(view, at.place(found.hit.triangle), found);
        });
        return false;
      });
}

/// Sets `out` to the crossings of ray i of a batch, in order. Their t belong to the ray that is
/// cast, which may be moved: see for_each_crossing.
template <class View>
BC_FLATTEN inline void find_crossings(const View& view, const WideScene& scene, u32 i,
                                      const WalkFrame& frame, const Ray& given_ray,
                                      std::vector<Hit>& out) {
  out.clear();
  const RayToCast cast = ray_to_cast(view, i, frame, given_ray);
  if (!cast.setup.valid) return;
  collect_crossings(view, scene, i, cast, frame, out);
  if (const u32 skip = view.filter.skip_of(i); skip != kNoTriangle)
    std::erase_if(out, [skip](const Hit& hit) { return hit.triangle == skip; });
  // A triangle that was cut may be in several leaves, so it can be found several times.
  std::sort(out.begin(), out.end(), [](const Hit& a, const Hit& b) { return comes_after(b, a); });
  const auto is_same = [](const Hit& a, const Hit& b) { return !comes_after(b, a); };
  out.erase(std::unique(out.begin(), out.end(), is_same), out.end());
}

}  // namespace ballotcast::detail
