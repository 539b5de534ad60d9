// The triangle test of triangle.hpp, for four triangles at once. Each lane takes the steps of
// intersect_triangle in their order, so it has the same bits.
#pragma once

#include "geometry/crossing.hpp"
#include "math/lanes.hpp"

namespace ballotcast::detail {

/// Four triangles. In places that are left over all corners are 0; no ray hits such a triangle.
struct alignas(32) TriangleBlock {
  float corner[3][3][4] = {};  // axis, corner, triangle
  u32 id[4] = {kNoTriangle, kNoTriangle, kNoTriangle, kNoTriangle};

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
static_assert(sizeof(TriangleBlock) == 160);

/// What the tests need of a ray, in all lanes.
struct RayLanes {
  Floats4 sx, sy, sz, ox, oy, oz, t_min;
  u32 kx, ky, kz;

  RayLanes(const RaySetup& s, float from)
      : sx(in_all_lanes<Floats4>(s.sx)),
        sy(in_all_lanes<Floats4>(s.sy)),
        sz(in_all_lanes<Floats4>(s.sz)),
        ox(in_all_lanes<Floats4>(s.ox)),
        oy(in_all_lanes<Floats4>(s.oy)),
        oz(in_all_lanes<Floats4>(s.oz)),
        t_min(in_all_lanes<Floats4>(from)),
        kx(s.kx()),
        ky(s.ky()),
        kz(s.kz) {}
};

inline Floats4 difference_of_products_lanes(Floats4 a, Floats4 b, Floats4 c, Floats4 d) {
  const Floats4 cd = c * d;
  const Floats4 error = fused_lanes(-c, d, cd);
  return fused_lanes(a, b, -cd) + error;
}

/// Where a ray meets the planes of four triangles, and which of them it meets.
struct LaneHits {
  u32 hit;      // bit k: triangle k
  u32 on_edge;  // bit k: the ray meets the line of an edge of triangle k; only where `hit` is set
  Floats4 t, v, w, inverse;

  /// The hit of a triangle whose bit is set.
  Hit at(u32 lane, const TriangleBlock& block, u32 first_id) const {
    return {t[lane], block.id[lane] + first_id, v[lane] * inverse[lane], w[lane] * inverse[lane]};
  }
};

/// Tests four triangles. The bits of those are set that the ray meets at a t in (t_min, limit].
inline LaneHits intersect_block(const RayLanes& r, const TriangleBlock& block, float limit) {
  const auto along = [&](u32 axis, u32 corner) {
    return load_lanes<Floats4>(block.corner[axis][corner]);
  };
  const Floats4 az = along(r.kz, 0) - r.oz, bz = along(r.kz, 1) - r.oz, cz = along(r.kz, 2) - r.oz;
  const Floats4 ax = fused_lanes(r.sx, az, along(r.kx, 0) - r.ox);
  const Floats4 bx = fused_lanes(r.sx, bz, along(r.kx, 1) - r.ox);
  const Floats4 cx = fused_lanes(r.sx, cz, along(r.kx, 2) - r.ox);
  const Floats4 ay = fused_lanes(r.sy, az, along(r.ky, 0) - r.oy);
  const Floats4 by = fused_lanes(r.sy, bz, along(r.ky, 1) - r.oy);
  const Floats4 cy = fused_lanes(r.sy, cz, along(r.ky, 2) - r.oy);

  LaneHits out;
  const Floats4 u = difference_of_products_lanes(cx, by, cy, bx);
  out.v = difference_of_products_lanes(ax, cy, ay, cx);
  out.w = difference_of_products_lanes(bx, ay, by, ax);
  const Ints4 iu = bits_of_lanes(u), iv = bits_of_lanes(out.v), iw = bits_of_lanes(out.w);
  const Ints4 outside = ((iu | iv | iw) < 0) & ((iu > 0) | (iv > 0) | (iw > 0));
  const Floats4 sum = (u + out.v) + out.w;
  const Ints4 met = ~outside & (magnitude_of_lanes(sum) > kSmallestDeterminant);
  out.hit = true_lanes(met);
  if (out.hit == 0u) return out;

  out.inverse = 1.0f / sum;
  const Floats4 mean = fused_lanes(out.w, cz, fused_lanes(out.v, bz, u * az)) * out.inverse;
  const Floats4 low = min_lanes(az, min_lanes(bz, cz)), high = max_lanes(az, max_lanes(bz, cz));
  out.t = max_lanes(low, min_lanes(mean, high)) * r.sz + 0.0f;
  out.hit &= true_lanes((out.t > r.t_min) & (out.t <= limit));
  out.on_edge = true_lanes((u == 0.0f) | (out.v == 0.0f) | (out.w == 0.0f));
  return out;
}

}  // namespace ballotcast::detail
