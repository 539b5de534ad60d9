// Tells by exact arithmetic whether a point is inside a closed mesh.
#pragma once

#include "helpers/exact.hpp"
#include "helpers/exact_distance.hpp"

namespace ballotcast::detail::points {

class InsideOracle {
 public:
  /// `mesh` must outlive this.
  explicit InsideOracle(const testing::ExactMesh& mesh) : exact_(mesh), box_(mesh.mesh().bounds()) {
    for (const uvec3 t : mesh.mesh().triangles) {
      const auto& at = mesh.mesh().positions;
      triangles_.push_back({{at[t.x], at[t.y], at[t.z]}, {}});
      for (const vec3 corner : triangles_.back().corners) triangles_.back().box.include(corner);
    }
  }

  /// True if a point that is on a triangle counts as inside: if it is inside when it is shifted by
  /// (e, e^2, e^3), with e = 2^-300 of the last digit of all coordinates. The products below have
  /// fewer digits than that, so a smaller e would change nothing.
  bool is_shifted_inside(vec3 point) const {
    bool inside = false;
    for (const Triangle& t : triangles_)
      if (shifted_along_x(point, t)) inside = !inside;
    return inside;
  }

  /// True if a ray from the point crosses the mesh an odd number of times. The point is on no
  /// triangle, and snapped if it is in the box of the mesh.
  bool is_inside(vec3 point) const {
    if (!box_.contains({point, point})) return false;
    try {
      bool inside = false;
      for (const Triangle& t : triangles_)
        if (along_x(point, t)) inside = !inside;
      return inside;
    } catch (const testing::Unsure&) {
      return exact_.winding_number(point) % 2 != 0;
    }
  }

 private:
  struct Triangle {
    std::array<vec3, 3> corners;
    Aabb box;
  };

  static bool shifted_along_x(vec3 point, const Triangle& t) {
    if (point.y < t.box.low.y || point.y > t.box.high.y || point.z < t.box.low.z ||
        point.z > t.box.high.z || point.x > t.box.high.x)
      return false;
    using testing::Integer;
    int unit = testing::last_digit(point, 0);
    for (const vec3 corner : t.corners) unit = testing::last_digit(corner, unit);
    auto at = testing::seen_from<Integer>(point, t.corners, unit);
    for (auto& corner : at)
      for (u32 k = 0; k < 3; ++k)
        corner[k] = Integer(corner[k] << 900) - (Integer(1) << (600 - 300 * k));
    int sides[3];
    for (u32 i = 0; i < 3; ++i) {
      const auto &a = at[i], &b = at[(i + 1) % 3];
      sides[i] = testing::sign_of(Integer(a[1] * b[2] - a[2] * b[1]));
    }
    if (sides[0] == 0 || sides[0] != sides[1] || sides[1] != sides[2]) return false;
    return testing::sign_of(testing::dot_of(at[0], testing::cross_of(at[1], at[2]))) == sides[0];
  }

  /// True if the ray along +x crosses the triangle. Throws Unsure where it passes an edge too
  /// closely to tell.
  static bool along_x(vec3 point, const Triangle& t) {
    if (point.y < t.box.low.y || point.y > t.box.high.y || point.z < t.box.low.z ||
        point.z > t.box.high.z || point.x > t.box.high.x)
      return false;
    using testing::Wide;
    const auto at = testing::seen_from<Wide>(point, t.corners, 0);
    int sides[3];
    for (u32 i = 0; i < 3; ++i) {
      const auto &a = at[i], &b = at[(i + 1) % 3];
      sides[i] = testing::sign_of(a[1] * b[2] - a[2] * b[1]);
      if (sides[i] == 0) throw testing::Unsure();
    }
    if (sides[0] != sides[1] || sides[1] != sides[2]) return false;
    return testing::sign_of(testing::dot_of(at[0], testing::cross_of(at[1], at[2]))) == sides[0];
  }

  const testing::ExactMesh& exact_;
  Aabb box_;
  std::vector<Triangle> triangles_;
};

}  // namespace ballotcast::detail::points
