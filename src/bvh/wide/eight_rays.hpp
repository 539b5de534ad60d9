// Prepares rays for wide trees, eight at a time. Preparing them one by one takes a tenth of the
// time of a cast, because divisions wait for each other and branches can't be predicted.

#pragma once

#include <array>
#include <limits>

#include "bvh/wide/wide_walk.hpp"
#include "geometry/frustum.hpp"

namespace ballotcast::detail {

/// Eight rays. Each lane executes the operations of make_setup and bvh2::slabs_of in the same
/// order, so the results have the same bits.
class EightRays {
 public:
  EightRays(const Ray* rays, float scene_magnitude) {
    static_assert(sizeof(Ray) == kWidth * sizeof(float));
    const std::array<Floats8, kWidth> columns = transposed(&rays[0].origin.x);
    const auto& [ox, oy, oz, t_min, dx, dy, dz, t_max] = columns;
    const Floats8 ax = magnitude_of_lanes(dx), ay = magnitude_of_lanes(dy),
                  az = magnitude_of_lanes(dz);
    // The longest axis: x, or y, or otherwise z.
    const Ints8 is_x = (ax >= ay) & (ax >= az), is_y = ~(ax >= ay) & (ay >= az);
    const auto choose = [&](auto x, auto y, auto z) { return is_x ? x : is_y ? y : z; };

    const Floats8 along = choose(dx, dy, dz), longest = magnitude_of_lanes(along);
    const Floats8 farthest = max_lanes(magnitude_of_lanes(ox),
                                       max_lanes(magnitude_of_lanes(oy), magnitude_of_lanes(oz)));
    const Ints8 is_valid = (longest >= kSmallestSlope) & (longest <= kLargestSlope) &
                           (farthest <= kLargestCoordinate) & (ax <= longest) & (ay <= longest) &
                           (az <= longest) & (ox == ox) & (oy == oy) & (oz == oz) & (t_max > t_min);
    usual_ = true_lanes(is_valid & (farthest <= kFarOrigin * scene_magnitude));

    const Floats8 sz = 1.0f / along;
    store_lanes(-choose(dy, dz, dx) * sz, shear_[0]);
    store_lanes(-choose(dz, dx, dy) * sz, shear_[1]);
    store_lanes(sz, shear_[2]);
    store_lanes(choose(oy, oz, ox), origin_[0]);
    store_lanes(choose(oz, ox, oy), origin_[1]);
    store_lanes(choose(ox, oy, oz), origin_[2]);
    store_lanes(t_min, t_min_);
    store_lanes(t_max, t_max_);
    const Ints8 kz = choose(Ints8{}, Ints8{} + 1, Ints8{} + 2);
    std::memcpy(kz_, &kz, sizeof kz);

    const Floats8 smallest = longest * kSmallestSlope;
    const Floats8 slack = max_lanes(in_all_lanes(scene_magnitude), farthest) * kSlack;
    const auto prepare_axis = [&](u32 axis, Floats8 origin, Floats8 slope, Floats8 magnitude) {
      const Ints8 sign = bits_of_lanes(slope) & std::numeric_limits<i32>::min();
      const Floats8 least = std::bit_cast<Floats8>(bits_of_lanes(smallest) | sign);
      const Floats8 inverse = 1.0f / (magnitude < smallest ? least : slope);
      const Floats8 from = -(origin * inverse), wider = slack * magnitude_of_lanes(inverse);
      store_lanes(inverse, inverse_[axis]);
      store_lanes(from - wider, near_addend_[axis]);
      store_lanes(from + wider, far_addend_[axis]);
    };
    prepare_axis(0, ox, dx, ax);
    prepare_axis(1, oy, dy, ay);
    prepare_axis(2, oz, dz, az);
  }

  /// False if ray `k` can't hit anything or starts far away. Such a ray must be prepared
  /// separately.
  bool is_usual(u32 k) const { return (usual_ >> k & 1u) != 0u; }

  /// The prepared ray `k`, for which is_usual(k) must be true.
  WideRay operator[](u32 k) const {
    const auto vector = [&](const Rows& rows) { return vec3(rows[0][k], rows[1][k], rows[2][k]); };
    return {WideSlabs({vector(inverse_), vector(near_addend_), vector(far_addend_), t_min_[k]}),
            RayLanes(kz_[k], vector(shear_), vector(origin_), t_min_[k])};
  }

  /// True if is_usual is true for all rays, all start at the same point as `lead`, and all have
  /// their largest component along axis kz, in the same direction.
  bool all_like(const Ray& lead, u32 kz, bool down_z) const {
    Ints8 axes;
    std::memcpy(&axes, kz_, sizeof axes);
    const vec3 o = in_order_of(kz, lead.origin);
    const Ints8 alike = (axes == static_cast<i32>(kz)) & ((shear(2) < 0.0f) == (down_z ? -1 : 0)) &
                        (load_lanes(origin_[0]) == o.x) & (load_lanes(origin_[1]) == o.y) &
                        (load_lanes(origin_[2]) == o.z) & (load_lanes(t_min_) == lead.t_min);
    return (usual_ & true_lanes(alike)) == (1u << kWidth) - 1u;
  }

  u32 longest_axis(u32 k) const { return kz_[k]; }
  Floats8 shear(u32 row) const { return load_lanes(shear_[row]); }
  Floats8 inverse(u32 axis) const { return load_lanes(inverse_[axis]); }
  Floats8 t_max() const { return load_lanes(t_max_); }

 private:
  using Rows = float[3][kWidth];  // one row per axis

  alignas(32) Rows inverse_, near_addend_, far_addend_;  // the same numbers as in bvh2::Slabs
  alignas(32) Rows shear_, origin_;                      // the same numbers as in RaySetup
  alignas(32) float t_min_[kWidth], t_max_[kWidth];
  alignas(32) u32 kz_[kWidth];
  u32 usual_;
};

}  // namespace ballotcast::detail
