// Which hits count, as data: the sides, masks and triangles that the caller of a query states.
//
// A filter is asked where a triangle has passed its test and would become the best hit, and masks
// where a ray is about to enter an instance. Holes are asked about at the same place, so one flag
// (TraceView::may_refuse) keeps both away from scenes and queries that have neither.
#pragma once

#include "ballotcast/ray.hpp"
#include "geometry/triangle.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// Which hits of the rays of a batch count. Its arrays are in the memory of the machine.
struct HitFilter {
  RayFilter rays = {};
  const u32* instance_masks = nullptr;  // by index in the scene; null: all bits are set

  BC_HD bool refuses() const { return rays.refuses() || instance_masks != nullptr; }
  /// That of the rays from `first` on.
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
  /// The triangle that ray i does not hit, or kNoTriangle.
  BC_HD u32 skip_of(u32 i) const { return rays.skip ? rays.skip[i] : kNoTriangle; }
};

/// Makes `hit`, whose triangle is left out, that of the triangle's first copy: the tree has no
/// other triangle for it. False if it has no copy, or if that does not precede `best`.
BC_HD inline bool hits_copy(const CopiesView& copies, const Hit& best, Hit& hit) {
  if (!copies.starts) return false;
  const u32 first = copies.starts[hit.triangle];
  if (first == copies.starts[hit.triangle + 1u]) return false;
  hit.triangle = copies.ids[first];
  return precedes(hit.t, hit.triangle, best);
}

}  // namespace ballotcast::detail
