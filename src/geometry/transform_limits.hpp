// Which transforms instances may have, and which rays their rounding allows. Host and device share
// this code. The letters M, W, T, m and k are those of transform.hpp.
#pragma once

#include "geometry/far_origin.hpp"
#include "geometry/transform.hpp"

namespace ballotcast::detail {

/// The largest |M| and |W| of an instance's transform, and the largest k.
inline constexpr double kLargestScale = 0x1p20, kLargestDistortion = 0x1p12;

/// Numbers about a transform.
struct TransformSizes {
  double forward, inverse;  // |M|, |W|
  double shift;             // |T|
  double inverse_shift;     // |W T|
};

/// |A| of the matrix of 3x3.
BC_HD inline double norm_of(const Transform& m) {
  double largest = 0.0;
  for (u32 i = 0; i < 3; ++i) {
    const float* const r = m.rows[i];
    const double sum =
        double{magnitude_of(r[0])} + double{magnitude_of(r[1])} + double{magnitude_of(r[2])};
    largest = !(sum <= largest) ? sum : largest;  // NaN stays
  }
  return largest;
}

BC_HD inline double shift_of(const Transform& m) {
  double largest = 0.0;
  for (u32 i = 0; i < 3; ++i) {
    const double size = magnitude_of(m.rows[i][3]);
    largest = !(size <= largest) ? size : largest;  // NaN stays
  }
  return largest;
}

/// `inverse` is inverse_of(m).
BC_HD inline TransformSizes sizes_of(const Transform& m, const Transform& inverse) {
  return {norm_of(m), norm_of(inverse), shift_of(m), shift_of(inverse)};
}

/// True for kHidden.
BC_HD inline bool hides(const Transform& m) { return norm_of(m) == 0.0 && shift_of(m) == 0.0; }

/// Why rays can't enter an instance.
enum class TransformDefect : u32 {
  none,
  not_finite,
  no_inverse,
  scale,
  distortion,
  too_far,   // from the origin, for the size of the mesh there
  too_small  // beside others of its world
};

/// True if an origin that is not far (geometry/far_origin.hpp) stays within the largest coordinate
/// when its ray enters the instance. `magnitude`: that of the world's InstanceBounds.
BC_HD inline bool fits_in(const TransformSizes& of, float magnitude) {
  return of.inverse * 2.0 * double{kFarOrigin} * double{magnitude} + of.inverse_shift <=
         double{kLargestCoordinate};
}

/// The numbers of a world that rays need: maxima over all of its instances; 0 if there are none.
struct InstanceBounds {
  float magnitude = 0.0f;  // |M| m + |T|
  float slack = 0.0f;      // 2 k
  // Rays whose largest direction component is smaller hit nothing, because inside of an instance
  // the component could become smaller than kSmallestSlope. The value is kSmallestSlope, times |M|
  // if that is above 1.
  float least_slope = 0.0f;

  BC_HD void include(const InstanceBounds& other) {
    magnitude = max_of(magnitude, other.magnitude);
    slack = max_of(slack, other.slack);
    least_slope = max_of(least_slope, other.least_slope);
  }
};

/// The bounds of a single instance, rounded up. `mesh_magnitude` is m.
BC_HD inline InstanceBounds bounds_of(const TransformSizes& of, float mesh_magnitude) {
  const auto above = [](double value) {  // the next float after the nearest one
    return float_of(bits_of(static_cast<float>(value)) + 1u);
  };
  const double distortion = of.forward * of.inverse;
  return {above(of.forward * double{mesh_magnitude} + of.shift),
          above(2.0 * (distortion > 1.0 ? distortion : 1.0)),
          of.forward > 1.0 ? above(of.forward * double{kSmallestSlope}) : kSmallestSlope};
}

/// What is wrong with a transform, whatever else is in the scene.
/// `mesh_magnitude` is m.
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
