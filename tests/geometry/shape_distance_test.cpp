// Tests closest points of shapes. For convex solids there is a proof without search: a distance d
// of a point p from outside is the right one if the found point lies on the surface, and if there
// is a plane with the solid behind it that is d away from p. From inside, no plane that touches the
// solid may be nearer than d.
#include "geometry/shape_distance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/transform_limits.hpp"
#include "helpers/instances.hpp"
#include "helpers/sanitized.hpp"

namespace ballotcast::detail {
namespace shape_distance_test {

using testing::Random;

constexpr ShapeKind kKinds[] = {ShapeKind::sphere,  ShapeKind::ellipsoid, ShapeKind::box,
                                ShapeKind::capsule, ShapeKind::cylinder,  ShapeKind::cone,
                                ShapeKind::disc,    ShapeKind::plane};

double length(const dvec3& v) { return std::sqrt(dot(v, v)); }

/// A shape in the space of the scene.
struct Placed {
  Shape shape;
  Transform m;
  dvec3 x, y, z, at;

  Placed(const Shape& of, const Transform& to_scene) : shape(of), m(to_scene) {
    const dvec3 scale = scale_of(shape);
    x = column(m, 0) * scale.x, y = column(m, 1) * scale.y, z = column(m, 2) * scale.z;
    at = column(m, 3);
  }

  dvec3 place(const dvec3& p) const { return x * p.x + y * p.y + z * p.z + at; }

  /// The distance of `p` from the plane that touches the shape on the side of n, which has length
  /// 1. Positive if p is on the side of the shape.
  double room(const dvec3& n, const dvec3& p) const {
    const dvec3 g = {dot(x, n), dot(y, n), dot(z, n)};
    const double round = std::hypot(g.x, g.y), up = std::abs(g.z);
    const double flat = std::abs(g.x) + std::abs(g.y);
    double most = length(g);  // of a sphere
    switch (shape.kind) {
      case ShapeKind::box:
        most = flat + up;
        break;
      case ShapeKind::capsule:
        most += straight_part(shape) * up;
        break;
      case ShapeKind::cylinder:
        most = round + up;
        break;
      case ShapeKind::cone:
        most = std::max(g.z, round - g.z);
        break;
      case ShapeKind::disc:
        most = round;
        break;
      case ShapeKind::plane:
        most = flat;
        break;
      default:
        break;
    }
    return most - dot(n, p - at);
  }

  /// How far a point, in the space of the shape, is off the surface there.
  double off_surface(const dvec3& p) const {
    const double round = std::hypot(p.x, p.y), up = std::abs(p.z);
    const double square = std::max(std::abs(p.x), std::abs(p.y));
    switch (shape.kind) {
      case ShapeKind::box:
        return std::abs(std::max(square, up) - 1.0);
      case ShapeKind::capsule:
        return std::abs(std::hypot(round, std::max(up - straight_part(shape), 0.0)) - 1.0);
      case ShapeKind::cylinder:
        return std::abs(std::max(round, up) - 1.0);
      case ShapeKind::cone:
        return std::abs(std::max(round - 0.5 * (1.0 - p.z), -1.0 - p.z));
      case ShapeKind::disc:
        return std::max(round - 1.0, up);
      case ShapeKind::plane:
        return std::max(square - 1.0, up);
      default:
        return std::abs(length(p) - 1.0);
    }
  }

  /// Directions near n: it, and the normals of the surface at `on`. Very near to the surface, the
  /// rounding of n alone costs room.
  std::vector<dvec3> directions_near(const dvec3& n, const dvec3& on) const {
    const dvec3 yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
    const dvec3 at_point = is_flat(shape.kind) ? dvec3(0, 0, 1) : surface_towards(shape, on).normal;
    std::vector<dvec3> found = {n, yz, zx, xy, yz * at_point.x + zx * at_point.y + xy * at_point.z};
    for (u32 i = 1; i < 5; ++i) found.push_back(-found[i]);
    for (dvec3& way : found) way = way * (1.0 / length(way));
    return found;
  }

  /// The least room that a search over directions finds, from several starts.
  double least_room(Random& random, const dvec3& p, const dvec3& start) const {
    double least = 1e300;
    for (u32 i = 0; i < 8; ++i) {
      dvec3 n = i == 0 ? start : dvec3(random.point(1.0f));
      if (i >= 2)  // the best of some
        for (u32 k = 0; k < 6; ++k) {
          const dvec3 other(random.point(1.0f));
          if (room(other * (1.0 / length(other)), p) < room(n * (1.0 / length(n)), p)) n = other;
        }
      n = n * (1.0 / length(n));
      double best = room(n, p);
      for (double step = 0.5; step > 1e-9; step *= 0.6)
        for (u32 k = 0; k < 4; ++k) {
          dvec3 other = n + dvec3(random.point(1.0f)) * step;
          other = other * (1.0 / length(other));
          if (const double there = room(other, p); there < best) best = there, n = other;
        }
      least = std::min(least, best);
    }
    return least;
  }
};

Shape random_shape(Random& random, ShapeKind kind) {
  Shape shape{kind, {}};
  for (float& size : shape.size) size = random.between(0.1f, 2.0f);
  if (kind == ShapeKind::capsule && random.below(4) == 0) shape.size[1] = 0.0f;
  if (kind == ShapeKind::ellipsoid && random.below(4) == 0) shape.size[1] = shape.size[0];
  return shape;
}

/// A transform: as it is, along the axes, rotated alone, rotated and scaled, or sheared too.
Transform some_transform(Random& random) {
  Transform m = testing::random_transform(random, 0.2f, 2.0f, random.below(3) ? 3.0f : 100.0f);
  switch (random.below(5)) {
    case 0:
      return Transform{};
    case 1:
      return {{{random.between(0.2f, 2.0f), 0, 0, 1},
               {0, random.between(0.2f, 2.0f), 0, 0},
               {0, 0, random.between(-2.0f, -0.2f), 5}}};
    case 2:
      return testing::random_transform(random, 1.0f, 1.0f, 3.0f);
    case 3:
      for (u32 i = 0; i < 3; ++i) m.rows[i][2] += random.between(-2.0f, 2.0f) * m.rows[i][0];
      return m;
    default:
      return m;
  }
}

/// Points inside, on axes and planes of symmetry, near the surface, and at any distance.
vec3 some_point(Random& random, const Placed& placed) {
  const auto inside = [&] { return placed.place(dvec3(random.point(1.5f))); };
  switch (random.below(6)) {
    case 0:
      return vec3(inside());
    case 1: {
      dvec3 p(0.0);
      (random.below(2) ? p.z : random.below(2) ? p.x : p.y) = random.between(-1.5f, 1.5f);
      if (random.below(2)) (random.below(2) ? p.z : p.x) = random.between(-1.5f, 1.5f);
      if (random.below(8) == 0) p = dvec3(0.0);
      return vec3(placed.place(p));
    }
    case 2: {
      const PointOfShape on = point_of_shape(placed.shape, random.unit(), random.unit());
      return vec3(placed.place(on.point));
    }
    case 3: {
      const PointOfShape on = point_of_shape(placed.shape, random.unit(), random.unit());
      return vec3(placed.place(on.point)) + random.point(std::ldexp(1.0f, -int(random.below(20))));
    }
    case 4:
      return random.point(std::ldexp(1.0f, int(random.below(20))));
    default:
      return vec3(placed.place(dvec3(random.point(0.8f))));
  }
}

/// How the found distances differ from right ones.
struct Seen {
  u64 points = 0, inside = 0;
  double worst = 0.0;  // relative to the distance, for points at least 2^-20 of the size away
};

void check(Random& random, const Placed& placed, vec3 at, Seen& seen) {
  const dvec3 p(at);
  const ClosestOnShape found = closest_on_shape(placed.shape, placed.m, p);
  const double distance = std::sqrt(found.squared), away = length(found.place - p);
  const double size = length(placed.x) + length(placed.y) + length(placed.z) * 3.0;
  const double scale = size + length(p - placed.at), tiny = 0x1p-46 * scale;
  const auto told = [&] {
    return ::testing::Message() << "kind " << static_cast<u32>(placed.shape.kind) << ", sizes "
                                << placed.shape.size[0] << " " << placed.shape.size[1] << ", at "
                                << at.x << " " << at.y << " " << at.z << ", distance " << distance
                                << " to " << found.at.x << " " << found.at.y << " " << found.at.z;
  };
  ++seen.points;
  ASSERT_LE(placed.off_surface(found.at), 1e-12) << told();
  ASSERT_LE(length(placed.place(found.at) - found.place), tiny + 0x1p-50 * length(placed.at));
  ASSERT_LE(std::abs(away - distance), tiny + 0x1p-50 * length(placed.at)) << told();
  const dvec3 n = distance > 0.0 ? (found.place - p) * (1.0 / away) : dvec3(0, 0, 1);
  double error;
  if (is_inside_shape(placed.shape, placed.m, p)) {
    ++seen.inside;
    error = distance - placed.least_room(random, p, n);
  } else {
    error = distance;
    for (const dvec3& way : placed.directions_near(-n, found.at))
      error = std::min(error, distance + placed.room(way, p));
    // Very near to the surface, rounding turns n.
    if (distance < 0x1p-20 * scale)
      error = std::min(error, distance + placed.least_room(random, p, -n));
  }
  ASSERT_LE(std::min(error, distance), 1e-6 * distance + 0x1p-40 * scale)
      << told() << ", off by " << error;
  if (distance > 0x1p-20 * scale) seen.worst = std::max(seen.worst, error / distance);
}

TEST(ShapeDistances, are_proved_by_a_plane_that_touches_the_shape) {
  // 10,000 points of each kind here; any other number may be set, such as 1e6.
  const char* const number = std::getenv("BALLOTCAST_SHAPE_POINTS");
  const u64 points = number                ? std::strtoull(number, nullptr, 10)
                     : testing::kSanitized ? 1000
                                           : 10000;
  for (const ShapeKind kind : kKinds) {
    Random random(static_cast<u32>(kind));
    Seen seen;
    while (seen.points < points) {
      const Placed placed(random_shape(random, kind), some_transform(random));
      for (u32 i = 0; i < 32 && !::testing::Test::HasFailure(); ++i)
        check(random, placed, some_point(random, placed), seen);
      if (::testing::Test::HasFailure()) break;
    }
    std::printf("kind %u: %llu points, %llu of them inside; off by %.2g of the distance at most\n",
                static_cast<u32>(kind), static_cast<unsigned long long>(seen.points),
                static_cast<unsigned long long>(seen.inside), seen.worst);
  }
}

}  // namespace shape_distance_test
}  // namespace ballotcast::detail
