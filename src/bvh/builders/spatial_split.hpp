// Splits of the space of a node: references that reach over the plane go to both sides, each with
// the part that lies there (M. Stich, H. Friedrich, A. Dietrich, Spatial Splits in Bounding Volume
// Hierarchies, 2009).
//
// What makes no hit get lost: a part's box holds every point of the triangle that lies in the box
// it was cut from and on its side of the plane. The points where edges cross the plane are worked
// out in double precision and widened by more than their rounding.
#pragma once

#include <utility>
#include <vector>

#include "bvh/builders/object_split.hpp"
#include "geometry/mesh.hpp"

namespace ballotcast::detail {

/// The boxes of what `part`, of a triangle of `mesh`, has on either side of a plane across `axis`;
/// an empty box where that is nothing.
std::pair<Box4, Box4> cut(const Mesh& mesh, const Reference& part, u32 axis, float plane);

/// A plane, and what is expected of a split there.
struct SpatialSplit {
  float cost = std::numeric_limits<float>::infinity();
  u32 axis = 0;
  float plane = 0.0f;
  Box4 left, right;
  u32 left_count = 0, right_count = 0;
};

/// The cheapest of 7 planes an axis through `whole`, the box around references [from, to),
/// among those that cut no more than `most_cut` of them.
SpatialSplit cheapest_spatial_split(const Mesh& mesh, const Reference* from, const Reference* to,
                                    const Box4& whole, u32 most_cut);

/// Divides references [from, to): those that go left stay at the front of that range, those that go
/// right are appended to `right`. A reference over the plane is cut in two, unless it is cheaper to
/// leave it whole on one side. Returns the end of the left ones; `split` then holds the boxes and
/// counts that came out.
Reference* divide(const Mesh& mesh, Reference* from, Reference* to, SpatialSplit& split,
                  std::vector<Reference>& right);

}  // namespace ballotcast::detail
