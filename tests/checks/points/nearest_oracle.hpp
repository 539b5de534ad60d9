// Judges closest points by exact arithmetic.
#pragma once

#include <vector>

#include "ballotcast/ray.hpp"
#include "geometry/mesh.hpp"
#include "helpers/exact_distance.hpp"

namespace ballotcast::detail::points {

/// What the stated bounds allow (geometry/point_triangle.hpp), as parts of the distance to the
/// triangle's farthest corner: how much too small and too large a distance may be, and too large
/// where differences of coordinates are rounded.
inline constexpr double kTooSmall = 0x1p-48, kTooLarge = 0x1p-45, kTooLargeRounded = 0x1p-22;

struct Judgement {
  bool triangle = false;     // the right one, or one that rounding may have preferred
  bool rounded = false;      // not the one that exact arithmetic gives
  bool distance = false;     // within its bound
  bool on_surface = false;   // the point is on a triangle, exactly
  bool by_integers = false;  // Wide numbers could not tell
  double error = 0.0;        // of the distance in double precision, in units of its bound
  double least_away = 0.0;   // the distance over that to the farthest corner
};

/// A mesh, whose triangles are all compared.
class NearestOracle {
 public:
  explicit NearestOracle(const Mesh& mesh);

  /// Judges what was found for a point, whose coordinates are usable.
  Judgement judge(vec3 point, const Nearest& found) const;

 private:
  struct Ball {
    dvec3 center;
    double radius;
  };

  /// A triangle as seen from the point.
  template <class Number>
  struct Seen {
    u32 id;
    testing::ClosestPart<Number> part;
    testing::Between distance;
  };

  /// What exact arithmetic says.
  struct Closest {
    testing::Between distance;
    std::vector<u32> ids;      // of the triangles that are exactly the closest, ascending
    std::vector<u32> sharing;  // of those: the ones on whose corner or edge a given one is closest
    testing::Part shared;      // what they share
    bool is_zero;
  };

  std::array<vec3, 3> corners(u32 id) const;
  template <class Number>
  Seen<Number> seen(vec3 point, u32 id) const;
  testing::Between distance(vec3 point, u32 id) const;
  double farthest_corner(vec3 point, u32 id) const;
  double allowed(vec3 point, u32 id) const;
  /// The triangles that may be the closest.
  std::vector<u32> candidates(vec3 point) const;
  template <class Number>
  Closest closest(vec3 point, const std::vector<u32>& candidates, u32 given) const;
  template <class Number>
  bool share_place(const Seen<Number>& a, const Seen<Number>& b) const;
  /// True if another edge of a triangle than those that share the closest place may be as close.
  bool has_rival(vec3 point, u32 id, const Closest& closest) const;

  const Mesh& mesh_;
  std::vector<Ball> balls_;
  int last_digit_;
};

}  // namespace ballotcast::detail::points
