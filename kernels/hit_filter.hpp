// Decides which hits count, by data: the sides, masks and triangles that the caller of a query
// states.
//
// A filter is checked when a triangle has passed its test and would become the best hit. Masks are
// checked when a ray is about to enter an instance. Holes are checked at the same place as the
// filter. So a single flag (TraceView::may_refuse) skips both in scenes and queries without them.
#pragma once

#include "ballotcast/ray.hpp"
#include "geometry/triangle.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// Says which hits of the rays of a batch count. Its arrays are in the memory of the machine.
struct HitFilter {
  RayFilter rays = {};
  const u32* instance_masks = nullptr;  // by index in the scene; null: all bits are set

  BC_HD bool refuses() const { return rays.refuses() || instance_masks != nullptr; }
  /// The filter for the rays from `first` on.
  BC_HD HitFilter from(u64 first) const { return {rays.from(first), instance_masks}; }

  /// The mask of an instance.
  BC_HD u32 mask_of(u32 instance) const {
    return instance_masks ? instance_masks[instance] : 0xffffffffu;
  }
  /// False if ray i does not see the instance.
  BC_HD bool sees(u32 i, u32 instance) const {
    return ((rays.masks ? rays.masks[i] : rays.mask) & mask_of(instance)) != 0u;
  }
  /// False if rays pass through this side.
  BC_HD bool takes_side(bool front) const {
    return rays.sides == Sides::both || (rays.sides == Sides::front) == front;
  }
  /// The triangle that ray i leaves out, or kNoTriangle.
  BC_HD u32 skip_of(u32 i) const { return rays.skip ? rays.skip[i] : kNoTriangle; }
};

/// Changes `hit`, whose triangle is left out, to a hit of the triangle's first copy: the tree has
/// no other triangle for that copy. Returns false if there is no copy, or if its hit does not
/// precede `best`.
BC_HD inline bool hits_copy(const CopiesView& copies, const Hit& best, Hit& hit) {
  if (!copies.starts) return false;
  const u32 first = copies.starts[hit.triangle];
  if (first == copies.starts[hit.triangle + 1u]) return false;
  hit.triangle = copies.ids[first];
  return precedes(hit.t, hit.triangle, best);
}

}  // namespace ballotcast::detail
