// Routes rays from part to part of a scene that is cut into parts, each in the memory of one
// machine (backends/parts).
//
// In a round, each ray goes to the nearest part that it has not visited yet and in which it may
// have a nearer hit. The rays for a part become a list, and the machine that holds the part casts
// them at once:
//
//  rays     0 1 2 3 4 5 6 7          a list per part         cast           merged
//  next     A B A - B B A A    -->   A: 0 2 6 7      -->   machine 0  -->   the closer hit stays:
//                                    B: 1 4 5              machine 1        smaller t, then
//                                                                           smaller id
// The next round has the rays that meet another part before their hit. Ray 3 is done.
//
// A ray from far away is moved to the scene first (geometry/far_origin.hpp), and the parts get the
// moved ray. So t is compared before it is rounded to the t of the original ray, as in a single
// tree.
//
// Each round counts first, so the lists are exactly as long as necessary: RankRays gives each ray
// its position in the list of its part, then FillLists writes the lists, one behind the other. The
// order within a list depends on timing, but no hit depends on that order.
#pragma once

#include "bvh/layouts/bvh2/walk.hpp"
#include "geometry/far_origin.hpp"
#include "kernels/lane.hpp"
#include "math/aabb.hpp"

namespace ballotcast::detail {

/// The most parts of a scene. The limit is low because each ray is tested against the box of every
/// part.
inline constexpr u32 kMostParts = 64;
/// The value in place of a part's index if the ray need not visit another part.
inline constexpr u32 kNoPart = 0xffffffffu;

/// What walks must know about the whole scene, in whichever part they are; see WorldTree. Without
/// instances, `slack` is 1 and `least_slope` is 0.
struct Approach {
  float magnitude, slack, least_slope;
};

struct PartsView {
  const Aabb* boxes;
  u32 count;
  Approach scene;
};

/// How far a ray has come. The parts are sorted by the distance at which the ray enters them, then
/// by index. `entry` is the distance of the last part that the ray has visited.
struct PlaceInParts {
  float entry;
  u32 next;  // the first part at this distance that is still to come; or a value below
};
inline constexpr u32 kInvalidRay = kNoPart, kHitsNothing = kNoPart - 1u;

/// The rays of a cast through parts. Element i of every array belongs to ray i.
struct RaysInFlight {
  const Ray* given_rays;
  Hit* best;  // the best hit so far; a hit of the moved ray until EndRoute
  PlaceInParts* places;
  RayKind kind;
  const u32 *masks, *skip, *skip_instances;  // see RayFilter; may be null
};

/// The rays that take part in a round, by index; all rays if `numbers` is null.
struct RayRound {
  const u32* numbers;
  u32 count;
  // For each ray of the round:
  u32* parts;  // the part to which the ray goes, or kNoPart
  u32* ranks;  // position of the ray in the list of that part
};

/// The lists of all parts, one behind the other.
struct RayLists {
  u32* numbers;  // the indices of the rays
  Ray* rays;
  Hit* hits;  // the hits that the machines find in the parts
  // What these rays skip, and their masks; not used where those of RaysInFlight are null.
  u32 *masks, *skip, *skip_instances;
};

/// The ray to cast for the original ray `given_ray`, prepared in the same way as for a walk
/// through the whole scene.
BC_HD inline RayToCast prepared_for(const Approach& scene, const Ray& given_ray) {
  RayToCast cast = ray_to_cast(given_ray, scene.magnitude);
  cast.setup.slack *= scene.slack;
  cast.setup.valid &= largest_magnitude(cast.ray.direction) >= scene.least_slope;
  return cast;
}

/// The distance at which a prepared ray enters the box of a part. `hit` is false if it does not
/// enter the box up to `limit`.
BC_HD inline bvh2::Entry entry_of(const Aabb& box, const bvh2::Slabs& slabs, float limit) {
  return bvh2::enter_box(slabs, limit, box.low.x, box.high.x, box.low.y, box.high.y, box.low.z,
                         box.high.z);
}

/// Prepares a ray for the first round: without a hit, before the first part.
struct BeginRoute {
  BC_HD static void item(u32 i, PartsView parts, RaysInFlight rays) {
    const Ray given_ray = rays.given_rays[i];
    const RayToCast cast = prepared_for(parts.scene, given_ray);
    rays.best[i] = miss_of(cast.setup.valid ? cast.ray : given_ray);
    // A moved ray that is still far away does not meet the box of the scene.
    const bool passes_by = cast.moved && is_far(cast.ray, parts.scene.magnitude);
    rays.places[i] = {-unbounded(), !cast.setup.valid ? kInvalidRay
                                    : passes_by       ? kHitsNothing
                                                      : 0u};
  }
};

/// The part to which ray i goes next, or kNoPart. Also stores that part as the ray's position.
BC_HD inline u32 next_part(const PartsView& parts, const RaysInFlight& rays, u32 i) {
  const PlaceInParts at = rays.places[i];
  const Hit best = rays.best[i];
  if (at.next >= kHitsNothing || (rays.kind == RayKind::any && best.found())) return kNoPart;
  const RayToCast cast = prepared_for(parts.scene, rays.given_rays[i]);
  const bvh2::Slabs slabs = bvh2::slabs_of(cast.setup, cast.ray);
  PlaceInParts nearest{unbounded(), kNoPart};
  for (u32 part = 0; part < parts.count; ++part) {
    const bvh2::Entry entry = entry_of(parts.boxes[part], slabs, best.t);
    const bool is_to_come =
        entry.distance > at.entry || (entry.distance == at.entry && part >= at.next);
    if (entry.hit && is_to_come && (nearest.next == kNoPart || entry.distance < nearest.entry))
      nearest = {entry.distance, part};
  }
  if (nearest.next != kNoPart) rays.places[i] = {nearest.entry, nearest.next + 1u};
  return nearest.next;
}

/// True if ray i enters the box of a part, whatever its best hit is. For queries that need all
/// hits.
BC_HD inline bool enters(const PartsView& parts, const RaysInFlight& rays, u32 i, u32 part) {
  if (rays.places[i].next >= kHitsNothing) return false;
  const RayToCast cast = prepared_for(parts.scene, rays.given_rays[i]);
  return entry_of(parts.boxes[part], bvh2::slabs_of(cast.setup, cast.ray), cast.ray.t_max).hit;
}

/// Finds the next part for ray k of a round. If `only` is not kNoPart, the ray goes to part `only`
/// or to none.
BC_HD inline u32 part_for(const PartsView& parts, const RaysInFlight& rays, const RayRound& round,
                          u32 only, u32 k) {
  const u32 i = round.numbers ? round.numbers[k] : k;
  if (only == kNoPart) return next_part(parts, rays, i);
  return enters(parts, rays, i, only) ? only : kNoPart;
}

/// Computes the ranks of the rays of a round, and adds their number to totals[part]. For each part,
/// the lanes of a warp vote, and one lane adds the warp's count by one atomic.
struct RankRays {
  struct Shared {};

  template <class Lane>
  BC_DEVICE static void run(Lane& lane, Shared&, PartsView parts, RaysInFlight rays, RayRound round,
                            u32 only, u32* totals) {
    const u32 k = lane.id();
    const u32 part = k < round.count ? part_for(parts, rays, round, only, k) : kNoPart;
    u32 rank = 0;
    for (u32 left = lane.ballot(part != kNoPart); left != 0u;) {
      const u32 first = lowest_bit(left);
      const u32 chosen = lane.shuffle(part, first, kWarpSize);
      const u32 same = lane.ballot(part == chosen);
      u32 before = 0;
      if (lane.lane() == first) before = lane.fetch_add(totals + chosen, count_bits(same));
      before = lane.shuffle(before, first, kWarpSize);
      if (part == chosen) rank = before + count_bits(same & lane.lanes_below());
      left &= ~same;
    }
    if (k >= round.count) return;
    round.parts[k] = part;
    round.ranks[k] = rank;
  }
};

/// Puts ray k of a round into the list of its part, which begins at starts[part].
struct FillLists {
  BC_HD static void item(u32 k, PartsView parts, RaysInFlight rays, RayRound round,
                         const u32* starts, RayLists lists) {
    const u32 part = round.parts[k];
    if (part == kNoPart) return;
    const u32 i = round.numbers ? round.numbers[k] : k;
    Ray ray = ray_to_cast(rays.given_rays[i], parts.scene.magnitude).ray;
    // t_max is the t of the best hit, inclusive: a hit at the same t counts if its id is smaller.
    ray.t_max = rays.best[i].t;
    const u32 place = starts[part] + round.ranks[k];
    lists.numbers[place] = i;
    lists.rays[place] = ray;
    if (rays.masks) lists.masks[place] = rays.masks[i];
    if (rays.skip) lists.skip[place] = rays.skip[i];
    if (rays.skip_instances) lists.skip_instances[place] = rays.skip_instances[i];
  }
};

/// True if hit a is better than hit b: its t is smaller, or t is equal and its id is smaller.
BC_HD inline bool is_closer(const Hit& a, const Hit& b) {
  return a.found() && (a.t < b.t || (a.t == b.t && a.triangle < b.triangle));
}

/// Replaces the best hit of a ray by the hit at `place` in the lists, if that is better.
struct MergeHit {
  BC_HD static void item(u32 place, RayLists lists, RaysInFlight rays) {
    const Hit hit = lists.hits[place];
    Hit& best = rays.best[lists.numbers[place]];
    if (rays.kind == RayKind::any ? hit.found() : is_closer(hit, best)) best = hit;
  }
};

/// Finishes ray i. If the ray was moved, because its origin is far away, converts t of its hit to t
/// of the original ray.
struct EndRoute {
  BC_HD static void item(u32 i, PartsView parts, RaysInFlight rays) {
    if (rays.places[i].next == kInvalidRay) return;
    rays.best[i] = given_hit(rays.given_rays[i], parts.scene.magnitude, rays.kind, rays.best[i]);
  }
};

}  // namespace ballotcast::detail
