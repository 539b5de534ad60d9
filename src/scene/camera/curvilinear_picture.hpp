// Curvilinear pictures, which are not a plane in front of the eye: those with distortion, those of
// fisheye lenses, and panoramas.
//
// A point of the picture has coordinates (u, v), to the right and down from the line of sight:
//
//   perspective   (u, v) = distorted (x / z, y / z) of a scene point that is x to the right of the
//                 eye, y below it and z ahead of it
//   fisheye       (u, v) has the length d(angle between scene point and line of sight)
//   panorama      (u, v) = longitude and latitude; 1 is a whole turn
//
// The models of distortion are OpenCV's, modules calib3d and fisheye. Both have a radial part, r *
// up(r * r) / down(r * r), which may fold over: beyond some r it decreases. Points beyond this r
// are not in the picture, although the formula gives coordinates for them.
#pragma once

#include "ballotcast/camera.hpp"
#include "math/trig.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// A radial distortion. `up` and `down` are polynomials 1 + a[0] s + a[1] s^2 ... in s = r * r.
struct RadialDistortion {
  double up[4], down[3];

  struct Value {
    double value, slope;
  };

  BC_HD Value at(double r) const {
    const double s = r * r;
    const double n = 1.0 + s * (up[0] + s * (up[1] + s * (up[2] + s * up[3])));
    const double d = 1.0 + s * (down[0] + s * (down[1] + s * down[2]));
    const double dn = up[0] + s * (2.0 * up[1] + s * (3.0 * up[2] + s * (4.0 * up[3])));
    const double dd = down[0] + s * (2.0 * down[1] + s * (3.0 * down[2]));
    return {r * n / d, n / d + 2.0 * s * (dn * d - n * dd) / (d * d)};
  }
};

/// A curvilinear picture, in the form that kernels use. Pixel coordinates (x, y) count from the top
/// left corner; (u, v) = (left + x * step_x, top + y * step_y).
struct CurvilinearPicture {
  enum class Kind : u32 { none, perspective, fisheye, panorama };
  Kind kind;
  double left, top, step_x, step_y;
  dvec3 right, down, ahead;  // unit vectors
  RadialDistortion radial;
  double p1, p2;       // tangential distortion
  double reach;        // the largest r that is in the picture,
  double reach_drawn;  // and the radius to which the radial distortion maps it

  /// False if the picture is rectilinear: then only `kind` has a meaning.
  BC_HD bool is_used() const { return kind != Kind::none; }
  BC_HD bool has_tangential() const { return p1 != 0.0 || p2 != 0.0; }
};

/// The r that radial distortion maps to `drawn`, found by Newton's method with bounds. `drawn` must
/// be from 0 to `reach_drawn`, where the distortion is monotonic.
BC_HD inline double undistorted_radius(const CurvilinearPicture& picture, double drawn) {
  double low = 0.0, high = picture.reach;
  double r = drawn < high ? drawn : high;
  for (u32 i = 0; i < 100u; ++i) {
    const RadialDistortion::Value now = picture.radial.at(r);
    (now.value > drawn ? high : low) = r;
    const double step = (now.value - drawn) / now.slope, next = r - step;
    if (magnitude_of(step) <= 1e-13 * r) return next;
    r = next > low && next < high ? next : 0.5 * (low + high);
    if (!(r > low && r < high)) return r;
  }
  return r;
}

/// Finds the point (x, y) that radial and tangential distortion map to (u, v). The search starts at
/// the given (x, y). Returns false if there is no such point.
BC_HD inline bool undistort_tangential(const CurvilinearPicture& picture, double u, double v,
                                       double& x, double& y) {
  for (u32 i = 0; i < 50u; ++i) {
    const double s = x * x + y * y, r = sqrt(s);
    const RadialDistortion::Value radial = picture.radial.at(r);
    // The radial part is a factor on (x, y); `slope` is twice the derivative of this factor by s.
    const double factor = r > 0.0 ? radial.value / r : 1.0;
    const double slope = r > 0.0 ? (radial.slope - factor) / s : 2.0 * picture.radial.up[0];
    const double p1 = picture.p1, p2 = picture.p2;
    const double off_u = x * factor + 2.0 * p1 * x * y + p2 * (s + 2.0 * x * x) - u;
    const double off_v = y * factor + p1 * (s + 2.0 * y * y) + 2.0 * p2 * x * y - v;
    const double uu = factor + x * x * slope + 2.0 * p1 * y + 6.0 * p2 * x;
    const double uv = x * y * slope + 2.0 * p1 * x + 2.0 * p2 * y;
    const double vv = factor + y * y * slope + 6.0 * p1 * y + 2.0 * p2 * x;
    const double area = uu * vv - uv * uv;
    // The point is beyond the radius where the distortion folds over
    if (!(uu > 0.0 && area > 0.0)) return false;
    const double step_x = (vv * off_u - uv * off_v) / area,
                 step_y = (uu * off_v - uv * off_u) / area;
    x = x - step_x;
    y = y - step_y;
    if (magnitude_of(step_x) + magnitude_of(step_y) <= 1e-13 * (1.0 + r))
      return x * x + y * y <= picture.reach * picture.reach;
  }
  return false;
}

/// Finds the direction that the picture shows at the point (x, y), in pixels from the top left
/// corner. Returns false if the picture shows nothing there.
BC_HD inline bool direction_through(const CurvilinearPicture& picture, double x, double y,
                                    dvec3& direction) {
  const double u = picture.left + x * picture.step_x, v = picture.top + y * picture.step_y;
  if (picture.kind == CurvilinearPicture::Kind::panorama) {
    const SinCos longitude = sincos_turns(u), latitude = sincos_turns(v);
    direction = (picture.right * longitude.sin + picture.ahead * longitude.cos) * latitude.cos +
                picture.down * latitude.sin;
    return true;
  }
  const double drawn = sqrt(u * u + v * v);
  const bool within = drawn <= picture.reach_drawn;
  if (!within && !picture.has_tangential()) return false;
  const double r = within ? undistorted_radius(picture, drawn) : 0.9 * picture.reach;
  const double factor = drawn > 0.0 ? r / drawn : 1.0;
  double right = u * factor, down = v * factor, ahead = 1.0;
  if (picture.kind == CurvilinearPicture::Kind::fisheye) {
    const SinCos angle = sincos_turns(r / (2.0 * kPi));
    const double side = r > 0.0 ? angle.sin / r : 1.0;
    right = right * side;
    down = down * side;
    ahead = angle.cos;
  } else if (picture.has_tangential() && !undistort_tangential(picture, u, v, right, down)) {
    return false;
  }
  direction = picture.right * right + picture.down * down + picture.ahead * ahead;
  return true;
}

/// The radial distortion of a camera. Panoramas have no distortion.
RadialDistortion radial_distortion(Projection projection, const Distortion& distortion);

/// Sets reach and reach_drawn: the picture ends where the radial distortion stops increasing.
void set_reach(CurvilinearPicture& picture);

}  // namespace ballotcast::detail
