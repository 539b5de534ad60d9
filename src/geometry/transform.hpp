// Instances: how a ray is transformed into the space of a mesh, and why the box of an instance
// contains everything that the ray can hit there.
//
// A ray enters an instance by the inverse of the instance's transform. t stays the same, because
// the transformed direction is not normalized. Then the ray is treated like any other: within an
// instance the test is watertight, and each hit has the same bits as in a scene of this mesh alone.
//
// The transformed ray is rounded. So a ray could hit a mesh, in the space of the mesh, although it
// misses the box of the instance, in the space of the scene. The boxes are widened so that this
// can't happen:
//
//   u = 2^-24. |A| is the largest sum of absolute values in a row of A. M is the transform's matrix
//   of 3x3, W its inverse, T its translation, k = |M| |W|. `mag` is at least every |coordinate| of
//   the ray's origin, and at least |M| m + |T|, where m is the largest |coordinate| of the mesh.
//   - W and W T are rounded once, and a coordinate of the origin takes three fused operations. So
//     the origin is off by at most 4 u |W| 2 mag, and the direction, over a way to the mesh of at
//     most 2 mag, by the same. In the scene that is 16 u k mag.
//   - In the mesh's space a hit lies within 32 u of a point of its triangle (see `box_slack`), in
//     units of the largest coordinate, which is at most |W| 2 mag. In the scene that is 64 u k mag.
//   - Rounding of the instance's box: 4 u mag. The box test of any layout: 28 u mag.
//   The sum is at most 112 u k mag, because k >= 1; that is less than 2 k box_slack(mag).
#pragma once

#include "ballotcast/instance.hpp"
#include "geometry/triangle.hpp"
#include "math/aabb.hpp"

namespace ballotcast::detail {

/// The largest component of a direction of a ray inside an instance. kLargestSlope only prevents
/// reciprocals from becoming 0, and a direction that is this factor longer is still safe. There is
/// no such margin below kSmallestSlope, so scenes with large instances need longer directions: see
/// InstanceBounds in transform_limits.hpp.
inline constexpr float kLargestSlopeInside = kLargestSlope * 0x1p20f;

/// Returns the transform with every -0 replaced by 0.
BC_HD inline Transform without_negative_zeros(Transform m) {
  for (auto& row : m.rows)
    for (float& number : row) number += 0.0f;
  return m;
}

BC_HD inline vec3 transformed_direction(const Transform& m, vec3 v) {
  const auto row = [&](u32 i) {
    const float* const r = m.rows[i];
    return fused(r[0], v.x, fused(r[1], v.y, r[2] * v.z));
  };
  return {row(0), row(1), row(2)};
}

BC_HD inline vec3 transformed_point(const Transform& m, vec3 p) {
  const auto row = [&](u32 i) {
    const float* const r = m.rows[i];
    return fused(r[0], p.x, fused(r[1], p.y, fused(r[2], p.z, r[3])));
  };
  return {row(0), row(1), row(2)};
}

/// Transforms a ray into the space of a mesh. `to_mesh` is the inverse of the instance's transform.
BC_HD inline Ray transformed_ray(const Transform& to_mesh, const Ray& ray) {
  return {transformed_point(to_mesh, ray.origin), ray.t_min,
          transformed_direction(to_mesh, ray.direction), ray.t_max};
}

/// The cofactors of the matrix (the transposed inverse, times the determinant): the cross products
/// of its columns. They transform normals.
struct Cofactors {
  dvec3 x, y, z;
  double determinant;
};

BC_HD inline dvec3 column(const Transform& m, u32 i) {
  return {double{m.rows[0][i]}, double{m.rows[1][i]}, double{m.rows[2][i]}};
}

BC_HD inline Cofactors cofactors_of(const Transform& m) {
  const auto product = [](dvec3 a, dvec3 b) -> dvec3 {
    return {fused(a.y, b.z, -(a.z * b.y)), fused(a.z, b.x, -(a.x * b.z)),
            fused(a.x, b.y, -(a.y * b.x))};
  };
  const dvec3 x = column(m, 0), y = column(m, 1), z = column(m, 2);
  Cofactors c{product(y, z), product(z, x), product(x, y), 0.0};
  c.determinant = fused(x.x, c.x.x, fused(x.y, c.x.y, x.z * c.x.z));
  return c;
}

/// True if a transform reverses the orientation of triangles, as a mirror does.
BC_HD inline bool mirrors(const Transform& m) { return cofactors_of(m).determinant < 0.0; }

/// The normal of a surface after a transform. Its length is not 1 in general.
BC_HD inline vec3 transformed_normal(const Transform& m, vec3 n) {
  const Cofactors c = cofactors_of(m);
  const dvec3 turned = c.x * double{n.x} + c.y * double{n.y} + c.z * double{n.z};
  return vec3(c.determinant < 0.0 ? -turned : turned);
}

/// The inverse of a transform; each number is computed in double precision and rounded once. If
/// there is no inverse, the numbers are not finite.
BC_HD inline Transform inverse_of(const Transform& m) {
  const Cofactors c = cofactors_of(m);
  const dvec3 at = column(m, 3);
  Transform out;
  const dvec3 rows[3] = {c.x, c.y, c.z};
  for (u32 i = 0; i < 3; ++i) {
    const dvec3 row = {rows[i].x / c.determinant, rows[i].y / c.determinant,
                       rows[i].z / c.determinant};
    out.rows[i][0] = static_cast<float>(row.x);
    out.rows[i][1] = static_cast<float>(row.y);
    out.rows[i][2] = static_cast<float>(row.z);
    out.rows[i][3] = static_cast<float>(0.0 - fused(row.x, at.x, fused(row.y, at.y, row.z * at.z)));
  }
  return out;
}

/// The box of an instance. It contains the transformed box of the mesh, up to rounding.
BC_HD inline void transformed_box(const Transform& m, vec3 low, vec3 high, vec3& out_low,
                                  vec3& out_high) {
  for (u32 i = 0; i < 3; ++i) {
    float least = m.rows[i][3], most = m.rows[i][3];
    for (u32 k = 0; k < 3; ++k) {
      const float r = m.rows[i][k];
      const float a = component(low, k), b = component(high, k);
      least = fused(r, r >= 0.0f ? a : b, least);
      most = fused(r, r >= 0.0f ? b : a, most);
    }
    set_component(out_low, i, least);
    set_component(out_high, i, most);
  }
}

}  // namespace ballotcast::detail
