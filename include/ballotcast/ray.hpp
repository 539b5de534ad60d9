// Rays and hits, closest points, and which points are inside.
#pragma once

#include <cstdint>

#include "ballotcast/api.hpp"
#include "ballotcast/vec3.hpp"

namespace ballotcast {

/// A ray: the points origin + t * direction for t in (t_min, t_max]. 32 bytes, the same on host and
/// device.
///
/// `origin` is in world units, relative to Scene::origin(); its coordinates must be from -2^40 to
/// 2^40. The length of `direction` need not be 1; t is measured in units of it. The largest
/// component of the direction must have a magnitude from 2^-40 to 2^40. Other rays, rays that
/// contain a NaN, and rays with t_max <= t_min hit nothing.
struct alignas(16) Ray {
  Vec3f origin;     ///< where the ray starts
  float t_min;      ///< hits must have t above this
  Vec3f direction;  ///< its length is the unit of t
  float t_max;      ///< hits must have t up to this; infinity for no limit

  /// False if the ray can hit nothing because t_max <= t_min.
  BALLOTCAST_HD bool asks() const { return t_max > t_min; }
};
static_assert(sizeof(Ray) == 32, "kernels read rays as two blocks of 16 bytes");

/// The worlds into which rays are cast, or in which closest points are searched. A world is a group
/// of instances: see Instance::world.
struct RayWorlds {
  std::uint32_t all = 0;                ///< the world of all rays, if `each` is null
  const std::uint32_t* each = nullptr;  ///< the world of each ray, as many as there are rays

  /// The world of the ray with index `ray`.
  BALLOTCAST_HD std::uint32_t of(std::uint32_t ray) const { return each ? each[ray] : all; }
  /// The worlds of the rays from `first` on.
  BALLOTCAST_HD RayWorlds from(std::uint64_t first) const {
    return {all, each ? each + first : nullptr};
  }
};

/// The value of Hit::triangle and Nearest::triangle if nothing was found.
inline constexpr std::uint32_t kNoTriangle = 0xffffffffu;

/// The number of no instance; in RayFilter::skip_instance it skips nothing.
inline constexpr std::uint32_t kNoInstance = 0xffffffffu;

/// The sides of triangles that rays can hit.
///
/// A ray meets the front of a triangle if the corners run counter-clockwise as seen from its
/// origin. An instance whose transform mirrors keeps the front of its mesh, as in glTF. The
/// triangle test itself decides, by the sign of the triangle's area as seen along the ray; where
/// that is 0, at a triangle that is seen edge-on, there is no hit from either side.
enum class Sides : std::uint8_t { both, front, back };

/// Decides which hits of rays count; by default all hits count. A ray has the hit that it would
/// have if only the triangles that count existed.
struct RayFilter {
  Sides sides = Sides::both;  ///< the sides that all rays hit
  /// The mask of all rays, if `masks` is null. A ray hits an instance only if the masks of both
  /// have a bit in common. Masks of instances are 0xffffffff unless Renderer::set_masks() has
  /// changed them.
  std::uint32_t mask = 0xffffffffu;
  const std::uint32_t* masks = nullptr;  ///< the mask of each ray, as many as there are rays
  /// For each ray, the id (as Hit::triangle) of a triangle that the ray does not hit, such as the
  /// triangle on which it starts; or kNoTriangle. Null: no ray skips a triangle. Other triangles at
  /// the same place are hit.
  const std::uint32_t* skip = nullptr;
  /// The index of an instance that no ray hits, such as the body that carries the sensor, if
  /// `skip_instances` is null; or kNoInstance. Other instances at the same place are hit.
  std::uint32_t skip_instance = kNoInstance;
  const std::uint32_t* skip_instances = nullptr;  ///< the instance that each ray does not hit

  /// True if the filter may leave out hits. (Masks of instances may leave out hits, too, but are
  /// not known here.)
  BALLOTCAST_HD bool refuses() const {
    return sides != Sides::both || has_masks() || skip != nullptr || skips_instances();
  }
  /// True if rays have other masks than 0xffffffff.
  BALLOTCAST_HD bool has_masks() const { return mask != 0xffffffffu || masks != nullptr; }
  /// True if rays may skip instances.
  BALLOTCAST_HD bool skips_instances() const {
    return skip_instance != kNoInstance || skip_instances != nullptr;
  }
  /// The filter of the rays from `first` on.
  BALLOTCAST_HD RayFilter from(std::uint64_t first) const {
    return {sides,
            mask,
            masks ? masks + first : nullptr,
            skip ? skip + first : nullptr,
            skip_instance,
            skip_instances ? skip_instances + first : nullptr};
  }
};

/// The hit of a ray. 16 bytes, the same on host and device.
///
/// The closest hit is the hit with the smallest t and, among equal t, with the smallest id. If a
/// ray starts far away, many hits may round to one t; then the closest hit is the nearest of them.
/// The hit point is (1-u-v) a + u b + v c, where a, b and c are the triangle's corners. A miss has
/// triangle kNoTriangle, t = the ray's t_max, and u = v = 0.
struct alignas(16) Hit {
  float t;                 ///< in units of the length of the ray's direction
  std::uint32_t triangle;  ///< the triangle's id: its index in the scene
  float u;                 ///< weight of the triangle's second corner
  float v;                 ///< weight of the triangle's third corner

  /// True if the ray hit something.
  BALLOTCAST_HD bool found() const { return triangle != kNoTriangle; }
};
static_assert(sizeof(Hit) == 16, "kernels write hits as one block of 16 bytes");

/// The closest point of a scene for a given point. 16 bytes, the same on host and device.
///
/// The closest point is the point with the smallest distance; among equal distances, the point on
/// the triangle with the smallest id. Its position is (1-u-v) a + u b + v c, where a, b and c are
/// the triangle's corners. In a scene of instances, Scene::locate gives the instance. If there is
/// no closest point, triangle is kNoTriangle, distance is infinity, and u = v = 0.
struct alignas(16) Nearest {
  float distance;          ///< in world units
  std::uint32_t triangle;  ///< the triangle's id: its index in the scene
  float u;                 ///< weight of the triangle's second corner
  float v;                 ///< weight of the triangle's third corner

  /// True if there is a closest point.
  BALLOTCAST_HD bool found() const { return triangle != kNoTriangle; }
};
static_assert(sizeof(Nearest) == 16, "kernels write closest points as one block of 16 bytes");

/// Decides which points are inside of a surface.
enum class InsideRule : std::uint8_t {
  parity,   ///< inside if a ray straight up crosses the surface an odd number of times
  nonzero,  ///< inside if that ray crosses unequal numbers of fronts and backs of triangles
  winding   ///< inside if |winding number| > 0.5; see Renderer::winding_numbers()
};

}  // namespace ballotcast
