// The distance of a point from a triangle, in double precision.
#pragma once

#include <algorithm>

#include "math/vec.hpp"

namespace ballotcast::detail::edges {

struct Corners {
  dvec3 a, b, c;
};

inline double distance_to_segment(dvec3 p, dvec3 a, dvec3 b) {
  const dvec3 along = b - a;
  const double length = glm::dot(along, along);
  const double s = length > 0.0 ? std::clamp(glm::dot(p - a, along) / length, 0.0, 1.0) : 0.0;
  return glm::length(p - (a + along * s));
}

/// The distance of `p` from a triangle: from its plane if `p` is above its inside, else from its
/// nearest side. Thin triangles need no special case: even if their plane is inaccurate, the
/// distance from a side is always accurate.
inline double distance_to_triangle(dvec3 p, const Corners& t) {
  const double sides = std::min({distance_to_segment(p, t.a, t.b), distance_to_segment(p, t.b, t.c),
                                 distance_to_segment(p, t.c, t.a)});
  const dvec3 normal = glm::cross(t.b - t.a, t.c - t.a);
  const double area = glm::length(normal);
  if (!(area > 0.0)) return sides;
  const auto is_left = [&](dvec3 a, dvec3 b) {
    return glm::dot(glm::cross(b - a, p - a), normal) >= 0.0;
  };
  if (!is_left(t.a, t.b) || !is_left(t.b, t.c) || !is_left(t.c, t.a)) return sides;
  return std::min(sides, std::abs(glm::dot(p - t.a, normal)) / area);
}

}  // namespace ballotcast::detail::edges
