// Decides which hits count: by the sides, masks, skipped triangles and skipped instances that the
// caller of a query has chosen.
//
// The side and the skipped triangle are checked when a triangle has passed its test and would
// become the best hit. So are holes, which textures make in triangles. Masks and skipped instances
// are checked when a ray is about to enter an instance. A single flag (TraceView::may_refuse) skips
// all these checks in scenes and queries that need none.
#pragma once

#include "ballotcast/ray.hpp"
#include "geometry/triangle.hpp"
#include "scene/scene_view.hpp"

namespace ballotcast::detail {

/// The rules for the hits of a batch of rays. Its arrays are in the memory of the machine.
struct HitFilter {
  RayFilter rays = {};
  const u32* instance_masks = nullptr;  // by index in the scene; null: all bits are set

  BC_HD bool refuses() const { return rays.refuses() || instance_masks != nullptr; }
  /// The filter for the rays from `first` on.
  BC_HD HitFilter from(u64 first) const { return {rays.from(first), instance_masks}; }

  /// The mask of an instance; all bits are set if instances have no masks.
  BC_HD u32 mask_of(u32 instance) const {
    return instance_masks ? instance_masks[instance] : 0xffffffffu;
  }
  /// True if ray i may enter the instance: their masks have a bit in common, and the ray does not
  /// skip it.
  BC_HD bool sees(u32 i, u32 instance) const {
    return ((rays.masks ? rays.masks[i] : rays.mask) & mask_of(instance)) != 0u &&
           skip_instance_of(i) != instance;
  }
  /// The instance that ray i must not hit, or kNoInstance.
  BC_HD u32 skip_instance_of(u32 i) const {
    return rays.skip_instances ? rays.skip_instances[i] : rays.skip_instance;
  }
  /// True if hits of this side of a triangle count.
  BC_HD bool takes_side(bool front) const {
    return rays.sides == Sides::both || (rays.sides == Sides::front) == front;
  }
  /// The triangle that ray i must not hit, or kNoTriangle.
  BC_HD u32 skip_of(u32 i) const { return rays.skip ? rays.skip[i] : kNoTriangle; }
};

/// For a `hit` of a triangle that the ray must skip: changes it to a hit of the triangle's first
/// copy, an equal triangle that the tree does not contain, and returns true. Returns false if there
/// is no copy, or if its hit does not precede `best`.
BC_HD inline bool hits_copy(const CopiesView& copies, const Hit& best, Hit& hit) {
  if (!copies.starts) return false;
  const u32 first = copies.starts[hit.triangle];
  if (first == copies.starts[hit.triangle + 1u]) return false;
  hit.triangle = copies.ids[first];
  return precedes(hit.t, hit.triangle, best);
}

}  // namespace ballotcast::detail
