// Judges closest points by exact arithmetic.
#pragma once

#include <vector>

#include "ballotcast/ray.hpp"
#include "geometry/mesh.hpp"
#include "helpers/exact_distance.hpp"

namespace ballotcast::detail::points {

/// The bounds of the error of a distance (geometry/point_triangle.hpp), as fractions of the
/// distance to the triangle's farthest corner: by how much a distance may be too small, by how much
/// too large, and by how much too large where differences of coordinates are rounded.
inline constexpr double kTooSmall = 0x1p-48, kTooLarge = 0x1p-45, kTooLargeRounded = 0x1p-22;

/// Compares what was found for a point with exact arithmetic.
struct Judgement {
  bool triangle = false;     // the triangle is the right one, or rounding may have preferred it
  bool rounded = false;      // the triangle is not the one that exact arithmetic finds
  bool distance = false;     // the distance is within its bound
  bool on_surface = false;   // the point is exactly on a triangle
  bool by_integers = false;  // the numbers of type Wide could not decide, so integers did
  double error = 0.0;        // error of the distance in double precision, divided by its bound
  double least_away = 0.0;   // least exact distance, divided by the distance to the farthest corner
};

/// Finds the closest triangles of a mesh by exact arithmetic. It compares all triangles.
class NearestOracle {
 public:
  explicit NearestOracle(const Mesh& mesh);

  /// Judges the result `found` for `point`, whose coordinates must be finite and not too large.
  Judgement judge(vec3 point, const Nearest& found) const;

 private:
  /// A ball around a triangle.
  struct Ball {
    dvec3 center;
    double radius;
  };

  /// A triangle with its part that is closest to the point, and the distance.
  template <class Number>
  struct Seen {
    u32 id;
    testing::ClosestPart<Number> part;
    testing::Between distance;
  };

  /// The triangles that are closest to a point, by exact arithmetic.
  struct Closest {
    testing::Between distance;
    std::vector<u32> ids;      // the triangles that are exactly the closest, ascending
    std::vector<u32> sharing;  // those of `ids` that share their closest part with `given`
    testing::Part shared;      // whether this part is a corner or an edge
    bool is_zero;              // the distance is exactly 0
  };

  std::array<vec3, 3> corners(u32 id) const;
  template <class Number>
  Seen<Number> seen(vec3 point, u32 id) const;
  testing::Between distance(vec3 point, u32 id) const;
  double farthest_corner(vec3 point, u32 id) const;
  /// By how much the distance to a triangle may be too large.
  double allowed(vec3 point, u32 id) const;
  /// The triangles that may be the closest.
  std::vector<u32> candidates(vec3 point) const;
  template <class Number>
  Closest closest(vec3 point, const std::vector<u32>& candidates, u32 given) const;
  template <class Number>
  bool share_place(const Seen<Number>& a, const Seen<Number>& b) const;
  /// True if, up to rounding, the triangle has another edge that is as close as its closest corner
  /// or edge.
  bool has_rival(vec3 point, u32 id, const Closest& closest) const;

  const Mesh& mesh_;
  std::vector<Ball> balls_;
  int last_digit_;
};

}  // namespace ballotcast::detail::points
