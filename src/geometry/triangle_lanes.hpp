// The triangle test of triangle.hpp, for eight triangles and one ray at once, or for one triangle
// and eight rays. Each lane executes the operations of intersect_triangle in the same order, so its
// results have the same bits.
#pragma once

#include "geometry/crossing.hpp"
#include "math/simd.hpp"

namespace ballotcast::detail {

/// Eight triangles. The corners of unused entries are 0; no ray hits such a triangle.
struct alignas(64) TriangleBlock {
  float corner[3][3][kLanes] = {};  // indices: axis, corner, triangle
  u32 id[kLanes] = {kNoTriangle, kNoTriangle, kNoTriangle, kNoTriangle,
                    kNoTriangle, kNoTriangle, kNoTriangle, kNoTriangle};

  void set(u32 lane, const TriangleRows& rows) {
    for (u32 axis = 0; axis < 3u; ++axis) {
      corner[axis][0][lane] = rows.row[axis].a;
      corner[axis][1][lane] = rows.row[axis].b;
      corner[axis][2][lane] = rows.row[axis].c;
    }
    id[lane] = rows.row[0].id;
  }

  TriangleRow row(u32 axis, u32 lane) const {
    return {corner[axis][0][lane], corner[axis][1][lane], corner[axis][2][lane], id[lane]};
  }
};
static_assert(sizeof(TriangleBlock) == 320);

/// The numbers of rays that the tests need: the same ray in all lanes, or one ray per lane. All
/// rays have the same axes kx, ky, kz.
struct RayLanes {
  Floats8 sx, sy, sz, ox, oy, oz, t_min;
  u32 kx, ky, kz;

  RayLanes() = default;
  RayLanes(const RaySetup& s, float from)
      : RayLanes(s.kz, {s.sx, s.sy, s.sz}, {s.ox, s.oy, s.oz}, from) {}
  /// `shear` and `origin` in the order of the axes kx, ky, kz.
  RayLanes(u32 longest_axis, vec3 shear, vec3 origin, float from)
      : sx(in_all_lanes(shear.x)),
        sy(in_all_lanes(shear.y)),
        sz(in_all_lanes(shear.z)),
        ox(in_all_lanes(origin.x)),
        oy(in_all_lanes(origin.y)),
        oz(in_all_lanes(origin.z)),
        t_min(in_all_lanes(from)),
        kx(next_axis(longest_axis)),
        ky(previous_axis(longest_axis)),
        kz(longest_axis) {}
};

inline Floats8 difference_of_products_lanes(Floats8 a, Floats8 b, Floats8 c, Floats8 d) {
  const Floats8 cd = c * d;
  const Floats8 error = fused_lanes(-c, d, cd);
  return fused_lanes(a, b, -cd) + error;
}

/// The t at which rays meet the planes of triangles, and which rays hit which triangles.
struct LaneHits {
  u32 hit;  // bit k is set if the ray of lane k hits its triangle
  // Bit k is set if the ray also meets the line of an edge; defined only where `hit` is set
  u32 on_edge;
  Floats8 t, v, w, inverse;

  /// The hit of a lane whose bit in `hit` is set.
  Hit at(u32 lane, u32 id) const {
    return {t[lane], id, v[lane] * inverse[lane], w[lane] * inverse[lane]};
  }
  /// True if the ray of this lane meets the front of its triangle. `rays` are the rays of the test.
  bool front(u32 lane, const RayLanes& rays) const {
    return meets_front(inverse[lane], rays.sz[lane]);
  }
};

/// Tests the triangle and the ray of each lane. In the result, the bits of lanes that hit at a t in
/// (t_min, limit] are set. seen(k, corner) returns a coordinate of the triangles relative to the
/// origins of the rays; k is 0, 1, 2 for the axes kx, ky, kz.
template <class Seen>
inline LaneHits intersect_seen(const RayLanes& r, Floats8 limit, Seen seen) {
  const Floats8 az = seen(2, 0), bz = seen(2, 1), cz = seen(2, 2);
  const Floats8 ax = fused_lanes(r.sx, az, seen(0, 0));
  const Floats8 bx = fused_lanes(r.sx, bz, seen(0, 1));
  const Floats8 cx = fused_lanes(r.sx, cz, seen(0, 2));
  const Floats8 ay = fused_lanes(r.sy, az, seen(1, 0));
  const Floats8 by = fused_lanes(r.sy, bz, seen(1, 1));
  const Floats8 cy = fused_lanes(r.sy, cz, seen(1, 2));

  LaneHits out;
  const Floats8 u = difference_of_products_lanes(cx, by, cy, bx);
  out.v = difference_of_products_lanes(ax, cy, ay, cx);
  out.w = difference_of_products_lanes(bx, ay, by, ax);
  const auto iu = bits_of_lanes(u), iv = bits_of_lanes(out.v), iw = bits_of_lanes(out.w);
  const auto outside = ((iu | iv | iw) < 0) & ((iu > 0) | (iv > 0) | (iw > 0));
  const Floats8 sum = (u + out.v) + out.w;
  const auto met = ~outside & (magnitude_of_lanes(sum) > kSmallestDeterminant);
  out.hit = true_lanes(met);
  if (out.hit == 0u) return out;

  out.inverse = 1.0f / sum;
  const Floats8 mean = fused_lanes(out.w, cz, fused_lanes(out.v, bz, u * az)) * out.inverse;
  const Floats8 low = min_lanes(az, min_lanes(bz, cz)), high = max_lanes(az, max_lanes(bz, cz));
  out.t = max_lanes(low, min_lanes(mean, high)) * r.sz + 0.0f;
  out.hit &= true_lanes((out.t > r.t_min) & (out.t <= limit));
  out.on_edge = true_lanes((u == 0.0f) | (out.v == 0.0f) | (out.w == 0.0f));
  return out;
}

/// Tests one ray against the triangles of a block.
inline LaneHits intersect_block(const RayLanes& ray, const TriangleBlock& block, float limit) {
  const u32 axes[3] = {ray.kx, ray.ky, ray.kz};
  const Floats8 origin[3] = {ray.ox, ray.oy, ray.oz};
  return intersect_seen(ray, in_all_lanes(limit), [&](u32 k, u32 corner) {
    return load_lanes(block.corner[axes[k]][corner]) - origin[k];
  });
}

}  // namespace ballotcast::detail
