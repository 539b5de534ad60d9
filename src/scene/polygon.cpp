#include "scene/polygon.hpp"

#include <cmath>

namespace ballotcast {
namespace {

constexpr u32 kMostClipped = 1024;  // ear clipping is quadratic at best

struct Point {
  double x, y;
  bool operator==(const Point&) const = default;
};

/// Twice the signed area of a triangle.
double turn(Point a, Point b, Point c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The direction a polygon faces, weighted by its area (M. Newell).
dvec3 facing(std::span<const dvec3> corners) {
  dvec3 sum(0.0);
  for (std::size_t i = 1; i + 1 < corners.size(); ++i)
    sum += cross(corners[i] - corners[0], corners[i + 1] - corners[0]);
  return sum;
}

void cut_quad(std::span<const dvec3> p, std::vector<uvec3>& triangles) {
  const dvec3 normal = facing(p);
  const auto faces_along = [&](u32 a, u32 b, u32 c) {
    return dot(cross(p[b] - p[a], p[c] - p[a]), normal) > 0.0;
  };
  const bool inside_02 = faces_along(0, 1, 2) && faces_along(0, 2, 3);
  const bool inside_13 = faces_along(0, 1, 3) && faces_along(1, 2, 3);
  const dvec3 e02 = p[2] - p[0], e13 = p[3] - p[1];
  const bool by_02 = inside_02 != inside_13 ? inside_02 : dot(e02, e02) < dot(e13, e13);
  if (by_02) {
    triangles.emplace_back(0, 1, 2);
    triangles.emplace_back(0, 2, 3);
  } else {
    triangles.emplace_back(0, 1, 3);
    triangles.emplace_back(1, 2, 3);
  }
}

/// The polygon seen along the axis it faces most, counter-clockwise.
std::vector<Point> projected(std::span<const dvec3> corners) {
  const dvec3 normal = facing(corners);
  const double ax = std::abs(normal.x), ay = std::abs(normal.y), az = std::abs(normal.z);
  std::vector<Point> points;
  points.reserve(corners.size());
  for (const dvec3& c : corners) {
    if (az >= ax && az >= ay)
      points.push_back(normal.z >= 0.0 ? Point{c.x, c.y} : Point{c.y, c.x});
    else if (ay >= ax)
      points.push_back(normal.y >= 0.0 ? Point{c.z, c.x} : Point{c.x, c.z});
    else
      points.push_back(normal.x >= 0.0 ? Point{c.y, c.z} : Point{c.z, c.y});
  }
  return points;
}

/// May the corner `at` of the remaining polygon be cut off without crossing the rest of it?
bool is_ear(const std::vector<Point>& points, const std::vector<u32>& rest, std::size_t at) {
  const std::size_t n = rest.size();
  const std::size_t before = (at + n - 1) % n, after = (at + 1) % n;
  const Point a = points[rest[before]], b = points[rest[at]], c = points[rest[after]];
  if (!(turn(a, b, c) > 0.0)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (i == before || i == at || i == after) continue;
    const Point q = points[rest[i]];
    // The two sides of a bridge to a hole share their places; they block nothing.
    if (q == a || q == b || q == c) continue;
    if (turn(a, b, q) >= 0.0 && turn(b, c, q) >= 0.0 && turn(c, a, q) >= 0.0) return false;
  }
  return true;
}

void clip_ears(std::span<const dvec3> corners, std::vector<uvec3>& triangles) {
  const std::vector<Point> points = projected(corners);
  std::vector<u32> rest(corners.size());
  for (u32 i = 0; i < rest.size(); ++i) rest[i] = i;
  std::size_t at = 1;
  while (rest.size() > 3) {
    std::size_t tried = 0;
    while (tried < rest.size() && !is_ear(points, rest, at % rest.size())) ++tried, ++at;
    at %= rest.size();  // none: the polygon crosses itself, and any corner is as good
    const std::size_t n = rest.size();
    triangles.emplace_back(rest[(at + n - 1) % n], rest[at], rest[(at + 1) % n]);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(at));
    // The next corner along is now at `at`; one further keeps the triangles from all being
    // slivers at one corner.
    ++at;
  }
  triangles.emplace_back(rest[0], rest[1], rest[2]);
}

}  // namespace

void triangulate(std::span<const dvec3> corners, std::vector<uvec3>& triangles) {
  const u32 count = static_cast<u32>(corners.size());
  if (count < 3) return;
  if (count == 3) {
    triangles.emplace_back(0, 1, 2);
  } else if (count == 4) {
    cut_quad(corners, triangles);
  } else if (count <= kMostClipped) {
    clip_ears(corners, triangles);
  } else {
    for (u32 i = 1; i + 1 < count; ++i) triangles.emplace_back(0, i, i + 1);
  }
}

}  // namespace ballotcast
