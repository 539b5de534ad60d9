// Casts rays at the edges of a closed mesh and compares the results with exact arithmetic.
#pragma once

#include <string>

#include "ballotcast/options.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail::edges {

/// The largest distance of a hit's point from its triangle, as a fraction of the distance to the
/// triangle's farthest corner; box_slack (geometry/triangle.hpp) uses the same factor.
inline constexpr double kBound = 0x1p-18;

/// A start point must be farther from each triangle than this fraction of its distance to the
/// triangle's farthest corner. Then rounding can't move it to the other side of the triangle: with
/// u = 2^-24, the error of sheared corners is at most 6 u across and along the ray, and the error
/// of the mean of their depths is at most 6 u.
inline constexpr double kClear = 0x1p-20;

struct Tally {
  u64 rays = 0;
  u64 inside = 0;      // rays that start inside
  u64 on_surface = 0;  // rays that start at a corner and pass a point inside or outside
  u64 far = 0;         // rays that start far away
  u64 places = 0;      // points whose winding number was computed
  u64 missed = 0;      // rays that must leave the mesh but have no closest hit
  u64 parity = 0;      // crossing counts that are odd outside or even inside
  u64 twice = 0;       // rays with a crossing that is listed twice or out of order
  u64 impossible = 0;  // closest hits farther from their triangle than kBound allows
  double worst = 0.0;  // largest distance of a hit from its triangle, in units of kBound

  bool clean() const { return rays > 0 && missed + parity + twice + impossible == 0; }
};

Tally operator+(const Tally& a, const Tally& b);

/// Casts at least `rays` rays at a mesh, and counts errors. Casts fewer if it can't find enough
/// points that are certainly inside or outside. If `far` is not 0, some rays start `far` mesh sizes
/// away. Throws DeviceError.
Tally try_edges(const Mesh& mesh, u64 rays, double far, const RendererOptions& where);

}  // namespace ballotcast::detail::edges
