// Rays, and what they hit.
#pragma once

#include <cstdint>

#include "ballotcast/api.hpp"
#include "ballotcast/types.hpp"

namespace ballotcast {

/// A ray: the points origin + t * direction for t in (t_min, t_max]. 32 bytes, the same on host and
/// device.
///
/// `origin` is in world units, relative to Scene::origin(). `direction` need not have length 1; t
/// is in units of its length. The largest component of the direction must have a magnitude between
/// 2^-40 and 2^40. A ray outside of that, a ray that holds a NaN, and a ray with t_max <= t_min hit
/// nothing.
struct alignas(16) Ray {
  Vec3f origin;     ///< where the ray starts
  float t_min;      ///< hits must lie beyond this t
  Vec3f direction;  ///< where it goes
  float t_max;      ///< hits may lie up to this t; infinity for no end

  /// Can this ray hit anything at all? False where t_max <= t_min.
  BALLOTCAST_HD bool asks() const { return t_max > t_min; }
};
static_assert(sizeof(Ray) == 32, "kernels read rays as two blocks of 16 bytes");

/// The triangle of a hit that is a miss.
inline constexpr std::uint32_t kNoTriangle = 0xffffffffu;

/// What a ray hit. 16 bytes, the same on host and device.
///
/// The closest hit is the triangle with the smallest t and, among equal t, the one with the
/// smallest id. From far away, where many hits may round to one t, it is the nearest of them. Its
/// place is (1-u-v) a + u b + v c, where a, b and c are the triangle's corners. A
/// miss has triangle kNoTriangle, t = the ray's t_max, and u = v = 0.
struct alignas(16) Hit {
  float t;                 ///< in units of the ray's direction
  std::uint32_t triangle;  ///< the triangle's id: its index in the scene
  float u;                 ///< weight of the triangle's second corner
  float v;                 ///< weight of the triangle's third corner

  /// Did the ray hit anything?
  BALLOTCAST_HD bool found() const { return triangle != kNoTriangle; }
};
static_assert(sizeof(Hit) == 16, "kernels write hits as one block of 16 bytes");

}  // namespace ballotcast
