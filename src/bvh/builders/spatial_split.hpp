// Spatial splits: divide the space of a node at a plane. A reference that crosses the plane goes to
// both sides; each side gets the part that lies there (M. Stich, H. Friedrich, A. Dietrich, Spatial
// Splits in Bounding Volume Hierarchies, 2009).
//
// No hit is lost: the box of a part contains every point of the triangle that lies in the box it
// was cut from and on its side of the plane. The points where edges cross the plane are computed in
// double precision, and the box around them is larger than their rounding error.
#pragma once

#include <utility>
#include <vector>

#include "bvh/builders/object_split.hpp"
#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// Cuts `part`, a part of a triangle of `mesh`, at a plane across `axis`. Returns the boxes of what
/// lies left and right of the plane; a box is empty if nothing lies there.
std::pair<Box4, Box4> cut(const Mesh& mesh, const Reference& part, u32 axis, float plane);

/// A spatial split at a plane, and its expected cost.
struct SpatialSplit {
  float cost = std::numeric_limits<float>::infinity();
  u32 axis = 0;
  float plane = 0.0f;
  Box4 left, right;
  u32 left_count = 0, right_count = 0;
};

/// The split with the lowest cost among 7 planes per axis; its cost is `bar` if no split costs
/// less. `whole` is the box around references [from, to). Planes that cut more than `most_cut`
/// references are left out. Runs on all threads if there are many references.
SpatialSplit cheapest_spatial_split(const Mesh& mesh, const Reference* from, const Reference* to,
                                    const Box4& whole, u32 most_cut, float bar);

/// Divides references [from, to) at the plane of `split`: appends them to `left` and `right`, which
/// must be empty. A reference that crosses the plane is cut in two, unless it is cheaper to keep it
/// whole on one side. `split` then holds the resulting boxes and counts.
void divide(const Mesh& mesh, const Reference* from, const Reference* to, SpatialSplit& split,
            std::vector<Reference>& left, std::vector<Reference>& right);

}  // namespace ballotcast::detail
