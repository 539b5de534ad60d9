// Rays from one point that traverse a wide tree as one group: packs of eight rays, one ray per
// lane.
#pragma once

#include "bvh/wide/eight_rays.hpp"
#include "geometry/frustum.hpp"
#include "geometry/triangle_lanes.hpp"

namespace ballotcast::detail {

/// The smallest value of all lanes.
inline float least_of_lanes(Floats8 a) {
  a = min_lanes(a, __builtin_shufflevector(a, a, 4, 5, 6, 7, 0, 1, 2, 3));
  a = min_lanes(a, __builtin_shufflevector(a, a, 2, 3, 0, 1, 6, 7, 4, 5));
  return min_lanes(a, __builtin_shufflevector(a, a, 1, 0, 3, 2, 5, 4, 7, 6))[0];
}
inline float most_of_lanes(Floats8 a) { return -least_of_lanes(-a); }

/// The hits of eight rays, with a vector per member of Hit.
struct EightHits {
  Floats8 t, u, v;
  Ints8 triangle;

  /// Writes the hits to to[0 .. 8).
  void store(Hit* to) const {
    const Floats8 ids = std::bit_cast<Floats8>(triangle);
    const Floats8 ab[2] = {__builtin_shufflevector(t, ids, 0, 8, 1, 9, 4, 12, 5, 13),
                           __builtin_shufflevector(t, ids, 2, 10, 3, 11, 6, 14, 7, 15)};
    const Floats8 cd[2] = {__builtin_shufflevector(u, v, 0, 8, 1, 9, 4, 12, 5, 13),
                           __builtin_shufflevector(u, v, 2, 10, 3, 11, 6, 14, 7, 15)};
    Floats8 two[4];  // two[k] holds hits k and k + 4
    for (u32 k = 0; k < 2u; ++k) {
      two[2u * k] = __builtin_shufflevector(ab[k], cd[k], 0, 1, 8, 9, 4, 5, 12, 13);
      two[2u * k + 1u] = __builtin_shufflevector(ab[k], cd[k], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    static_assert(sizeof(Hit) == 16);
    for (u32 k = 0; k < 4u; ++k) {
      std::memcpy(static_cast<void*>(to + k), &two[k], sizeof(Hit));
      std::memcpy(static_cast<void*>(to + k + 4), reinterpret_cast<const char*>(&two[k]) + 16,
                  sizeof(Hit));
    }
  }
};

/// Eight rays of a group, and their best hits so far.
struct RayPack {
  RayLanes lanes;
  Floats8 ix, iy, iz;  // the same numbers as in GroupRay; iz = |sz|
  EightHits best;      // its t is the distance up to which hits count
  u32 asking;          // bit k: ray k is not finished

  /// The rays that may enter a box before their best hits: bit k for lane k; see enters_box.
  u32 entering(const SeenBox& box, const GroupSigns& signs) const {
    Floats8 ax = in_all_lanes(box.first.x), bx = in_all_lanes(box.last.x);
    Floats8 ay = in_all_lanes(box.first.y), by = in_all_lanes(box.last.y);
    if (signs.mixed != 0u) {
      const Floats8 ax0 = ax, ay0 = ay;
      ax = ix < 0.0f ? bx : ax, bx = ix < 0.0f ? ax0 : bx;
      ay = iy < 0.0f ? by : ay, by = iy < 0.0f ? ay0 : by;
    }
    const Floats8 entry =
        max_lanes(max_lanes(ax * ix, ay * iy), max_lanes(box.first.z * iz, Floats8{}));
    const Floats8 exit = min_lanes(min_lanes(bx * ix, by * iy), box.last.z * iz);
    return true_lanes((entry <= exit) & (entry <= best.t)) & asking;
  }
};

/// The smallest and the largest value of all rays of a pack, where lane p belongs to pack p.
struct PackBounds {
  Floats8 least, most;

  /// number(p) must return the values of the rays of pack p.
  template <u32 kPacks, class Number>
  static PackBounds of(Number number) {
    Floats8 rows[kLanes];
    for (u32 p = 0; p < kLanes; ++p) rows[p] = number(p % kPacks);
    const std::array<Floats8, kLanes> columns = transposed(reinterpret_cast<const float*>(rows));
    PackBounds out{columns[0], columns[0]};
    for (u32 k = 1; k < kLanes; ++k) {
      out.least = min_lanes(out.least, columns[k]);
      out.most = max_lanes(out.most, columns[k]);
    }
    return out;
  }
};

/// kPacks packs of rays from one point. All rays have their largest component along the same axis,
/// in the same direction.
template <u32 kPacks>
struct RayGroup {
  static constexpr u32 kRays = kPacks * kLanes;

  RayPack packs[kPacks];
  PackBounds sx, sy, iz;
  Floats8 farthest;  // per pack: the largest distance at which a hit of its rays counts
  GroupSigns signs;
  Frustum frustum;
  vec3 origin;  // in the order of the axes kx, ky, kz
  float slack;

  /// Prepares the rays. Returns false if they can't form a group. All results have the same bits as
  /// those of make_setup for each ray.
  bool prepare(const Ray* rays, float scene_magnitude) {
    const Ray& lead = rays[0];
    if (!(lead.t_min >= 0.0f)) return false;
    u32 ways = 0u, kz = 0u;
    bool down_z = false;
    for (u32 p = 0; p < kPacks; ++p) {
      const EightRays eight(rays + p * kLanes, scene_magnitude);
      if (p == 0u) {
        kz = eight.longest_axis(0);
        down_z = eight.shear(2)[0] < 0.0f;
        origin = in_order_of(kz, lead.origin);
        slack = slack_for(lead, scene_magnitude);
      }
      if (!eight.all_like(lead, kz, down_z)) return false;
      RayPack& pack = packs[p];
      pack.lanes = RayLanes(kz, vec3(0.0f), origin, lead.t_min);
      pack.lanes.sx = eight.shear(0), pack.lanes.sy = eight.shear(1);
      pack.lanes.sz = eight.shear(2);
      pack.ix = eight.inverse(pack.lanes.kx), pack.iy = eight.inverse(pack.lanes.ky);
      pack.iz = magnitude_of_lanes(pack.lanes.sz);
      pack.best = {eight.t_max(), Floats8{}, Floats8{}, Ints8{} - 1};
      pack.asking = (1u << kLanes) - 1u;
      const u32 down_x = true_lanes(pack.ix < 0.0f), down_y = true_lanes(pack.iy < 0.0f);
      ways |= (down_x != 0u ? 1u : 0u) | (down_x != pack.asking ? 8u : 0u) |
              (down_y != 0u ? 2u : 0u) | (down_y != pack.asking ? 16u : 0u);
    }
    signs = group_signs(kz, ways, down_z);
    bound();
    return true;
  }

 private:
  /// Every number that frustum_of computes is a monotonic function of each number of a ray. So the
  /// bounds over all rays give the frustum.
  struct Bounds {
    GroupRay low, high;

    template <class Of>
    float least(Of f) const {
      return min_of(f(low), f(high));
    }
    template <class Of>
    float most(Of f) const {
      return max_of(f(low), f(high));
    }
    template <class Of>
    float least_signed(Of f) const {
      return least(f);
    }
    template <class Of>
    float most_signed(Of f) const {
      return most(f);
    }
  };

  void bound() {
    const auto turned = [&](Floats8 a, u32 axis) {
      return (signs.down >> axis & 1u) != 0u ? -a : a;
    };
    Floats8 least_ix{}, most_ix{}, least_iy{}, most_iy{};
    for (u32 p = 0; p < kPacks; ++p) {
      RayPack& pack = packs[p];
      pack.ix = turned(pack.ix, 0), pack.iy = turned(pack.iy, 1);
      least_ix = p == 0u ? pack.ix : min_lanes(least_ix, pack.ix);
      most_ix = p == 0u ? pack.ix : max_lanes(most_ix, pack.ix);
      least_iy = p == 0u ? pack.iy : min_lanes(least_iy, pack.iy);
      most_iy = p == 0u ? pack.iy : max_lanes(most_iy, pack.iy);
    }
    sx = PackBounds::of<kPacks>([&](u32 p) { return packs[p].lanes.sx; });
    sy = PackBounds::of<kPacks>([&](u32 p) { return packs[p].lanes.sy; });
    iz = PackBounds::of<kPacks>([&](u32 p) { return packs[p].iz; });
    farthest = PackBounds::of<kPacks>([&](u32 p) { return packs[p].best.t; }).most;
    frustum = frustum_of(
        signs, Bounds{{least_of_lanes(sx.least), least_of_lanes(sy.least), least_of_lanes(iz.least),
                       least_of_lanes(least_ix), least_of_lanes(least_iy)},
                      {most_of_lanes(sx.most), most_of_lanes(sy.most), most_of_lanes(iz.most),
                       most_of_lanes(most_ix), most_of_lanes(most_iy)}});
  }
};

}  // namespace ballotcast::detail
