// Trigonometry with + - * / and floor only, so that every machine and C library gives the same
// bits.
#pragma once

#include "math/portable.hpp"

namespace ballotcast::detail {

inline constexpr double kPi = 3.14159265358979323846;

template <class Real>
struct SinCosOf {
  Real sin;
  Real cos;
};
using SinCos = SinCosOf<double>;

BC_HD inline double floor_of(double x) { return floor(x); }
BC_HD inline double select(bool which, double yes, double no) { return which ? yes : no; }

/// Sine and cosine of 2*pi*turns, with an error below 1e-15 for |turns| <= 2^20. The function
/// reduces the angle exactly, to at most an eighth of a turn, then sums a Taylor series. `Real` is
/// double, or DoubleLanes8 for eight angles at once (simd.hpp).
template <class Real>
BC_HD inline SinCosOf<Real> sincos_turns_of(Real turns) {
  const Real eighths = turns * 8.0;
  const Real nearest_even = 2.0 * floor_of(eighths * 0.5 + 0.5);     // a multiple of a quarter turn
  const Real x = (eighths - nearest_even) * 0.78539816339744830962;  // in [-pi/4, pi/4]
  const Real y = x * x;
  Real s(-1.0 / 1307674368000.0);
  s = s * y + 1.0 / 6227020800.0;
  s = s * y - 1.0 / 39916800.0;
  s = s * y + 1.0 / 362880.0;
  s = s * y - 1.0 / 5040.0;
  s = s * y + 1.0 / 120.0;
  s = s * y - 1.0 / 6.0;
  s = s * y * x + x;
  Real c(1.0 / 20922789888000.0);
  c = c * y - 1.0 / 87178291200.0;
  c = c * y + 1.0 / 479001600.0;
  c = c * y - 1.0 / 3628800.0;
  c = c * y + 1.0 / 40320.0;
  c = c * y - 1.0 / 720.0;
  c = c * y + 1.0 / 24.0;
  c = c * y - 0.5;
  c = c * y + 1.0;
  const Real quarters = nearest_even * 0.5;
  const Real wrapped = quarters - 4.0 * floor_of(quarters * 0.25);  // 0, 1, 2 or 3
  const auto in_order = [&](Real first, Real second, Real third, Real fourth) {
    return select(wrapped < 1.5, select(wrapped < 0.5, first, second),
                  select(wrapped < 2.5, third, fourth));
  };
  return {in_order(s, c, -s, -c), in_order(c, -s, -c, s)};
}
BC_HD inline SinCos sincos_turns(double turns) { return sincos_turns_of(turns); }

/// The angle of the vector (x, y) in turns, from the x axis towards the y axis, in (-0.5, 0.5]; 0
/// for (0, 0). The error is below 1e-11. The function reduces the angle to at most a sixteenth of a
/// turn, then sums a Taylor series.
BC_HD inline double turns_of(double x, double y) {
  const double width = x < 0.0 ? -x : x, height = y < 0.0 ? -y : y;
  const bool steep = height > width;
  const double longer = steep ? height : width;
  if (!(longer > 0.0)) return 0.0;
  double t = (steep ? width : height) / longer;  // the tangent of the angle, in [0, 1]
  const bool large = t > 0.41421356237309505;    // true if the angle is above a sixteenth of a turn
  if (large) t = (t - 1.0) / (t + 1.0);
  const double z = t * t;
  double s = 1.0 / 25.0;
  for (int n = 23; n > 0; n -= 2) s = 1.0 / n - s * z;
  double angle = s * t * 0.15915494309189534 + (large ? 0.125 : 0.0);
  if (steep) angle = 0.25 - angle;
  if (x < 0.0) angle = 0.5 - angle;
  return y < 0.0 ? -angle : angle;
}

/// Sine and cosine of an angle in degrees.
BC_HD inline SinCos sincos_degrees(double degrees) { return sincos_turns(degrees / 360.0); }

}  // namespace ballotcast::detail
