// Finds closest points of a mesh, and compares them with exact arithmetic.
#pragma once

#include "ballotcast/options.hpp"
#include "helpers/meshes.hpp"

namespace ballotcast::detail::points {

struct Tally {
  u64 points = 0;
  u64 on_surface = 0;   // points exactly on a triangle
  u64 near = 0;         // others that are too near for a ray of floats to tell the side; see kNear
  u64 by_integers = 0;  // points that only integers could judge
  u64 rounded = 0;      // of several triangles as close but for rounding, not exactly the closest
  u64 triangles = 0;    // wrong triangles
  u64 distances = 0;    // distances beyond their bound
  u64 signs = 0;        // wrong sides, of all points of closed meshes
  double worst = 0.0;   // the largest error of a distance, in units of its bound

  bool clean() const { return points > 0 && triangles + distances + signs == 0; }
};

Tally operator+(const Tally& a, const Tally& b);

/// How near to a triangle, as a part of the distance to its farthest corner, the origin of a ray of
/// floats may be taken to be on its other side; docs/promises.md says so.
inline constexpr double kNear = 0x1p-20;

/// Searches for the closest points of `count` points at corners, edges and faces, close to them,
/// around the mesh, and far away. Of a closed mesh also tells inside from outside. Throws
/// DeviceError.
Tally try_points(const Mesh& mesh, bool closed, u64 count, const RendererOptions& where);

}  // namespace ballotcast::detail::points
