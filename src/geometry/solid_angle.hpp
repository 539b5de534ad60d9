// The solid angle that a triangle covers, as seen from a point.
//
// A. van Oosterom, J. Strackee, The Solid Angle of a Plane Triangle, IEEE Transactions on
// Biomedical Engineering, 1983, equation 8: with corners seen from the point,
//
//   tan(angle / 2) = a . (b x c) / (|a| |b| |c| + (a . b) |c| + (b . c) |a| + (c . a) |b|)
#pragma once

#include "math/trig.hpp"
#include "math/vec.hpp"

namespace ballotcast::detail {

/// The solid angle of the triangle a, b, c as a share of the whole sphere, from -0.5 to 0.5;
/// positive if the corners run clockwise as seen from p. 0 for a triangle without area, and on an
/// edge or a corner.
BC_HD inline double part_of_sphere(const dvec3& p, const dvec3& a, const dvec3& b, const dvec3& c) {
  const auto dot3 = [](const dvec3& u, const dvec3& v) {
    return u.x * v.x + u.y * v.y + u.z * v.z;
  };
  const dvec3 pa = a - p, pb = b - p, pc = c - p;
  const double la = sqrt(dot3(pa, pa)), lb = sqrt(dot3(pb, pb)), lc = sqrt(dot3(pc, pc));
  const double volume = pa.x * (pb.y * pc.z - pb.z * pc.y) + pa.y * (pb.z * pc.x - pb.x * pc.z) +
                        pa.z * (pb.x * pc.y - pb.y * pc.x);
  if (volume == 0.0) return 0.0;
  return turns_of(la * lb * lc + dot3(pa, pb) * lc + dot3(pb, pc) * la + dot3(pc, pa) * lb, volume);
}

}  // namespace ballotcast::detail
