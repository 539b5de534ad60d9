// Shapes: surfaces that are defined by a formula, in place of triangles.
#pragma once

#include <cstdint>

#include "ballotcast/api.hpp"

namespace ballotcast {

/// The kinds of shapes. Each is centred at (0, 0, 0) of its own coordinates; `size` is Shape::size.
/// Conventions are those of MuJoCo's geoms (mujoco.readthedocs.io, XML reference, body/geom).
enum class ShapeKind : std::uint32_t {
  none,       ///< no shape
  sphere,     ///< size[0]: radius
  ellipsoid,  ///< size: half the length along x, y and z
  box,        ///< size: half the length along x, y and z
  capsule,    ///< size[0]: radius; size[1]: half the length of the straight part, along z
  cylinder,   ///< size[0]: radius; size[1]: half the height, along z
  cone,       ///< size[0]: radius of the base, at z = -size[1]; the apex is at z = size[1]
  disc,       ///< size[0]: radius, in the plane z = 0; its front faces +z
  plane,      ///< a rectangle in the plane z = 0; size: half the length along x and y. Faces +z
  floor       ///< like plane, but no ray hits its back; this is MuJoCo's plane
};

/// A shape. 16 bytes, the same on host and device.
///
/// Rays cross a solid shape where they enter it, which is its front, and where they leave it.
/// A ray that only touches a shape does not hit it, and neither does one that is inside for less
/// than one rounding of t. A hit's u and v are the octahedral coordinates of the direction from the
/// centre to the hit, in units of the size along each axis; for flat shapes they are the
/// position, from 0 to 1 along x and y.
struct Shape {
  ShapeKind kind = ShapeKind::none;  ///< the kind
  float size[3] = {0, 0, 0};         ///< lengths; their meaning depends on the kind
};
static_assert(sizeof(Shape) == 16, "kernels read shapes as one block of 16 bytes");

}  // namespace ballotcast
