// Which transforms instances may have, and which rays can be cast into them in spite of rounding.
// Host and device share this code. The letters M, W, T, m and k are defined in transform.hpp.
#pragma once

#include "geometry/far_origin.hpp"
#include "geometry/transform.hpp"

namespace ballotcast::detail {

/// The largest |M| and |W| of an instance's transform, and the largest k.
inline constexpr double kLargestScale = 0x1p20, kLargestDistortion = 0x1p12;

/// Norms of a transform.
struct TransformSizes {
  double forward, inverse;  // |M|, |W|
  double shift;             // |T|
  double inverse_shift;     // |W T|
};

/// The norm |A| of the 3x3 matrix.
BC_HD inline double norm_of(const Transform& m) {
  double largest = 0.0;
  for (u32 i = 0; i < 3; ++i) {
    const float* const r = m.rows[i];
    const double sum =
        double{magnitude_of(r[0])} + double{magnitude_of(r[1])} + double{magnitude_of(r[2])};
    largest = !(sum <= largest) ? sum : largest;  // a NaN is kept
  }
  return largest;
}

BC_HD inline double shift_of(const Transform& m) {
  double largest = 0.0;
  for (u32 i = 0; i < 3; ++i) {
    const double size = magnitude_of(m.rows[i][3]);
    largest = !(size <= largest) ? size : largest;  // a NaN is kept
  }
  return largest;
}

/// Computes the norms of m. `inverse` must be inverse_of(m).
BC_HD inline TransformSizes sizes_of(const Transform& m, const Transform& inverse) {
  return {norm_of(m), norm_of(inverse), shift_of(m), shift_of(inverse)};
}

/// True for the transform kHidden.
BC_HD inline bool hides(const Transform& m) { return norm_of(m) == 0.0 && shift_of(m) == 0.0; }

/// Why rays can't enter an instance.
enum class TransformDefect : u32 {
  none,
  not_finite,
  no_inverse,
  scale,
  distortion,
  too_far,   // the mesh is moved too far for its size
  too_small  // the transform is too small, compared with others of its world
};

/// True if the origin of a ray stays within the largest coordinate when the ray is transformed into
/// the instance. The origin must not be far (geometry/far_origin.hpp). `magnitude` is that of the
/// world's InstanceBounds.
BC_HD inline bool fits_in(const TransformSizes& of, float magnitude) {
  return of.inverse * 2.0 * double{kFarOrigin} * double{magnitude} + of.inverse_shift <=
         double{kLargestCoordinate};
}

/// Numbers of a world that are needed to cast rays: maxima over all its instances; 0 if there are
/// none.
struct InstanceBounds {
  float magnitude = 0.0f;  // the maximum of |M| m + |T|
  float slack = 0.0f;      // the maximum of 2 k
  // If the largest component of a ray's direction is smaller than this, the ray hits nothing,
  // because inside an instance the component could become smaller than kSmallestSlope. The value is
  // kSmallestSlope, multiplied by |M| if |M| is above 1.
  float least_slope = 0.0f;

  BC_HD void include(const InstanceBounds& other) {
    magnitude = max_of(magnitude, other.magnitude);
    slack = max_of(slack, other.slack);
    least_slope = max_of(least_slope, other.least_slope);
  }
};

/// The bounds of a single instance, rounded up. `mesh_magnitude` is m.
BC_HD inline InstanceBounds bounds_of(const TransformSizes& of, float mesh_magnitude) {
  const auto above = [](double value) {  // rounds to the next float above the nearest one
    return float_of(bits_of(static_cast<float>(value)) + 1u);
  };
  const double distortion = of.forward * of.inverse;
  return {above(of.forward * double{mesh_magnitude} + of.shift),
          above(2.0 * (distortion > 1.0 ? distortion : 1.0)),
          of.forward > 1.0 ? above(of.forward * double{kSmallestSlope}) : kSmallestSlope};
}

/// Checks a transform alone, without the other instances of the scene. `mesh_magnitude` is m.
BC_HD inline TransformDefect defect_of(const TransformSizes& of, float mesh_magnitude) {
  if (!(is_finite(of.forward) && is_finite(of.shift))) return TransformDefect::not_finite;
  if (!(is_finite(of.inverse) && is_finite(of.inverse_shift) && of.inverse > 0.0))
    return TransformDefect::no_inverse;
  if (of.forward > kLargestScale || of.inverse > kLargestScale) return TransformDefect::scale;
  if (of.forward * of.inverse > kLargestDistortion) return TransformDefect::distortion;
  return fits_in(of, bounds_of(of, mesh_magnitude).magnitude) ? TransformDefect::none
                                                              : TransformDefect::too_far;
}

}  // namespace ballotcast::detail
