// Sends rays from part to part of a scene that is cut into parts (backends/parts).
//
// In a round, each ray goes to the nearest part where it has not been and where it may have a
// nearer hit. The rays for a part become a list, and the machine that holds the part casts them at
// once:
//
//   rays     0 1 2 3 4 5 6 7          a list per part         cast           merged
//   next     A B A - B B A A    -->   A: 0 2 6 7      -->   machine 0  -->   the closer hit stays:
//                                     B: 1 4 5              machine 1        smaller t, then
//                                                                            smaller id
//  The next round has the rays that meet another part before their hit. Ray 3 is done.
//
// A ray from far away is moved to the scene first (geometry/far_origin.hpp), and the parts get the
// moved ray. So t is compared before it is rounded to t of the given ray, as in a single tree.
//
// Each round counts first, so the lists are exactly as long as necessary: RankRays gives each ray
// its place in the list of its part, then FillLists writes the lists, one behind the other. The
// order within a list depends on timing, but no hit depends on that order.
#pragma once

#include "bvh/layouts/bvh2/walk.hpp"
#include "geometry/far_origin.hpp"
#include "kernels/lane.hpp"
#include "math/aabb.hpp"

namespace ballotcast::detail {

/// The most parts of a scene. Each ray is tested against the box of every part.
inline constexpr u32 kMostParts = 64;
/// Stands for no part: the ray is done.
inline constexpr u32 kNoPart = 0xffffffffu;

/// What walks must know about the whole scene, whichever part they are in; see WorldTree. Without
/// instances, the slack is 1 and the slope 0.
struct Approach {
  float magnitude, slack, least_slope;
};

/// The boxes of all parts.
struct PartsView {
  const Aabb* boxes;
  u32 count;
  Approach scene;
};

/// The last part of a ray, as a position in the order of parts along the ray: the distance at which
/// the ray enters the part, and the part.
struct PlaceInParts {
  float entry;
  u32 next;  // parts from this one on are still to come at this distance; or a value below
};
inline constexpr u32 kInvalidRay = kNoPart, kHitsNothing = kNoPart - 1u;

/// Rays on their way. Element i of every array belongs to ray i.
struct RaysInFlight {
  const Ray* given;
  Hit* best;  // until EndRoute, hits of the moved rays
  PlaceInParts* places;
  RayKind kind;
  const u32 *masks, *skip;  // see RayFilter; may be null
};

/// The rays of a round: those with these numbers; all rays if the pointer is null.
struct RayRound {
  const u32* numbers;
  u32 count;
  // For each ray of the round:
  u32* parts;  // the part to which it goes, or kNoPart
  u32* ranks;  // its place in the list of that part
};

/// The lists of all parts, one behind the other.
struct RayLists {
  u32* numbers;
  Ray* rays;
  Hit* hits;          // what the machines find in the parts
  u32 *masks, *skip;  // of these rays; null as in RaysInFlight
};

/// The ray to cast for a given ray, as a walk through the whole scene prepares it.
BC_HD inline RayToCast prepared_for(const Approach& scene, const Ray& given) {
  RayToCast cast = ray_to_cast(given, scene.magnitude);
  cast.setup.slack *= scene.slack;
  cast.setup.valid &= largest_magnitude(cast.ray.direction) >= scene.least_slope;
  return cast;
}

/// The distance at which a prepared ray enters the box of a part, and whether it does up to
/// `limit`.
BC_HD inline bvh2::Entry entry_of(const Aabb& box, const bvh2::Slabs& slabs, float limit) {
  return bvh2::enter_box(slabs, limit, box.low.x, box.high.x, box.low.y, box.high.y, box.low.z,
                         box.high.z);
}

/// Prepares a ray for the first round: it has no hit and was in no part.
struct BeginRoute {
  BC_HD static void item(u32 i, PartsView parts, RaysInFlight rays) {
    const Ray given = rays.given[i];
    const RayToCast cast = prepared_for(parts.scene, given);
    rays.best[i] = miss_of(cast.setup.valid ? cast.ray : given);
    // A moved ray that is still far does not meet the box of the scene.
    const bool passes_by = cast.moved && is_far(cast.ray, parts.scene.magnitude);
    rays.places[i] = {-unbounded(), !cast.setup.valid ? kInvalidRay
                                    : passes_by       ? kHitsNothing
                                                      : 0u};
  }
};

/// The part to which ray i goes next, or kNoPart. Stores it as the ray's position.
BC_HD inline u32 next_part(const PartsView& parts, const RaysInFlight& rays, u32 i) {
  const PlaceInParts at = rays.places[i];
  const Hit best = rays.best[i];
  if (at.next >= kHitsNothing || (rays.kind == RayKind::any && best.found())) return kNoPart;
  const RayToCast cast = prepared_for(parts.scene, rays.given[i]);
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

/// True if ray i may hit something in a part. For queries that need all hits.
BC_HD inline bool enters(const PartsView& parts, const RaysInFlight& rays, u32 i, u32 part) {
  if (rays.places[i].next >= kHitsNothing) return false;
  const RayToCast cast = prepared_for(parts.scene, rays.given[i]);
  return entry_of(parts.boxes[part], bvh2::slabs_of(cast.setup, cast.ray), cast.ray.t_max).hit;
}

/// Finds the next part for ray k of a round. If `only` is a part, only that one counts.
BC_HD inline u32 part_for(const PartsView& parts, const RaysInFlight& rays, const RayRound& round,
                          u32 only, u32 k) {
  const u32 i = round.numbers ? round.numbers[k] : k;
  if (only == kNoPart) return next_part(parts, rays, i);
  return enters(parts, rays, i, only) ? only : kNoPart;
}

/// Ranks the rays of a round, and adds their number to totals[part]. For each part, a vote finds
/// the warp's rays, and one lane counts them with one atomic.
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
      const u32 its = lane.shuffle(part, first, kWarpSize);
      const u32 same = lane.ballot(part == its);
      u32 before = 0;
      if (lane.lane() == first) before = lane.fetch_add(totals + its, count_bits(same));
      before = lane.shuffle(before, first, kWarpSize);
      if (part == its) rank = before + count_bits(same & lane.lanes_below());
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
    Ray ray = ray_to_cast(rays.given[i], parts.scene.magnitude).ray;
    // Up to the best hit, inclusive: a hit at the same t counts if its id is smaller.
    ray.t_max = rays.best[i].t;
    const u32 place = starts[part] + round.ranks[k];
    lists.numbers[place] = i;
    lists.rays[place] = ray;
    if (rays.masks) lists.masks[place] = rays.masks[i];
    if (rays.skip) lists.skip[place] = rays.skip[i];
  }
};

/// True if a hit comes before another one: smaller t, then smaller id.
BC_HD inline bool is_closer(const Hit& a, const Hit& b) {
  return a.found() && (a.t < b.t || (a.t == b.t && a.triangle < b.triangle));
}

/// Keeps the hit at a place of the lists if it is the best of its ray so far.
struct MergeHit {
  BC_HD static void item(u32 place, RayLists lists, RaysInFlight rays) {
    const Hit hit = lists.hits[place];
    Hit& best = rays.best[lists.numbers[place]];
    if (rays.kind == RayKind::any ? hit.found() : is_closer(hit, best)) best = hit;
  }
};

/// Ends the way of a ray. A ray from far away was moved to the scene before it was cast; then
/// converts t of its hit to t of the given ray.
struct EndRoute {
  BC_HD static void item(u32 i, PartsView parts, RaysInFlight rays) {
    if (rays.places[i].next == kInvalidRay) return;
    rays.best[i] = given_hit(rays.given[i], parts.scene.magnitude, rays.kind, rays.best[i]);
  }
};

}  // namespace ballotcast::detail
