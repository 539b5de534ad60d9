// A ray that is prepared for a walk through wide trees.
#pragma once

#include "bvh/layouts/bvh2/walk.hpp"
#include "bvh/wide/wide_tree.hpp"
#include "geometry/triangle_lanes.hpp"

namespace ballotcast::detail {

/// A ray, prepared for the box tests of wide trees: bvh2::Slabs, copied to all lanes, and the rows
/// of a node that the ray meets first.
class WideSlabs {
 public:
  WideSlabs() = default;
  explicit WideSlabs(const bvh2::Slabs& s)
      : inverse_x_(in_all_lanes(s.inverse.x)),
        inverse_y_(in_all_lanes(s.inverse.y)),
        inverse_z_(in_all_lanes(s.inverse.z)),
        near_x_(in_all_lanes(s.near_addend.x)),
        near_y_(in_all_lanes(s.near_addend.y)),
        near_z_(in_all_lanes(s.near_addend.z)),
        far_x_(in_all_lanes(s.far_addend.x)),
        far_y_(in_all_lanes(s.far_addend.y)),
        far_z_(in_all_lanes(s.far_addend.z)),
        t_min_(in_all_lanes(s.t_min)),
        first_x_(s.inverse.x >= 0.0f ? kLowX : kHighX),
        first_y_(s.inverse.y >= 0.0f ? kLowY : kHighY),
        first_z_(s.inverse.z >= 0.0f ? kLowZ : kHighZ) {}

  /// The distances at which the ray enters the boxes of a node's children. Sets bit k of `entered`
  /// if it enters box k at a distance up to `limit`.
  Floats8 enter(const WideNode& n, float limit, u32& entered) const {
    const auto near = [&](u32 side, Floats8 inverse, Floats8 addend) {
      return fused_lanes(load_lanes(n.side[side]), inverse, addend);
    };
    const Floats8 entry = max_lanes(
        max_lanes(near(first_x_, inverse_x_, near_x_), near(first_y_, inverse_y_, near_y_)),
        max_lanes(near(first_z_, inverse_z_, near_z_), t_min_));
    // The numbers of the two sides of an axis differ in the lowest bit only.
    const Floats8 exit = min_lanes(
        min_lanes(near(first_x_ ^ 1u, inverse_x_, far_x_), near(first_y_ ^ 1u, inverse_y_, far_y_)),
        min_lanes(near(first_z_ ^ 1u, inverse_z_, far_z_), in_all_lanes(limit)));
    entered = true_lanes(entry <= exit);
    return entry;
  }

 private:
  Floats8 inverse_x_, inverse_y_, inverse_z_, near_x_, near_y_, near_z_, far_x_, far_y_, far_z_;
  Floats8 t_min_;
  u32 first_x_, first_y_, first_z_;
};

/// A ray, prepared for the tests of wide trees.
struct WideRay {
  WideSlabs slabs;
  RayLanes lanes;

  WideRay() = default;
  WideRay(const WideSlabs& for_boxes, const RayLanes& for_triangles)
      : slabs(for_boxes), lanes(for_triangles) {}
  WideRay(const RaySetup& setup, const Ray& ray)
      : slabs(bvh2::slabs_of(setup, ray)), lanes(setup, ray.t_min) {}
};

}  // namespace ballotcast::detail
