// Winding numbers of points: how often the surface goes around a point. They are also defined for
// surfaces with holes, overlaps and loose triangles (A. Jacobson, L. Kavan, O. Sorkine-Hornung,
// Robust Inside-Outside Segmentation using Generalized Winding Numbers, 2013, equation 5).
//
// The solid angles of all triangles are added up. Each summand is rounded to a whole number of
// units, so that the sum does not depend on the order of the triangles, which with instances
// depends on the tree.
#pragma once

#include <limits>

#include "kernels/queries/point_inside.hpp"
#include "kernels/queries/ray_arrays.hpp"
#include "math/trig.hpp"

namespace ballotcast::detail {

/// The solid angle of the triangle a, b, c as a share of the whole sphere, from -0.5 to 0.5;
/// positive if the corners run clockwise as seen from p. 0 for a triangle without area, and if p
/// lies on an edge or a corner. With the corners relative to p (A. van Oosterom, J. Strackee, The
/// Solid Angle of a Plane Triangle, IEEE Transactions on Biomedical Engineering, 1983, equation 8):
///
///   tan(angle / 2) = a . (b x c) / (|a| |b| |c| + (a . b) |c| + (b . c) |a| + (c . a) |b|)
BC_HD inline double part_of_sphere(const dvec3& p, const dvec3& a, const dvec3& b, const dvec3& c) {
  const auto dot3 = [](const dvec3& u, const dvec3& v) {
    return u.x * v.x + u.y * v.y + u.z * v.z;
  };
  const dvec3 pa = a - p, pb = b - p, pc = c - p;
  const double la = sqrt(dot3(pa, pa)), lb = sqrt(dot3(pb, pb)), lc = sqrt(dot3(pc, pc));
  const double volume = pa.x * (pb.y * pc.z - pb.z * pc.y) + pa.y * (pb.z * pc.x - pb.x * pc.z) +
                        pa.z * (pb.x * pc.y - pb.y * pc.x);
  if (volume == 0.0) return 0.0;
  return turns_of(la * lb * lc + dot3(pa, pb) * lc + dot3(pb, pc) * la + dot3(pc, pa) * lb, volume);
}

/// A sum of solid angles, as shares of the whole sphere.
class PartsOfSphere {
 public:
  BC_HD void add(double part) { units_ += static_cast<i64>(floor(part * kUnits + 0.5)); }
  BC_HD double sum() const { return static_cast<double>(units_) / kUnits; }

 private:
  static constexpr double kUnits = 0x1p40;  // units in 1.0; 64 bits hold sums up to 2^23

  i64 units_ = 0;
};

/// Adds the solid angles of `count` triangles of the scene's mesh, from `first` on.
/// `placed(corner)` transforms a corner to the scene; `front` is 1, or -1 if the triangles' fronts
/// are reversed.
template <class Placed>
BC_HD inline void add_parts(const MeshView& mesh, u32 first, u32 count, double front,
                            const dvec3& p, Placed placed, PartsOfSphere& parts) {
  const auto corner = [&](u32 index) { return dvec3(placed(mesh.positions[index])); };
  for (u32 id = first; id < first + count; ++id) {
    const uvec3 t = mesh.triangles[id];
    parts.add(front * part_of_sphere(p, corner(t.x), corner(t.y), corner(t.z)));
  }
}

/// Adds the solid angle of a shape: of a solid the whole sphere for points inside, of a plane that
/// of two triangles. There is no formula for a disc; see require_use_of_shapes.
BC_HD BC_COLD inline void add_shape(const ShapeInScene& at, const dvec3& p, PartsOfSphere& parts) {
  if (at.shape.kind != ShapeKind::plane)
    return parts.add(is_inside_shape(at.shape, at.to_scene, p) ? 1.0 : 0.0);
  const auto corner = [&](float x, float y) {
    return dvec3(transformed_point(at.to_scene, vec3(x, y, 0.0f)));
  };
  const float x = at.shape.size[0], y = at.shape.size[1];
  const dvec3 a = corner(-x, -y), b = corner(x, -y), c = corner(x, y), d = corner(-x, y);
  const double front = mirrors(at.to_scene) ? -1.0 : 1.0;
  parts.add(front * part_of_sphere(p, a, b, c));
  parts.add(front * part_of_sphere(p, a, c, d));
}

/// The winding number of point `p`, in the world of point i of the batch. `triangles`: the number
/// of triangles in the scene's mesh.
template <class Layout>
BC_HD inline double winding_number(const TraceView<Layout>& view, u32, u32 triangles,
                                   const dvec3& p) {
  PartsOfSphere parts;
  add_parts(
      view.scene.mesh, 0u, triangles, 1.0, p, [](vec3 corner) { return corner; }, parts);
  return parts.sum();
}
template <class Layout, bool kShapes>
BC_HD inline double winding_number(const InstancedView<Layout, kShapes>& view, u32 i, u32,
                                   const dvec3& p) {
  PartsOfSphere parts;
  const auto everywhere = [](const Aabb&) { return true; };
  const auto as_they_are = [](const ChildBoxes& boxes) { return boxes; };
  walk_where<Layout>(view.nodes, view.frame(i).shape, everywhere, as_they_are, [&](u32 leaf) {
    const auto in_shape = [&](const ShapeInScene& at) { add_shape(at, p, parts); };
    for_each_placed(view, leaf, in_shape, [&](const MeshInScene& mesh) {
      add_parts(
          view.scene.mesh, mesh.tree.first_triangle, mesh.tree.triangles,
          mirrors(mesh.to_scene) ? -1.0 : 1.0, p, [&](vec3 corner) { return mesh.corner(corner); },
          parts);
    });
  });
  return parts.sum();
}

/// Base of the kernels that sum over all triangles for each point.
struct AddsTriangles {
  /// The number of points that a CPU processes before it checks whether to stop: a few milliseconds
  /// of work.
  template <class Layout, class... Views>
  static u32 at_once(const TraceView<Layout>&, const PointArray&, u32 triangles, const Views&...) {
    constexpr u32 kTriangles = 1u << 18, kMost = 1024u;
    return triangles > kTriangles           ? 1u
           : triangles > kTriangles / kMost ? kTriangles / triangles
                                            : kMost;
  }
  template <class Layout, bool kShapes, class... Views>
  static u32 at_once(const InstancedView<Layout, kShapes>&, const PointArray&, u32,
                     const Views&...) {
    return 1u;
  }
};

/// Writes the winding number of point i; NaN for points whose coordinates are NaN or too large.
struct FindWindingNumber : AddsTriangles {
  template <class View>
  BC_HD static void item(u32 i, const View& view, const PointArray& points, u32 triangles,
                         double* numbers) {
    const dvec3 p = points.point(i);
    numbers[i] = is_usable(p) ? winding_number(view, i, triangles, p)
                              : std::numeric_limits<double>::quiet_NaN();
  }
};

/// Writes 1 if the winding number of point i is above 0.5 or below -0.5, else 0.
struct TestWindingNumber : AddsTriangles {
  template <class View>
  BC_HD static void item(u32 i, const View& view, const PointArray& points, u32 triangles,
                         u8* inside) {
    const dvec3 p = points.point(i);
    inside[i] = is_usable(p) && magnitude_of(winding_number(view, i, triangles, p)) > 0.5 ? 1u : 0u;
  }
};

}  // namespace ballotcast::detail
