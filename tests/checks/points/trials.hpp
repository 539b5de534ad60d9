// Finds closest points of a mesh, and compares them with exact arithmetic.
#pragma once

#include "ballotcast/options.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail::points {

/// Counts of points and of errors.
struct Tally {
  u64 points = 0;
  u64 on_surface = 0;  // points exactly on a triangle
  u64 near = 0;        // other points so near that a ray of floats may not tell the side; see kNear
  u64 by_integers = 0;  // points for which only integers could decide
  u64 rounded = 0;      // triangles that are the closest only after rounding
  u64 triangles = 0;    // wrong triangles
  u64 distances = 0;    // distances whose error is above its bound
  u64 signs = 0;        // points of closed meshes for which inside or outside is wrong
  double worst = 0.0;   // the largest error of a distance, divided by its bound

  bool clean() const { return points > 0 && triangles + distances + signs == 0; }
};

Tally operator+(const Tally& a, const Tally& b);

/// Up to this distance from a triangle, a ray of floats may take its origin to be on the triangle's
/// other side. In units of the distance to the triangle's farthest corner; see docs/promises.md.
inline constexpr double kNear = 0x1p-20;

/// Searches for the closest points of `count` points at corners, edges and faces, close to them,
/// around the mesh, and far away. Of a closed mesh also tells inside from outside. Throws
/// DeviceError.
Tally try_points(const Mesh& mesh, bool closed, u64 count, const RendererOptions& where);

}  // namespace ballotcast::detail::points
