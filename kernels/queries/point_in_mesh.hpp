// Computes a lower bound for the distance from a point to the content of a box, in the space of an
// instance's mesh. There a rotated box does not grow.
//
// With the letters of geometry/transform.hpp, let A be the transposed M times M, and gap i the gap
// from the point to the box along axis i of the mesh. The content of the box is at a squared
// distance of at least the sum of d i gap i^2, for all weights d for which A minus the diagonal
// matrix of d has no negative eigenvalue. Two choices of d are used:
// - d i = A ii minus the other |A ij| of row i (S. Gershgorin). This is exact for a rotation after
//   scaling along the axes.
// - For each i, a lower bound of the smallest eigenvalue of A: 1 over the largest sum of magnitudes
//   in a row of W times the transposed W.
//
// The computed closest point is never closer than this bound minus `wider_`, for these errors. u =
// 2^-24, g = |M| m + |T|, k = |M| |W|, P the largest of g and of the point's magnitudes:
//   - corners are rounded by 3.1 u g per axis (mesh_in_scene.hpp): 5.4 u g
//   - the way into the mesh: the determinant is off by 2^-37 of itself, at most, because k <= 2^12,
//     and so are W and the point there, by 2^-36 |W| P per axis. In the scene: 2^-33 k P
//   - boxes as they are read: 2^-43 g; the found point: 2^-46 of the magnitude (closest_point.hpp)
// The sum is at most 2^-20 g + 2^-32 k P + 2^-40 of the magnitude. Weights are made smaller by more
// than their error.
#pragma once

#include "geometry/point_triangle.hpp"
#include "kernels/queries/mesh_in_scene.hpp"

namespace ballotcast::detail {

class PointInMesh {
 public:
  /// `p` is a point in the space of the scene; `slack`: the error of distances there.
  BC_HD PointInMesh(const MeshInScene& mesh, const dvec3& p, double slack) {
    const Transform& m = mesh.to_scene;
    const Cofactors c = cofactors_of(m);
    const double inverse = 1.0 / c.determinant;
    const dvec3 x = c.x * inverse, y = c.y * inverse, z = c.z * inverse;  // the rows of W
    const dvec3 way = p - column(m, 3);
    at_ = {sum_of(x, way), sum_of(y, way), sum_of(z, way)};
    const dvec3 diagonal = squares_less_others(column(m, 0), column(m, 1), column(m, 2));
    const double least = (1.0 - 0x1p-30) / largest_row(x, y, z);
    const bool fits = smallest(diagonal) >= 0.5 * least;
    weight_ = fits ? diagonal : dvec3(least);
    const double k =
        norm_of(m) * largest_of(sum_of_magnitudes(x), sum_of_magnitudes(y), sum_of_magnitudes(z));
    const double g = mesh.magnitude(), point = largest_magnitude(p);
    wider_ = slack + placing_slack(g) + times(0x1p-32 * k, g > point ? g : point);
  }

  /// The lower bound for a box: the sum of d i gap i^2.
  BC_HD double squared_to(const Aabb& box) const {
    const auto gap = [](double low, double high, double at) {
      const double below = low - at, above = at - high;
      const double outside = below > above ? below : above;
      return outside > 0.0 ? outside : 0.0;
    };
    const double x = gap(box.low.x, box.high.x, at_.x), y = gap(box.low.y, box.high.y, at_.y),
                 z = gap(box.low.z, box.high.z, at_.z);
    return (times(weight_.x * x, x) + times(weight_.y * y, y)) + times(weight_.z * z, z);
  }

  /// The largest value of this sum for anything within the distance `reach`.
  BC_HD double most_for(double reach) const {
    const double distance = reach + wider_;
    return distance * distance * (1.0 + 0x1p-40);
  }

 private:
  BC_HD static double sum_of(const dvec3& a, const dvec3& b) {
    return (times(a.x, b.x) + times(a.y, b.y)) + times(a.z, b.z);
  }
  BC_HD static double smallest(const dvec3& v) {
    const double xy = v.x < v.y ? v.x : v.y;
    return xy < v.z ? xy : v.z;
  }
  /// For the matrix of dot products of three vectors: each diagonal element minus the magnitudes of
  /// the other two elements in its row.
  BC_HD static dvec3 squares_less_others(const dvec3& a, const dvec3& b, const dvec3& c) {
    const double ab = magnitude_of(sum_of(a, b)), bc = magnitude_of(sum_of(b, c)),
                 ca = magnitude_of(sum_of(c, a));
    constexpr double kLess = 1.0 - 0x1p-36;
    return {times(sum_of(a, a), kLess) - (ab + ca), times(sum_of(b, b), kLess) - (ab + bc),
            times(sum_of(c, c), kLess) - (bc + ca)};
  }
  BC_HD static double largest_row(const dvec3& a, const dvec3& b, const dvec3& c) {
    const double ab = magnitude_of(sum_of(a, b)), bc = magnitude_of(sum_of(b, c)),
                 ca = magnitude_of(sum_of(c, a));
    return largest_of(sum_of(a, a) + (ab + ca), sum_of(b, b) + (ab + bc), sum_of(c, c) + (bc + ca));
  }

  dvec3 at_, weight_;
  double wider_;
};

}  // namespace ballotcast::detail
